#pragma once

#include <geobreaker/clock.hpp>

#include <algorithm>
#include <chrono>

namespace geobreaker {

/// Keeps this process from calling a provider that refused its key: for 5 minutes, doubling up to an hour.
/// Not shared: one worker's wrong key must not take the provider from the others, and a minute of 403s must
/// not do so for ever.
class AuthGuard {
 public:
  void refused(SteadyTime now) noexcept {
    disabled_until_ = now + length_;
    length_ = std::min(length_ * 2, longest);
  }
  void accepted() noexcept { length_ = shortest; }
  /// How long it stays disabled from `now`; zero: it is not.
  [[nodiscard]] SteadyClock::duration disabled_for(SteadyTime now) const noexcept {
    return std::max(SteadyClock::duration{0}, disabled_until_ - now);
  }

 private:
  static constexpr SteadyClock::duration shortest = std::chrono::minutes{5};
  static constexpr SteadyClock::duration longest = std::chrono::hours{1};
  SteadyClock::duration length_ = shortest;
  SteadyTime disabled_until_{};
};

}  // namespace geobreaker
