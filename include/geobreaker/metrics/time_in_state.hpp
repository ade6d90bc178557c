#pragma once

#include <geobreaker/core/transition.hpp>

#include <map>

namespace geobreaker {

/// Time spent in each phase. The three add up to the time observed, to the microsecond.
struct PhaseTimes {
  Micros closed{};
  Micros open{};
  Micros half_open{};
  [[nodiscard]] Micros total() const noexcept { return closed + open + half_open; }
  friend bool operator==(const PhaseTimes&, const PhaseTimes&) = default;
};

/// Adds up one provider's time in each phase, per UTC day, from its phase changes. Pure: reads no clock.
///
/// Changes are taken at their exact time, also if it lies before the last report. A change to the phase that
/// holds already (two workers that tell of the same transition) changes nothing; one that is older than the
/// last counts as at that one. Threads: one at a time.
class TimeInState {
 public:
  /// Observes from `start` on.
  explicit TimeInState(SharedTime start, core::Phase phase = core::Phase::closed) noexcept
      : since_(start), phase_(phase) {}

  void add(const core::PhaseChange& change);

  /// The days, each named by its first instant (midnight UTC), that have been observed at least in part until
  /// `now`.
  [[nodiscard]] std::map<SharedTime, PhaseTimes> days(SharedTime now) const;
  [[nodiscard]] PhaseTimes total(SharedTime now) const;
  [[nodiscard]] core::Phase phase() const noexcept { return phase_; }

 private:
  std::map<SharedTime, PhaseTimes> days_;
  SharedTime since_;
  core::Phase phase_;
};

}  // namespace geobreaker
