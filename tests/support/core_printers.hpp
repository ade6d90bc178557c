#pragma once

#include <geobreaker/core/transition.hpp>

#include <ostream>

/// How GoogleTest and rapidcheck show the core's values when a test fails.
namespace geobreaker::core {

inline std::ostream& operator<<(std::ostream& out, Phase phase) { return out << to_string(phase); }

inline void show_time(std::ostream& out, const char* name, SharedTime at) {
  if (at != SharedTime{}) out << ' ' << name << '=' << at.time_since_epoch().count();
}

inline void show_span(std::ostream& out, const char* name, Micros span) {
  if (span != Micros{0}) out << ' ' << name << '=' << span.count() << "us";
}

inline std::ostream& operator<<(std::ostream& out, const Decision& d) {
  out << d.phase << " v" << d.version << " e" << d.epoch << " failed_probes=" << d.failed_probes;
  show_time(out, "open_until", d.open_until);
  show_span(out, "cooldown", d.cooldown);
  show_time(out, "lease_end", d.lease_end);
  show_span(out, "lease", d.lease);
  show_time(out, "pause_until", d.pause_until);
  show_span(out, "pause", d.pause);
  out << " pause_reason=" << static_cast<int>(d.pause_reason) << " forced=" << static_cast<int>(d.forced);
  show_time(out, "forced_until", d.forced_until);
  show_span(out, "forced_for", d.forced_for);
  show_time(out, "failures_until", d.failures_until);
  return out << (d.restored ? " restored" : "");
}

inline std::ostream& operator<<(std::ostream& out, const Window& w) {
  out << "width=" << w.bucket_width.count() << "us run=" << w.run;
  show_time(out, "run_first", w.run_first);
  show_time(out, "run_last", w.run_last);
  show_time(out, "share_since", w.share_since);
  for (const Bucket& b : w.buckets)
    out << " [" << b.index << ": " << b.failures << '/' << b.calls << " flush=" << b.flush.count() << ']';
  for (const Reporter& r : w.reporters)
    out << " <" << r.host << '@' << r.last.time_since_epoch().count() << '>';
  return out;
}

inline std::ostream& operator<<(std::ostream& out, const BreakerState& s) {
  out << "{ " << s.decision << "\n  token=" << s.token.high << ':' << s.token.low
      << " neutral_probes=" << s.neutral_probes;
  show_time(out, "closed_at", s.closed_at);
  return out << "\n  window " << s.window << "\n  late=" << s.tally.late << " abandoned=" << s.tally.abandoned
             << " stale=" << s.tally.stale << " restored=" << s.tally.restored << " }";
}

inline std::ostream& operator<<(std::ostream& out, const PhaseChange& c) {
  return out << c.from << "->" << c.to << " (" << to_string(c.cause) << ") at "
             << c.at.time_since_epoch().count();
}

inline std::ostream& operator<<(std::ostream& out, const Reply& r) {
  out << "ruling=" << static_cast<int>(r.ruling) << " refusal=" << static_cast<int>(r.refusal);
  show_span(out, "retry_after", r.retry_after);
  show_time(out, "settles_at", r.settles_at);
  for (const PhaseChange& c : r.changes) out << ' ' << c << ';';
  return out;
}

inline std::ostream& operator<<(std::ostream& out, const Answer& a) {
  return out << "verdict=" << static_cast<int>(a.verdict) << " refusal=" << static_cast<int>(a.refusal)
             << " retry_after=" << a.retry_after.count() << "us";
}

}  // namespace geobreaker::core
