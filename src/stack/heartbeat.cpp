#include <geobreaker/stack/heartbeat.hpp>

#include <algorithm>

namespace geobreaker {

namespace {

constexpr SteadyClock::duration beat = std::chrono::milliseconds{250};
constexpr SteadyClock::duration longest_lateness = std::chrono::seconds{1};

}  // namespace

boost::asio::awaitable<void> Heartbeat::wait_until(SteadyTime until) {
  for (SteadyTime now = clock_.steady_now(); now < until; now = clock_.steady_now()) {
    next_ = std::min(until, now + beat);
    co_await waiter_.wait_until(next_);
    missed_ = missed();
  }
}

bool Heartbeat::missed() const noexcept { return missed_ || clock_.steady_now() - next_ > longest_lateness; }

}  // namespace geobreaker
