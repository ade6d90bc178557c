#include <geobreaker/clock.hpp>

#include <ctime>

namespace geobreaker {

namespace {

std::chrono::nanoseconds read(clockid_t id) noexcept {
  timespec at{};
  clock_gettime(id, &at);
  return std::chrono::seconds{at.tv_sec} + std::chrono::nanoseconds{at.tv_nsec};
}

}  // namespace

SharedTime SystemClock::shared_now() noexcept {
  return SharedTime{std::chrono::duration_cast<Micros>(read(CLOCK_REALTIME))};
}

SteadyTime SystemClock::steady_now() noexcept { return SteadyTime{read(CLOCK_BOOTTIME)}; }

}  // namespace geobreaker
