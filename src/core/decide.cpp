#include <geobreaker/core/decision.hpp>

#include <algorithm>

namespace geobreaker::core {

std::string_view to_string(Phase phase) noexcept {
  switch (phase) {
    case Phase::closed:
      return "closed";
    case Phase::open:
      return "open";
    case Phase::half_open:
      return "half-open";
  }
  return "closed";
}

bool is_forced(const Decision& d, Forced mode, SharedTime now) noexcept {
  return d.forced == mode && d.forced_until > now;
}

bool is_paused(const Decision& d, SharedTime now) noexcept {
  return d.pause_reason != PauseReason::none && d.pause_until > now;
}

namespace {

Answer refuse(Refusal why, SharedTime until, SharedTime now) noexcept {
  return {Verdict::refuse, why, std::max(Micros{0}, until - now)};
}

}  // namespace

Answer decide(const Decision& d, SharedTime now) noexcept {
  if (is_forced(d, Forced::open, now)) return refuse(Refusal::forced_open, d.forced_until, now);
  if (is_paused(d, now))
    return refuse(d.pause_reason == PauseReason::quota ? Refusal::paused_quota : Refusal::paused_rate,
                  d.pause_until, now);
  if (is_forced(d, Forced::closed, now)) return {};
  switch (d.phase) {
    case Phase::closed:
      return {};
    case Phase::open:
      return now < d.open_until ? refuse(Refusal::breaker_open, d.open_until, now)
                                : Answer{Verdict::may_probe, Refusal::breaker_open, {}};
    case Phase::half_open:
      return now < d.lease_end ? refuse(Refusal::breaker_open, d.lease_end, now)
                               : Answer{Verdict::may_probe, Refusal::breaker_open, {}};
  }
  return {};
}

}  // namespace geobreaker::core
