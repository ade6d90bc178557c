#pragma once

#include <chrono>
#include <cstdint>

namespace geobreaker {

/// The store's time: microseconds since the Unix epoch, as Redis's TIME gives it.
/// It may be stored and compared across hosts. It does not convert to or from SteadyTime.
struct SharedClock {
  using duration = std::chrono::microseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<SharedClock>;
  static constexpr bool is_steady = false;
};
using SharedTime = SharedClock::time_point;
/// Durations in shared state.
using Micros = std::chrono::microseconds;

/// Time inside one process; counts while the machine is suspended; never stored.
struct SteadyClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<SteadyClock>;
  static constexpr bool is_steady = true;
};
using SteadyTime = SteadyClock::time_point;

/// The one seam through which time enters: everything that needs "now" is handed a Clock.
/// Threads: any, concurrently.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual SharedTime shared_now() noexcept = 0;
  [[nodiscard]] virtual SteadyTime steady_now() noexcept = 0;
};

/// The machine's clocks: CLOCK_REALTIME and CLOCK_BOOTTIME (which counts suspended time).
class SystemClock final : public Clock {
 public:
  [[nodiscard]] SharedTime shared_now() noexcept override;
  [[nodiscard]] SteadyTime steady_now() noexcept override;
};

}  // namespace geobreaker
