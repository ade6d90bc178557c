#include "stack/async_breaker.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <utility>

namespace geobreaker {

namespace {

namespace asio = boost::asio;

/// Makes a coroutine's completion handler callable from the store's thread, exactly once, and keeps its loop
/// alive meanwhile.
template <class Value, class Handler>
std::function<void(Value)> on_executor(asio::any_io_executor executor, Handler handler) {
  struct Waiting {
    Handler handler;
    asio::executor_work_guard<asio::any_io_executor> work;
  };
  // Shared because std::function copies; only the one call moves out of it.
  auto waiting = std::make_shared<Waiting>(Waiting{std::move(handler), asio::make_work_guard(executor)});
  return [executor, waiting](Value value) {
    asio::post(executor,
               [waiting, value = std::move(value)]() mutable { waiting->handler(std::move(value)); });
  };
}

}  // namespace

asio::awaitable<Admission> async_acquire(Breaker& breaker) {
  if (auto at_once = breaker.try_acquire()) co_return std::move(*at_once);
  const auto executor = co_await asio::this_coro::executor;
  co_return co_await asio::async_initiate<decltype(asio::use_awaitable), void(Admission)>(
      [&breaker, executor](auto handler) {
        breaker.acquire(on_executor<Admission>(executor, std::move(handler)));
      },
      asio::use_awaitable);
}

asio::awaitable<bool> async_check_current(Breaker& breaker, const Permit& permit) {
  const auto executor = co_await asio::this_coro::executor;
  co_return co_await asio::async_initiate<decltype(asio::use_awaitable), void(bool)>(
      [&breaker, &permit, executor](auto handler) {
        breaker.check_current(permit, on_executor<bool>(executor, std::move(handler)));
      },
      asio::use_awaitable);
}

}  // namespace geobreaker
