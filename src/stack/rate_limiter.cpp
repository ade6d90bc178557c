#include <geobreaker/stack/rate_limiter.hpp>

#include <algorithm>

namespace geobreaker {

boost::asio::awaitable<bool> RateLimiter::wait_for_turn() {
  if (!interval_) co_return false;
  const SteadyTime now = clock_.steady_now();
  const SteadyTime turn = std::max(now, next_turn_);
  next_turn_ = turn + *interval_;
  if (turn <= now) co_return false;
  co_await waiter_.wait_until(turn);
  co_return true;
}

}  // namespace geobreaker
