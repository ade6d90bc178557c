// Random histories against the invariants of the design's section 4.6. rapidcheck prints the seed and shrinks
// the history.
#include "core/machine.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace geobreaker::testing {

/// What happens next; the numbers are interpreted against the state, so that every history makes sense and
/// shrinks well.
struct Step {
  int what = 0;
  int who = 0;
  int gap = 0;
};

std::ostream& operator<<(std::ostream& out, const Step& s) {
  return out << '{' << s.what << ',' << s.who << ',' << s.gap << '}';
}

namespace {

rc::Gen<Step> any_step() {
  return rc::gen::build<Step>(rc::gen::set(&Step::what, rc::gen::inRange(0, 26)),
                              rc::gen::set(&Step::who, rc::gen::inRange(0, 6)),
                              rc::gen::set(&Step::gap, rc::gen::inRange(0, 12)));
}

rc::Gen<std::vector<Step>> any_history() {
  return rc::gen::withSize([](int size) {
    return rc::gen::resize(4 * size + 20, rc::gen::container<std::vector<Step>>(any_step()));
  });
}

BreakerConfig any_config() {
  BreakerConfig c;
  c.window = *rc::gen::element<Micros>(Micros{50ms}, Micros{1s}, Micros{5s}, Micros{60s});
  c.threshold = *rc::gen::inRange(1, 6);
  c.failure_rate = *rc::gen::element(0.0, 0.2, 0.5, 1.0);
  c.run_threshold = *rc::gen::inRange(1, 11);
  c.base_cooldown = *rc::gen::element<Micros>(Micros{20ms}, Micros{1s}, Micros{30s});
  c.max_cooldown = c.base_cooldown * *rc::gen::element(1, 3, 20, 1000);
  c.probe_lease = *rc::gen::element<Micros>(Micros{100ms}, Micros{10s});
  c.min_reporters = *rc::gen::inRange(1, 4);
  c.flap_guard = *rc::gen::element<Micros>(Micros{0}, Micros{60s});
  return c;
}

/// A permit that somebody holds; its holder may report any time later, or die.
struct Held {
  std::int64_t epoch = 0;
  LeaseToken token{};
};

/// Plays a history and checks every single transition.
class Player {
 public:
  explicit Player(const BreakerConfig& config) { m.config = config; }

  void play(const Step& step) {
    constexpr Micros gaps[] = {0us, 0us, 1us, 1ms, 20ms, 99ms, 100ms, 1s, 5s, 10s, 30s, 61s};
    m.pass(gaps[step.gap]);
    who_ = step.who;
    if (step.what < 9) return ask(LeaseToken{static_cast<std::uint64_t>(step.who + 1), ++tokens_});
    if (step.what < 19) return report(step.what);
    switch (step.what) {
      case 19:
        check(Evaluate{});
        return;
      case 20:
        check(Pause{{Micros{1s} * step.who, step.who % 2 ? PauseReason::rate : PauseReason::quota}});
        return;
      case 21:
        check(Operate{static_cast<Action>(step.who % 4), Micros{3s} * step.who});
        return;
      case 22:
        return lose_a_permit();
      case 23:
        return wait_for_the_deadline();
      case 24:
        return ask_again();
      default:
        return ask({});
    }
  }

  /// Invariant 6: healthy again, not paused or forced, callers keep calling: closed within cool-down, lease
  /// and call.
  void expect_recovery() {
    for (int i = 0; i < 3 && (is_forced(m.decision(), Forced::open, m.now) || is_paused(m.decision(), m.now));
         ++i)
      m.pass(m.peek().retry_after);
    if (is_forced(m.decision(), Forced::closed, m.now)) return;
    const SharedTime since = m.now;
    const Micros rest =
        m.phase() == Phase::open ? std::max(Micros{0}, m.decision().open_until - m.now) : Micros{0};
    for (int i = 0; i < 3 && m.phase() != Phase::closed; ++i) {
      m.pass(m.peek().retry_after);
      const LeaseToken token{99, ++tokens_};
      if (m.acquire(token).ruling == Ruling::probe_granted) m.end_probe(Verb::success, token);
    }
    RC_ASSERT(m.phase() == Phase::closed);
    RC_ASSERT(m.now - since <= rest + m.config.probe_lease_or_default());
  }

  Machine m;

 private:
  void ask(const LeaseToken& token) {
    const Answer peeked = m.peek();
    const BreakerState before = m.state;
    const Reply reply = check(Acquire{token});
    if (token.empty()) RC_ASSERT(m.state == before);
    // decide() and the transition never disagree.
    switch (reply.ruling) {
      case Ruling::admitted:
        RC_ASSERT(peeked.verdict == Verdict::admit);
        break;
      case Ruling::probe_granted:
        RC_ASSERT(peeked.verdict == Verdict::may_probe);
        RC_ASSERT(!token.empty());
        break;
      default:
        RC_ASSERT(peeked.verdict == Verdict::refuse ||
                  (peeked.verdict == Verdict::may_probe && token.empty()));
        RC_ASSERT(reply.refusal == peeked.refusal);
        RC_ASSERT(reply.retry_after == peeked.retry_after);
        RC_ASSERT(reply.retry_after >= Micros{0});
        return;
    }
    held_.push_back({m.epoch(), reply.ruling == Ruling::probe_granted ? token : LeaseToken{}});
  }

  void ask_again() {
    const auto probe =
        std::find_if(held_.rbegin(), held_.rend(), [](const Held& h) { return !h.token.empty(); });
    if (probe == held_.rend()) return;
    check(Evaluate{});  // a clock that stepped is dealt with first
    const Answer peeked = m.peek();
    const bool leased = m.phase() == Phase::half_open && m.decision().lease_end > m.now;
    const bool by_the_phase = peeked.verdict == Verdict::refuse && peeked.refusal == Refusal::breaker_open;
    if (!leased || !by_the_phase || m.state.token != probe->token) return;
    const BreakerState before = m.state;
    RC_ASSERT(check(Acquire{probe->token}) == (Reply{.ruling = Ruling::probe_granted}));
    RC_ASSERT(m.state == before);
  }

  void report(int what) {
    if (held_.empty()) return;
    const std::size_t at = static_cast<std::size_t>(who_) % held_.size();
    const Held permit = held_[at];
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(at));
    Report r{.epoch = permit.epoch, .token = permit.token, .reporter = "host" + std::to_string(who_ % 4)};
    r.verb = what < 15 ? Verb::failure : what < 18 ? Verb::success : Verb::neutral;
    r.successes_before = who_ == 3 ? 4 : 0;
    r.age = who_ == 5 ? Micros{2s} : Micros{0};
    r.flush_interval = who_ == 4 ? m.config.flush_interval_or_default() : Micros{0};
    if (r.verb == Verb::neutral && who_ < 2) r.pause = PauseRequest{Micros{2s}, PauseReason::rate};
    check(r);
  }

  void lose_a_permit() {
    if (!held_.empty()) held_.pop_back();
  }
  void wait_for_the_deadline() { m.pass(m.peek().retry_after); }

  Reply check(const Event& event) {
    const BreakerState before = m.state;
    const Reply reply = m.apply(event);
    check_shape(before, reply);
    check_versions(before, event, reply);
    check_lease(before, event, reply);
    check_cooldown(before, event, reply);
    if (const auto* r = std::get_if<Report>(&event)) check_report(before, *r, reply);
    return reply;
  }

  void check_shape(const BreakerState& before, const Reply& reply) {
    const Decision& d = m.decision();
    RC_ASSERT(m.state.window.buckets.size() <= 122U);
    RC_ASSERT(m.state.window.reporters.size() <= 16U);
    for (std::size_t i = 1; i < m.state.window.buckets.size(); ++i)
      RC_ASSERT(m.state.window.buckets[i - 1].index < m.state.window.buckets[i].index);
    RC_ASSERT(d.open_until <= m.now + d.cooldown);
    RC_ASSERT(d.lease_end <= m.now + d.lease);
    RC_ASSERT((d.phase == Phase::half_open) == (d.lease_end != SharedTime{}));
    if (d.phase == Phase::half_open) RC_ASSERT(!m.state.token.empty());
    if (d.phase == Phase::closed) RC_ASSERT(d.open_until == SharedTime{} && m.state.token.empty());
    // The changes are an unbroken chain from the old phase to the new one.
    Phase at = before.decision.phase;
    SharedTime last{};
    for (const PhaseChange& change : reply.changes) {
      RC_ASSERT(change.from == at && change.to != at && change.at >= last && change.at <= m.now);
      at = change.to;
      last = change.at;
    }
    RC_ASSERT(at == d.phase);
  }

  void check_versions(const BreakerState& before, const Event& event, const Reply& reply) {
    const Decision& d = m.decision();
    RC_ASSERT(d.version >= before.decision.version);
    RC_ASSERT(d == before.decision || d.version > before.decision.version);
    if (d.version > before.decision.version) RC_ASSERT(d.version >= m.micros());
    const auto* operate = std::get_if<Operate>(&event);
    bool ends_epoch = operate != nullptr && operate->action != Action::unpause;
    for (const PhaseChange& change : reply.changes)
      ends_epoch |=
          change.to == Phase::closed || change.from == Phase::closed || change.cause == Cause::probe_failed;
    const bool ended = d.epoch != before.decision.epoch;
    RC_ASSERT(d.epoch >= before.decision.epoch);
    RC_ASSERT(ended || !ends_epoch);
    // A failed probe whose lease has run out unnoticed reopens without a change of its own.
    RC_ASSERT(!ended || ends_epoch || d.failed_probes == before.decision.failed_probes + 1);
  }

  void check_lease(const BreakerState& before, const Event& event, const Reply& reply) {
    const Decision& was = before.decision;
    const bool lives = was.phase == Phase::half_open && was.lease_end > m.now;
    if (const auto* asked = std::get_if<Acquire>(&event); asked && lives)
      RC_ASSERT(reply.ruling != Ruling::probe_granted || asked->token == before.token);
    if (lives && m.phase() != Phase::half_open) {
      const auto* r = std::get_if<Report>(&event);
      const auto* o = std::get_if<Operate>(&event);
      RC_ASSERT((r && r->token == before.token && r->epoch == was.epoch) ||
                (o && o->action != Action::unpause));
    }
  }

  void check_cooldown(const BreakerState& before, const Event& event, const Reply& reply) {
    const Decision& d = m.decision();
    if (std::holds_alternative<Operate>(event)) return;
    const auto* r = std::get_if<Report>(&event);
    const bool of_the_probe = r && !r->token.empty() && reply.ruling == Ruling::accepted;
    const bool tripped = before.decision.phase == Phase::closed && m.phase() == Phase::open;
    const bool failed = of_the_probe && r->verb == Verb::failure;
    if (tripped || failed) {
      RC_ASSERT(d.cooldown == cooldown(m.config, d.failed_probes));
      RC_ASSERT(d.open_until == m.now + d.cooldown);
    }
    if (failed)
      RC_ASSERT(d.failed_probes == before.decision.failed_probes + 1);
    else if (tripped)
      RC_ASSERT(d.failed_probes == 0 ||
                (m.config.flap_guard > Micros{0} && d.failed_probes == before.decision.failed_probes + 1));
    else
      RC_ASSERT(d.failed_probes <= before.decision.failed_probes);
    const bool throttled = of_the_probe && r->verb == Verb::neutral;
    if (!tripped && !failed && !throttled) RC_ASSERT(d.open_until <= before.decision.open_until);
  }

  void check_report(const BreakerState& before, const Report& r, const Reply& reply) {
    if (reply.ruling == Ruling::late || r.epoch != before.decision.epoch) {
      RC_ASSERT(reply.ruling == Ruling::late);
      RC_ASSERT(reply.changes.empty());
      BreakerState expected = before;
      ++expected.tally.late;
      if (r.pause) {  // a straggler's 429 still pauses
        expected.decision.version = m.decision().version;
        expected.decision.pause = m.decision().pause;
        expected.decision.pause_until = std::max(before.decision.pause_until, m.decision().pause_until);
        expected.decision.pause_reason = m.decision().pause_reason;
      }
      RC_ASSERT(m.state == expected);
      return;
    }
    for (const PhaseChange& change : reply.changes) {
      if (r.verb == Verb::failure) RC_ASSERT(change.to != Phase::closed);
      if (r.verb != Verb::failure) RC_ASSERT(change.from != Phase::closed);
    }
    if (r.verb == Verb::success && before.decision.phase == Phase::closed &&
        reply.ruling == Ruling::accepted) {
      const Window& was = before.window;
      const Window& is = m.state.window;
      RC_ASSERT(is.run == 0);
      RC_ASSERT(is.share_since == SharedTime{} || is.share_since == was.share_since);
      RC_ASSERT(reply.settles_at == SharedTime{});
    }
  }

  std::vector<Held> held_;
  std::uint64_t tokens_ = 0;
  int who_ = 0;
};

RC_GTEST_PROP(Invariants, HoldAtEveryStepOfEveryHistory, ()) {
  Player player(any_config());
  for (const Step& step : *any_history()) player.play(step);
  player.expect_recovery();
}

RC_GTEST_PROP(Invariants, TheSameHistoryGivesTheSameStates, ()) {
  const BreakerConfig config = any_config();
  const auto history = *any_history();
  Player one(config);
  Player other(config);
  for (const Step& step : history) {
    one.play(step);
    other.play(step);
    RC_ASSERT(one.m.state == other.m.state);
  }
}

// Whatever the clock does, nothing is pinned: no wait is longer than the longest thing that can be meant.
RC_GTEST_PROP(Invariants, NoStepOfTheStoresClockPinsAProvider, ()) {
  const BreakerConfig config = any_config();
  Player player(config);
  for (const Step& step : *any_history()) {
    if (step.who == 0 && step.gap > 9) {
      player.m.pass(Micros{1h} * (step.what % 5 - 2));
      const std::int64_t version = player.m.decision().version;
      player.m.evaluate();
      RC_ASSERT(player.m.decision().version >= version);
      const Micros longest = std::max({config.max_cooldown, Micros{10s}, Micros{15s}});
      RC_ASSERT(player.m.peek().retry_after <= longest);
      continue;
    }
    player.play(step);
  }
}

// A worker that carries what it knows heals a store that lost everything, and versions never go back.
RC_GTEST_PROP(Invariants, ALostStoreIsHealedByTheFirstCallerWhoKnowsBetter, ()) {
  Player player(any_config());
  for (const Step& step : *any_history()) player.play(step);
  Machine& m = player.m;
  const Decision known = m.decision();
  m.state = {};
  m.apply(Evaluate{}, known);
  RC_ASSERT(m.decision().version > known.version || known.version == 0);
  RC_ASSERT(m.epoch() == known.epoch);
  RC_ASSERT(m.decision().failed_probes == known.failed_probes);
  if (known.version != 0 && known.phase != Phase::closed) {
    RC_ASSERT(m.phase() == Phase::open);
    RC_ASSERT(m.decision().open_until == (known.phase == Phase::open ? known.open_until : known.lease_end));
  }
}

}  // namespace
}  // namespace geobreaker::testing
