#include <geobreaker/stack/waiter.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace geobreaker {

boost::asio::awaitable<void> TimerWaiter::wait_until(SteadyTime until) {
  const auto left = until - clock_.steady_now();
  if (left <= SteadyClock::duration{0}) co_return;
  boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor, left);
  co_await timer.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
}

}  // namespace geobreaker
