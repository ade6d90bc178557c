#pragma once

#include <geobreaker/clock.hpp>
#include <geobreaker/stack/waiter.hpp>

#include <boost/asio/awaitable.hpp>

namespace geobreaker {

/// Tells whether this process stood still while it waited: suspended, stopped in a debugger or by Ctrl-Z, its
/// machine paused. Time-outs that pass meanwhile are not the fault of whom it waited for. Threads: one
/// executor.
class Heartbeat {
 public:
  /// Clock and waiter must outlive it.
  Heartbeat(Clock& clock, Waiter& waiter) noexcept
      : clock_(clock), waiter_(waiter), next_(clock.steady_now()) {}

  /// Waits until `until`, awake at every beat. Ends at once when it is cancelled.
  [[nodiscard]] boost::asio::awaitable<void> wait_until(SteadyTime until);

  /// True if a beat was late by more than a second, the one that is due now included.
  [[nodiscard]] bool missed() const noexcept;

 private:
  Clock& clock_;
  Waiter& waiter_;
  SteadyTime next_;  // when the next beat is due
  bool missed_ = false;
};

}  // namespace geobreaker
