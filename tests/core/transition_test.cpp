// One test per arrow of the state diagram; each compares the whole reply and the whole state.
#include "core/machine.hpp"

#include <gtest/gtest.h>

namespace geobreaker::testing {
namespace {

TEST(Arrow, ClosedAdmitsAndLeavesNoTrace) {
  Machine m;
  EXPECT_EQ(m.acquire(), admitted());
  EXPECT_EQ(m.state, BreakerState{});
}

TEST(Arrow, ClosedCountsASuccessWithoutWritingTheDecision) {
  Machine m;
  EXPECT_EQ(m.succeed(), accepted());
  BreakerState expected;
  expected.window.bucket_width = 1s;
  expected.window.buckets = {{m.micros() / 1'000'000, 1, 0, {}}};
  EXPECT_EQ(m.state, expected);
}

TEST(Arrow, ClosedCountsAFailureAndAnnouncesThatTheWindowHoldsOne) {
  Machine m;
  EXPECT_EQ(m.fail("a"), accepted());
  BreakerState expected;
  expected.decision.version = m.micros();
  expected.decision.failures_until = m.now + 60s;
  expected.window.bucket_width = 1s;
  expected.window.buckets = {{m.micros() / 1'000'000, 1, 1, {}}};
  expected.window.run = 1;
  expected.window.run_first = expected.window.run_last = m.now;
  expected.window.reporters = {{"a", m.now}};
  EXPECT_EQ(m.state, expected);
}

TEST(Arrow, ClosedIgnoresANeutralOutcome) {
  Machine m;
  m.fail();
  const BreakerState before = m.state;
  EXPECT_EQ(m.neutral(), accepted());
  EXPECT_EQ(m.state, before);
}

TEST(Arrow, ClosedOpensWhenTheShareIsReached) {
  Machine m;
  for (int i = 0; i < 4; ++i) EXPECT_EQ(m.fail(), accepted());
  BreakerState expected = m.state;
  m.pass(1s);
  EXPECT_EQ(m.fail(), with_change(Ruling::accepted, {Phase::closed, Phase::open, Cause::share, m.now}));
  expected.decision.phase = Phase::open;
  expected.decision.open_until = m.now + 30s;
  expected.decision.cooldown = 30s;
  expected.decision.epoch = expected.decision.version = m.micros();
  expected.window.buckets.push_back({m.micros() / 1'000'000, 1, 1, {}});
  expected.window.run = 0;
  expected.window.run_first = expected.window.run_last = SharedTime{};
  expected.window.reporters = {{"host", m.now}};
  EXPECT_EQ(m.state, expected);
}

TEST(Arrow, ClosedOpensOnARunWhereTheShareIsFarAway) {
  Machine m;
  m.apply(Report{.successes_before = 10'000, .reporter = "host"});
  for (int i = 0; i < 9; ++i) EXPECT_EQ(m.fail(), accepted());
  EXPECT_EQ(m.fail(), with_change(Ruling::accepted, {Phase::closed, Phase::open, Cause::run, m.now}));
  EXPECT_EQ(m.decision().open_until, m.now + 30s);
}

TEST(Arrow, OpenRefusesWithTheTimeThatIsLeftAndChangesNothing) {
  Machine m = open_machine();
  const BreakerState before = m.state;
  EXPECT_EQ(m.acquire(), refused(30s));
  m.pass(30s - 1us);
  EXPECT_EQ(m.acquire(), refused(1us));
  EXPECT_EQ(m.state, before);
}

TEST(Arrow, OpenGrantsOneProbeTheInstantTheCooldownIsOver) {
  Machine m = open_machine();
  BreakerState expected = m.state;
  m.pass(30s);
  EXPECT_EQ(m.acquire(token_a),
            with_change(Ruling::probe_granted, {Phase::open, Phase::half_open, Cause::probe_granted, m.now}));
  expected.decision.phase = Phase::half_open;
  expected.decision.lease = 10s;
  expected.decision.lease_end = m.now + 10s;
  expected.decision.version = m.micros();
  expected.token = token_a;
  EXPECT_EQ(m.state, expected) << "a grant raises the version, not the epoch";
}

TEST(Arrow, HalfOpenRefusesEverybodyElseUntilTheLeaseEnds) {
  Machine m = probing_machine();
  const BreakerState before = m.state;
  EXPECT_EQ(m.acquire(token_b), refused(10s));
  m.pass(10s - 1us);
  EXPECT_EQ(m.acquire(token_b), refused(1us));
  EXPECT_EQ(m.state, before);
}

TEST(Arrow, HalfOpenClosesOnTheProbesSuccessAndForgetsTheOutage) {
  Machine m = probing_machine();
  m.pass(1s);
  EXPECT_EQ(m.end_probe(Verb::success),
            with_change(Ruling::accepted, {Phase::half_open, Phase::closed, Cause::probe_succeeded, m.now}));
  BreakerState expected;
  expected.decision.epoch = expected.decision.version = m.micros();
  expected.closed_at = m.now;
  EXPECT_EQ(m.state, expected);
}

TEST(Arrow, HalfOpenReopensOnTheProbesFailureWithTwiceTheCooldown) {
  Machine m = probing_machine();
  BreakerState expected = m.state;
  m.pass(1s);
  EXPECT_EQ(m.end_probe(Verb::failure),
            with_change(Ruling::accepted, {Phase::half_open, Phase::open, Cause::probe_failed, m.now}));
  expected.decision.phase = Phase::open;
  expected.decision.failed_probes = 1;
  expected.decision.cooldown = 60s;
  expected.decision.open_until = m.now + 60s;
  expected.decision.epoch = expected.decision.version = m.micros();
  expected.decision.lease_end = {};
  expected.decision.lease = {};
  expected.token = {};
  EXPECT_EQ(m.state, expected);
}

TEST(Arrow, HalfOpenGivesTheLeaseBackOnANeutralProbeAndTheNextCallerMayProbeAtOnce) {
  Machine m = probing_machine();
  BreakerState expected = m.state;
  m.pass(1s);
  EXPECT_EQ(m.end_probe(Verb::neutral),
            with_change(Ruling::accepted, {Phase::half_open, Phase::open, Cause::probe_neutral, m.now}));
  expected.decision.phase = Phase::open;
  expected.decision.version = m.micros();
  expected.decision.lease_end = {};
  expected.decision.lease = {};
  expected.token = {};
  expected.neutral_probes = 1;
  EXPECT_EQ(m.state, expected) << "failed_probes, epoch and cool-down stay";
  EXPECT_EQ(m.acquire(token_b).ruling, Ruling::probe_granted);
}

TEST(Arrow, HalfOpenFallsBackToOpenWhenTheLeaseEndsAndTheNextCallerTakesTheProbeOver) {
  Machine m = probing_machine();
  BreakerState expected = m.state;
  const SharedTime lease_end = m.decision().lease_end;
  m.pass(12s);
  const Reply reply = m.acquire(token_b);
  EXPECT_EQ(reply, (Reply{.ruling = Ruling::probe_granted,
                          .changes = {{Phase::half_open, Phase::open, Cause::lease_expired, lease_end},
                                      {Phase::open, Phase::half_open, Cause::probe_granted, m.now}}}));
  expected.decision.version = m.micros();
  expected.decision.lease_end = m.now + 10s;
  expected.token = token_b;
  expected.tally.abandoned = 1;
  EXPECT_EQ(m.state, expected) << "neither epoch nor failed_probes move";
}

TEST(Arrow, AFullOutageAndRecoveryIsAnUnbrokenChainOfPhases) {
  Machine m;
  std::vector<PhaseChange> seen;
  const auto keep = [&](const Reply& r) { seen.insert(seen.end(), r.changes.begin(), r.changes.end()); };
  for (int i = 0; i < 5; ++i) keep(m.fail());
  for (const Verb verb : {Verb::failure, Verb::neutral, Verb::failure, Verb::success}) {
    m.pass_cooldown();
    keep(m.acquire());
    m.pass(1s);
    keep(m.end_probe(verb));
  }
  Phase at = Phase::closed;
  for (const PhaseChange& change : seen) {
    EXPECT_EQ(change.from, at);
    at = change.to;
  }
  EXPECT_EQ(seen.size(), 9U);
  EXPECT_EQ(at, Phase::closed);
}

TEST(Words, EveryPhaseAndCauseHasItsOwnStoredNumberAndWord) {
  EXPECT_EQ(static_cast<int>(Phase::closed), 0);
  EXPECT_EQ(static_cast<int>(Phase::open), 1);
  EXPECT_EQ(static_cast<int>(Phase::half_open), 2);
  EXPECT_EQ(to_string(Phase::half_open), "half-open");
  const std::vector<std::string> words{"share",        "run",           "probe-granted", "probe-succeeded",
                                       "probe-failed", "probe-neutral", "lease-expired", "operator",
                                       "restored",     "noticed"};
  for (std::size_t i = 0; i < words.size(); ++i) EXPECT_EQ(to_string(static_cast<Cause>(i)), words[i]);
}

}  // namespace
}  // namespace geobreaker::testing
