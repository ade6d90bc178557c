#pragma once

#include <geobreaker/clock.hpp>

namespace geobreaker::redis {

/// The offset between the store's time and this process's steady clock, kept from answers that carry the
/// store's time. Its error is half the round trip of the measurement, plus what the clocks may have drifted
/// apart since.
class StoreTime {
 public:
  /// `store` was read somewhere between `sent` and `received`.
  void measured(SharedTime store, SteadyTime sent, SteadyTime received) noexcept;
  [[nodiscard]] SharedTime at(SteadyTime now) const noexcept;
  /// How far `at(now)` may be off.
  [[nodiscard]] Micros error_at(SteadyTime now) const noexcept;

 private:
  bool known_ = false;
  Micros offset_{};
  Micros error_{};
  SteadyTime measured_at_{};
};

}  // namespace geobreaker::redis
