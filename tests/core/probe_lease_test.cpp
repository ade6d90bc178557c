#include "core/machine.hpp"

#include <gtest/gtest.h>

namespace geobreaker::testing {
namespace {

TEST(ProbeLease, AskingAgainWithTheSameTokenIsTheSameGrant) {
  Machine m = probing_machine();
  const BreakerState before = m.state;
  m.pass(3s);
  EXPECT_EQ(m.acquire(token_a), (Reply{.ruling = Ruling::probe_granted}));
  EXPECT_EQ(m.state, before) << "the lease is not lengthened, no version is spent";
}

TEST(ProbeLease, AskingAgainAfterItsOwnLeaseEndedRenewsItWithoutBeingATakeOver) {
  Machine m = probing_machine();
  m.pass(11s);
  EXPECT_EQ(m.acquire(token_a).ruling, Ruling::probe_granted);
  EXPECT_EQ(m.decision().lease_end, m.now + 10s);
  EXPECT_EQ(m.state.tally.abandoned, 0);
}

TEST(ProbeLease, AnEmptyTokenNeverTakesTheProbeAndIsToldToAskAtOnce) {
  Machine m = open_machine();
  m.pass_cooldown();
  const BreakerState before = m.state;
  EXPECT_EQ(m.acquire({}), refused(0s));
  EXPECT_EQ(m.state, before);
  EXPECT_EQ(m.acquire(token_a).ruling, Ruling::probe_granted);
  EXPECT_EQ(m.acquire({}), refused(10s));
}

TEST(ProbeLease, HalfATokenIsStillAToken) {
  Machine m = open_machine();
  m.pass_cooldown();
  EXPECT_EQ(m.acquire({0, 7}).ruling, Ruling::probe_granted);
  EXPECT_EQ(m.acquire({7, 0}), refused(10s));
}

// F8, nora #667: the outcome of a slow prober counts until somebody takes over, then never.
TEST(ProbeLease, ASlowProbersSuccessCountsUntilSomebodyTakesOver) {
  Machine m = probing_machine();
  const SharedTime lease_end = m.decision().lease_end;
  m.pass(45s);
  EXPECT_EQ(m.end_probe(Verb::success),
            (Reply{.changes = {{Phase::half_open, Phase::open, Cause::lease_expired, lease_end},
                               {Phase::open, Phase::closed, Cause::probe_succeeded, m.now}}}));
}

TEST(ProbeLease, ASlowProbersFailureCountsUntilSomebodyTakesOver) {
  Machine m = probing_machine();
  m.pass(45s);
  EXPECT_EQ(m.end_probe(Verb::failure).ruling, Ruling::accepted);
  EXPECT_EQ(m.decision().failed_probes, 1);
  EXPECT_EQ(m.decision().open_until, m.now + 60s) << "from the report, not from the lease's end";
}

TEST(ProbeLease, AProberThatWasTakenOverChangesNothingWhateverItReports) {
  for (const Verb verb : {Verb::success, Verb::failure, Verb::neutral}) {
    Machine m = probing_machine();
    m.pass(10s);
    ASSERT_EQ(m.acquire(token_b).ruling, Ruling::probe_granted);
    BreakerState expected = m.state;
    m.pass(1s);
    EXPECT_EQ(m.end_probe(verb, token_a), late());
    expected.tally.late = 1;
    EXPECT_EQ(m.state, expected);
    EXPECT_EQ(m.end_probe(Verb::success, token_b).ruling, Ruling::accepted);
    EXPECT_EQ(m.phase(), Phase::closed);
  }
}

TEST(ProbeLease, ATakenOverProbersSuccessAndFailureAreBothLate) {
  Machine m = probing_machine();
  m.pass(10s);
  m.acquire(token_b);
  m.end_probe(Verb::success, token_a);
  m.end_probe(Verb::failure, token_a);
  EXPECT_EQ(m.state.tally.late, 2);
  EXPECT_EQ(m.phase(), Phase::half_open);
  EXPECT_EQ(m.decision().cooldown, 30s);
}

TEST(ProbeLease, AProbeReportsOnlyOnce) {
  Machine m = probing_machine();
  const std::int64_t epoch = m.epoch();
  m.end_probe(Verb::neutral);
  EXPECT_EQ(m.apply(Report{.epoch = epoch, .token = token_a, .verb = Verb::success}), late());
  EXPECT_EQ(m.phase(), Phase::open);
}

TEST(ProbeLease, AnOrdinaryReportOfTheCurrentEpochDoesNotDecideForTheProbe) {
  for (const Verb verb : {Verb::success, Verb::failure}) {
    Machine m = probing_machine();
    BreakerState expected = m.state;
    EXPECT_EQ(m.apply(Report{.epoch = m.epoch(), .verb = verb}), late());
    expected.tally.late = 1;
    EXPECT_EQ(m.state, expected);
  }
}

TEST(ProbeLease, AFailedProbeReopensWhateverTheWindowHolds) {
  for (const Micros window : {Micros{1s}, Micros{30s}, Micros{60s}}) {
    Machine m = probing_machine({.window = window});
    m.pass(window + 5s);
    EXPECT_EQ(m.end_probe(Verb::failure).changes.back().to, Phase::open);
    EXPECT_EQ(m.decision().cooldown, 60s);
  }
}

TEST(ProbeLease, CooldownDoublesPerFailedProbeUpToTheCap) {
  Machine m = open_machine();
  for (const Micros expected :
       {Micros{60s}, Micros{120s}, Micros{240s}, Micros{480s}, Micros{600s}, Micros{600s}}) {
    m.pass_cooldown();
    m.acquire();
    m.end_probe(Verb::failure);
    EXPECT_EQ(m.decision().cooldown, expected);
    EXPECT_EQ(m.decision().open_until, m.now + expected);
  }
}

TEST(ProbeLease, ASuccessAfterFailedProbesStartsTheNextOutageAtTheBase) {
  Machine m = probing_machine();
  m.end_probe(Verb::failure);
  m.pass_cooldown();
  m.acquire();
  m.end_probe(Verb::success);
  m.trip();
  EXPECT_EQ(m.decision().failed_probes, 0);
  EXPECT_EQ(m.decision().cooldown, 30s);
}

// F11: neutral probes hand the lease on at once, but cannot loop.
TEST(ProbeLease, AfterThreeNeutralProbesInARowAtMostOneProbeASecond) {
  Machine m = open_machine();
  m.pass_cooldown();
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(m.acquire().ruling, Ruling::probe_granted);
    m.end_probe(Verb::neutral);
    EXPECT_EQ(m.peek().verdict, Verdict::may_probe);
  }
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(m.acquire().ruling, Ruling::probe_granted);
    m.end_probe(Verb::neutral);
    EXPECT_EQ(m.acquire(token_b), refused(1s));
    m.pass(1s);
  }
  EXPECT_EQ(m.decision().failed_probes, 0);
  EXPECT_EQ(m.acquire().ruling, Ruling::probe_granted);
  m.end_probe(Verb::failure);
  EXPECT_EQ(m.decision().cooldown, 60s) << "neutral probes leave the growth alone";
  m.pass_cooldown();
  m.acquire();
  m.end_probe(Verb::neutral);
  EXPECT_EQ(m.peek().verdict, Verdict::may_probe) << "a decided probe starts the count anew";
}

TEST(ProbeLease, ItsLengthIsTheConfiguredOne) {
  BreakerConfig config;
  config.probe_lease = 31s;
  EXPECT_EQ(probing_machine(config).decision().lease, 31s);
}

}  // namespace
}  // namespace geobreaker::testing
