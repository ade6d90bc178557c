#include <geobreaker/metrics/time_in_state.hpp>

#include <algorithm>

namespace geobreaker {

namespace {

constexpr Micros day{std::chrono::hours{24}};

Micros& share_of(PhaseTimes& times, core::Phase phase) noexcept {
  switch (phase) {
    case core::Phase::closed:
      return times.closed;
    case core::Phase::open:
      return times.open;
    case core::Phase::half_open:
      return times.half_open;
  }
  return times.closed;
}

void spread(std::map<SharedTime, PhaseTimes>& days, core::Phase phase, SharedTime from, SharedTime to) {
  while (from < to) {
    const SharedTime midnight{
        std::chrono::floor<std::chrono::duration<Micros::rep, std::ratio<86400>>>(from.time_since_epoch())};
    const SharedTime end = std::min(to, midnight + day);
    share_of(days[midnight], phase) += end - from;
    from = end;
  }
}

}  // namespace

void TimeInState::add(const core::PhaseChange& change) {
  if (change.to == phase_) return;
  const SharedTime at = std::max(since_, change.at);
  spread(days_, phase_, since_, at);
  since_ = at;
  phase_ = change.to;
}

std::map<SharedTime, PhaseTimes> TimeInState::days(SharedTime now) const {
  auto result = days_;
  spread(result, phase_, since_, now);
  return result;
}

PhaseTimes TimeInState::total(SharedTime now) const {
  PhaseTimes sum;
  for (const auto& [midnight, times] : days(now)) {
    sum.closed += times.closed;
    sum.open += times.open;
    sum.half_open += times.half_open;
  }
  return sum;
}

}  // namespace geobreaker
