#include <geobreaker/stack/bulkhead.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>

namespace geobreaker {

boost::asio::awaitable<Bulkhead::Slot> Bulkhead::enter() {
  if (free_ > 0) {
    --free_;
    co_return Slot{this};
  }
  Seat seat{boost::asio::steady_timer(co_await boost::asio::this_coro::executor,
                                      boost::asio::steady_timer::time_point::max())};
  waiting_.push_back(&seat);
  co_await seat.wake.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
  if (!seat.given) {  // cancelled from outside: the next suspension ends this coroutine
    std::erase(waiting_, &seat);
    co_return Slot{nullptr};
  }
  co_return Slot{this};
}

void Bulkhead::leave() noexcept {
  if (waiting_.empty()) {
    ++free_;
    return;
  }
  Seat& next = *waiting_.front();
  waiting_.pop_front();
  next.given = true;
  next.wake.cancel();
}

}  // namespace geobreaker
