#pragma once

#include <geobreaker/clock.hpp>
#include <geobreaker/stack/waiter.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <list>
#include <optional>

namespace geobreaker::test {

/// Time that passes only when everything waits for it: a run of minutes takes milliseconds and is the same
/// every time.
class VirtualTime final : public Clock, public Waiter {
 public:
  SharedTime shared_now() noexcept override {
    return SharedTime{std::chrono::seconds{1'700'000'000}} +
           std::chrono::duration_cast<Micros>(now_.time_since_epoch());
  }
  SteadyTime steady_now() noexcept override { return now_; }
  void advance(SteadyClock::duration by) noexcept { now_ += by; }

  boost::asio::awaitable<void> wait_until(SteadyTime until) override {
    if (until <= now_) co_return;
    Sleeper sleeper{until, boost::asio::steady_timer(co_await boost::asio::this_coro::executor,
                                                     boost::asio::steady_timer::time_point::max())};
    sleepers_.push_back(&sleeper);
    co_await sleeper.timer.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    sleepers_.remove(&sleeper);
  }

  /// Runs a coroutine to its end, letting time pass whenever nothing else can happen.
  template <class T>
  T run(boost::asio::io_context& context, boost::asio::awaitable<T> work) {
    std::optional<T> result;
    std::exception_ptr thrown;
    boost::asio::co_spawn(context, std::move(work), [&](std::exception_ptr problem, T value) {
      thrown = problem;
      if (!problem) result = std::move(value);
    });
    while (!result && !thrown) {
      context.restart();
      if (context.poll() == 0 && !let_time_pass())
        throw std::logic_error("everything waits, but nobody for time");
    }
    if (thrown) std::rethrow_exception(thrown);
    return std::move(*result);
  }

 private:
  struct Sleeper {
    SteadyTime until;
    boost::asio::steady_timer timer;
  };

  bool let_time_pass() {
    if (sleepers_.empty()) return false;
    SteadyTime next = SteadyTime::max();
    for (const Sleeper* s : sleepers_) next = std::min(next, s->until);
    now_ = std::max(now_, next);
    for (Sleeper* s : sleepers_)
      if (s->until <= now_) s->timer.cancel();
    return true;
  }

  SteadyTime now_{std::chrono::hours{1}};
  std::list<Sleeper*> sleepers_;
};

}  // namespace geobreaker::test
