#pragma once

#include <geobreaker/core/transition.hpp>

namespace geobreaker::detail {

/// The breaker that protects this process alone while the store is away. Same transition, no store: what it
/// learns never reaches the fleet. Not thread-safe: its owner guards it.
class LocalBreaker {
 public:
  explicit LocalBreaker(const BreakerConfig& config) : config_(config) {}

  /// Starts from what was known of the fleet: phase, deadline and failed probes, with nothing counted yet.
  void inherit(const core::Decision& known, SharedTime now);
  [[nodiscard]] core::Reply apply(const core::Event& event, SharedTime now);
  [[nodiscard]] const core::Decision& decision() const noexcept { return state_.decision; }

 private:
  const BreakerConfig& config_;
  core::BreakerState state_;
};

}  // namespace geobreaker::detail
