#include "redis/differential_history.hpp"

#include "redis/decision_text.hpp"
#include "redis/script_call.hpp"

#include <ostream>
#include <sstream>

namespace geobreaker {

std::ostream& operator<<(std::ostream& out, const BreakerConfig& c) {
  return out << "\n  {window " << c.window.count() << " threshold " << c.threshold << " rate "
             << c.failure_rate << " short " << c.short_window_or_default().count() << " run "
             << c.run_threshold << " base " << c.base_cooldown.count() << " max " << c.max_cooldown.count()
             << " lease " << c.probe_lease_or_default().count() << " min_reporters " << c.min_reporters
             << " flap_guard " << c.flap_guard.count() << " max_pause " << c.max_pause_rate.count() << "/"
             << c.max_pause_quota.count() << "}";
}

}  // namespace geobreaker

namespace geobreaker::testing {

namespace {

template <class E>
int number(E value) {
  return static_cast<int>(value);
}

std::int64_t us(SharedTime at) { return at.time_since_epoch().count(); }

}  // namespace

std::ostream& operator<<(std::ostream& out, const Step& s) {
  constexpr const char* kinds[] = {"acquire", "report", "evaluate", "pause", "operate"};
  constexpr const char* clocks[] = {"now", "open_until", "lease_end", "pause_end", "forced_end", "settling"};
  out << "\n  {" << kinds[number(s.kind)] << " at " << clocks[number(s.clock)]
      << (s.microseconds < 0 ? "" : "+") << s.microseconds << "us";
  if (s.carried != Step::Carried::none) out << " carried=" << number(s.carried);
  if (s.loses_store) out << " store-lost";
  if (s.second_config) out << " second-config";
  switch (s.kind) {
    case Step::Kind::acquire:
      out << " token=" << s.token;
      break;
    case Step::Kind::report:
      out << " epoch=" << number(s.epoch) << " probe=" << s.of_a_probe << " token=" << number(s.which_token)
          << " verb=" << number(s.verb) << " successes=" << s.successes_before << " age=" << s.age.count()
          << " flush=" << s.flush.count() << " reporter=" << s.reporter;
      break;
    case Step::Kind::operate:
      out << " action=" << number(s.action) << " duration=" << s.duration.count();
      break;
    default:
      break;
  }
  if (s.pause) out << " pause=" << s.pause->duration.count() << "/" << number(s.pause->reason);
  return out << "}";
}

std::string described(const core::BreakerState& s) {
  std::ostringstream out;
  out << "decision " << redis::decision_text(s.decision) << "\n  token " << redis::token_text(s.token)
      << " neutral_probes " << s.neutral_probes << " closed_at " << us(s.closed_at) << "\n  window width "
      << s.window.bucket_width.count() << " run " << s.window.run << " " << us(s.window.run_first) << " "
      << us(s.window.run_last) << " share_since " << us(s.window.share_since) << " buckets";
  for (const core::Bucket& b : s.window.buckets)
    out << " " << b.index << ":" << b.calls << ":" << b.failures << ":" << b.flush.count();
  out << " reporters";
  for (const core::Reporter& r : s.window.reporters) out << " " << r.host << "@" << us(r.last);
  out << "\n  tally late " << s.tally.late << " abandoned " << s.tally.abandoned << " stale " << s.tally.stale
      << " restored " << s.tally.restored;
  return out.str();
}

std::string described(const core::Reply& r) {
  std::ostringstream out;
  out << "ruling " << number(r.ruling) << " refusal " << number(r.refusal) << " retry_after "
      << r.retry_after.count() << " settles_at " << us(r.settles_at) << " changes";
  for (const core::PhaseChange& c : r.changes)
    out << " " << number(c.from) << ">" << number(c.to) << ":" << core::to_string(c.cause) << "@" << us(c.at);
  return out.str();
}

}  // namespace geobreaker::testing
