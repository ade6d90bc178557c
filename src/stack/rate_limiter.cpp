#include <geobreaker/stack/rate_limiter.hpp>

#include <algorithm>

namespace geobreaker {

namespace {

/// A wait is cut into pieces of this length, so that it ends soon after stop().
constexpr SteadyClock::duration longest_piece = std::chrono::milliseconds{200};

}  // namespace

boost::asio::awaitable<bool> RateLimiter::wait_for_turn() {
  if (!interval_) co_return false;
  const SteadyTime now = clock_.steady_now();
  const SteadyTime turn = std::max(now, next_turn_);
  next_turn_ = turn + *interval_;
  if (turn <= now) co_return false;
  for (SteadyTime at = now; at < turn && !stopped_; at = clock_.steady_now())
    co_await waiter_.wait_until(std::min(turn, at + longest_piece));
  co_return true;
}

}  // namespace geobreaker
