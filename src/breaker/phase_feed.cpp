#include "breaker/phase_feed.hpp"

#include <algorithm>

namespace geobreaker::detail {

namespace {

/// When the phase began, as far as the decision tells.
SharedTime began(core::Phase phase, const core::Decision& d, SharedTime latest) noexcept {
  SharedTime at = latest;
  if (phase == core::Phase::open && d.cooldown > Micros{0}) at = d.open_until - d.cooldown;
  if (phase == core::Phase::half_open && d.lease > Micros{0}) at = d.lease_end - d.lease;
  return std::min(at, latest);
}

}  // namespace

int PhaseFeed::follow(const std::vector<core::PhaseChange>& changes, const core::Decision& after,
                      SharedTime now) {
  int trips = 0;
  for (const core::PhaseChange& change : changes) {
    trips += emit({phase_, change.from, core::Cause::noticed, began(change.from, after, change.at)});
    trips += emit(change);
  }
  return trips + emit({phase_, after.phase, core::Cause::noticed, began(after.phase, after, now)});
}

int PhaseFeed::emit(core::PhaseChange change) {
  if (change.to == phase_) return 0;
  const bool trip = phase_ == core::Phase::closed;
  change.from = phase_;
  change.at = last_ = std::max(last_, change.at);
  phase_ = change.to;
  queue(change);
  return trip ? 1 : 0;
}

void PhaseFeed::queue(Item item) {
  if (observer_ == nullptr) return;
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(item));
}

void PhaseFeed::deliver() {
  if (observer_ == nullptr) return;
  std::unique_lock lock(mutex_);
  if (delivering_) return;
  delivering_ = true;
  while (!waiting_.empty()) {
    const Item item = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    tell(item);
    lock.lock();
  }
  delivering_ = false;
}

void PhaseFeed::tell(const Item& item) noexcept {
  try {
    if (const auto* change = std::get_if<core::PhaseChange>(&item))
      observer_->on_phase_change(provider_, *change);
    else if (const auto* why = std::get_if<Error>(&item))
      observer_->on_store_lost(provider_, *why);
    else
      observer_->on_store_back(provider_);
  } catch (...) {  // an observer's trouble is not the caller's
  }
}

}  // namespace geobreaker::detail
