#pragma once

#include <geobreaker/clock.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

namespace geobreaker {

/// Waiting goes through the same seam as reading the time, so that tests need not sleep.
class Waiter {
 public:
  virtual ~Waiter() = default;
  /// Completes when the clock's steady time has reached `until`, or when the coroutine is cancelled.
  [[nodiscard]] virtual boost::asio::awaitable<void> wait_until(SteadyTime until) = 0;
};

/// Waits on the executor's timers.
class TimerWaiter final : public Waiter {
 public:
  explicit TimerWaiter(Clock& clock) : clock_(clock) {}
  [[nodiscard]] boost::asio::awaitable<void> wait_until(SteadyTime until) override;

 private:
  Clock& clock_;
};

}  // namespace geobreaker
