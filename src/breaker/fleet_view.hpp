#pragma once

#include <geobreaker/core/decision.hpp>

#include <optional>

namespace geobreaker::detail {

/// The end of the deadline that keeps callers out, if the decision has one.
[[nodiscard]] SharedTime deadline_of(const core::Decision& decision) noexcept;

/// What this process knows of the shared decision, and the deadlines of its own that it holds on to although
/// the store no longer knows them (it was emptied, or it was away while this process tripped alone). Not
/// thread-safe: its owner guards it.
class FleetView {
 public:
  /// Takes what the store said at its time `now`, unless something newer is known. `asked_with` is the newest
  /// version that was known here when the question left: an answer below it comes from a store that lost its
  /// state, one between it and what is known now was merely overtaken. True: the store has lost a deadline
  /// that still runs; it is held.
  bool learn(const core::Decision& said, SharedTime now, std::int64_t asked_with) noexcept;

  /// Keeps callers out until then, unless the fleet closes anew, in an epoch after `epoch`.
  void hold(SharedTime until, std::int64_t epoch) noexcept;

  /// How long a deadline of our own still runs. A forced-closed state wins over it.
  [[nodiscard]] std::optional<Micros> held(SharedTime now) const noexcept;

  /// What `acquire` would say by what is known here.
  [[nodiscard]] core::Answer answer(SharedTime now) const noexcept;

  [[nodiscard]] const core::Decision& known() const noexcept { return known_; }

 private:
  core::Decision known_;
  SharedTime held_until_{};
  std::int64_t held_epoch_ = 0;
};

}  // namespace geobreaker::detail
