#include "breaker/fleet_view.hpp"

#include <algorithm>

namespace geobreaker::detail {

SharedTime deadline_of(const core::Decision& d) noexcept {
  switch (d.phase) {
    case core::Phase::closed:
      return {};
    case core::Phase::open:
      return d.open_until;
    case core::Phase::half_open:
      return d.lease_end;
  }
  return {};
}

bool FleetView::learn(const core::Decision& said, SharedTime now, std::int64_t asked_with) noexcept {
  const SharedTime own = deadline_of(known_);
  const bool runs = own > now;
  if (said.version < known_.version) {
    if (said.version >= asked_with || !runs || held_until_ >= own) return false;
    hold(own, known_.epoch);
    return true;
  }
  const bool newer = said.version > known_.version;
  // Epochs of a store that lost nothing only grow; and whoever restored a decision says so.
  const bool lost = newer && runs && (said.epoch < known_.epoch || (said.restored && !known_.restored));
  if (lost && deadline_of(said) < own) hold(own, known_.epoch);
  if (newer && said.phase == core::Phase::closed && !said.restored && said.epoch > held_epoch_)
    held_until_ = {};
  known_ = said;
  return lost;
}

void FleetView::hold(SharedTime until, std::int64_t epoch) noexcept {
  held_until_ = std::max(held_until_, until);
  held_epoch_ = std::max(held_epoch_, epoch);
}

std::optional<Micros> FleetView::held(SharedTime now) const noexcept {
  if (held_until_ <= now || core::is_forced(known_, core::Forced::closed, now)) return std::nullopt;
  return held_until_ - now;
}

core::Answer FleetView::answer(SharedTime now) const noexcept {
  const core::Answer said = core::decide(known_, now);
  const auto own = held(now);
  if (!own || (said.verdict == core::Verdict::refuse && said.refusal != core::Refusal::breaker_open))
    return said;
  return {core::Verdict::refuse, core::Refusal::breaker_open, std::max(*own, said.retry_after)};
}

}  // namespace geobreaker::detail
