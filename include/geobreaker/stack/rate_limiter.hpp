#pragma once

#include <geobreaker/clock.hpp>
#include <geobreaker/stack/waiter.hpp>

#include <boost/asio/awaitable.hpp>

#include <optional>

namespace geobreaker {

/// Spaces calls evenly: never two of them closer than `interval`. One process's share of a provider's limit.
/// Threads: one executor.
class RateLimiter {
 public:
  /// Empty `interval`: no limit.
  RateLimiter(std::optional<SteadyClock::duration> interval, Clock& clock, Waiter& waiter)
      : interval_(interval), clock_(clock), waiter_(waiter) {}

  /// Waits for this call's turn; true if there was anything to wait for. After stop() it returns soon.
  [[nodiscard]] boost::asio::awaitable<bool> wait_for_turn();
  /// Lets go of everybody who waits, whether it is their turn or not.
  void stop() noexcept { stopped_ = true; }

 private:
  std::optional<SteadyClock::duration> interval_;
  Clock& clock_;
  Waiter& waiter_;
  SteadyTime next_turn_{};
  bool stopped_ = false;
};

}  // namespace geobreaker
