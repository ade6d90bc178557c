// A store that came back empty, or with an older state: the caller's carried decision is written anew first.
#include "core/machine.hpp"

#include <gtest/gtest.h>

namespace geobreaker::testing {
namespace {

Decision open_decision(Micros left) {
  Decision d;
  d.version = start.time_since_epoch().count() - 5;
  d.epoch = d.version - 100;
  d.phase = Phase::open;
  d.cooldown = 240s;
  d.open_until = start + left;
  d.failed_probes = 3;
  d.failures_until = start + 30s;
  return d;
}

TEST(Restore, AnEmptyStoreTakesTheCarriedDecisionWithItsEpoch) {
  Machine m;
  const Decision carried = open_decision(100s);
  const Reply reply = m.apply(Acquire{token_a}, carried);
  EXPECT_EQ(reply, (Reply{.ruling = Ruling::refused,
                          .retry_after = 100s,
                          .changes = {{Phase::closed, Phase::open, Cause::restored, start}}}));
  BreakerState expected;
  expected.decision = carried;
  expected.decision.version = m.micros();
  expected.decision.failures_until = {};
  expected.decision.restored = true;
  expected.tally.restored = 1;
  EXPECT_EQ(m.state, expected);
}

TEST(Restore, AnOlderStateIsOverwrittenInANewEpoch) {
  Machine m;
  m.fail();
  m.state.decision.version = 7;
  m.state.decision.epoch = 5;
  m.state.token = token_b;
  m.state.tally.late = 4;
  Decision carried = open_decision(100s);
  m.apply(Acquire{token_a}, carried);
  EXPECT_EQ(m.epoch(), m.micros());
  EXPECT_EQ(m.decision().version, m.micros());
  EXPECT_EQ(m.state.token, LeaseToken{});
  EXPECT_EQ(m.state.window, Window{});
  EXPECT_EQ(m.state.tally, (Tally{.late = 4, .restored = 1}));
}

TEST(Restore, VersionAndEpochGrowEvenWhereTheStoresClockIsBehind) {
  Machine m;
  m.state.decision.version = 7;
  Decision carried = open_decision(100s);
  carried.version = m.micros() + 1'000'000;
  carried.epoch = m.micros() + 500'000;
  m.apply(Evaluate{}, carried);
  EXPECT_EQ(m.decision().version, carried.version + 1);
  EXPECT_EQ(m.epoch(), carried.epoch + 1);
}

TEST(Restore, WhatTheStoreKnowsAsWellOrBetterIsLeftAlone) {
  Machine m = open_machine();
  const BreakerState before = m.state;
  Decision carried = m.decision();
  carried.phase = Phase::closed;
  m.apply(Evaluate{}, carried);
  EXPECT_EQ(m.state, before);
  --carried.version;
  m.apply(Evaluate{}, carried);
  EXPECT_EQ(m.state, before);
}

TEST(Restore, ACarriedClosedIsRestoredAsClosed) {
  Machine m;
  Decision carried;
  carried.version = 9;
  carried.epoch = 4;
  EXPECT_EQ(m.apply(Acquire{token_a}, carried), admitted());
  EXPECT_TRUE(m.decision().restored);
  EXPECT_EQ(m.epoch(), 4) << "permits of that epoch are still good";
  EXPECT_EQ(m.fail().ruling, Ruling::accepted);
}

TEST(Restore, AProbeInFlightIsLostAndNobodyProbesUntilItsLeaseWouldHaveEnded) {
  Machine m;
  Decision carried = open_decision(-5s);
  carried.phase = Phase::half_open;
  carried.lease = 10s;
  carried.lease_end = start + 4s;
  EXPECT_EQ(m.apply(Acquire{token_b}, carried).retry_after, 4s);
  EXPECT_EQ(m.phase(), Phase::open);
  EXPECT_EQ(m.decision().lease_end, SharedTime{});
  EXPECT_EQ(m.apply(Report{.epoch = carried.epoch, .token = token_a, .verb = Verb::success}), late());
  m.pass(4s);
  EXPECT_EQ(m.acquire(token_b).ruling, Ruling::probe_granted);
  EXPECT_EQ(m.end_probe(Verb::failure, token_b).ruling, Ruling::accepted);
  EXPECT_EQ(m.decision().cooldown, 480s) << "the growth goes on: 30 s x 2^4";
}

TEST(Restore, PausesAndForcedStatesComeBackToo) {
  Machine m;
  Decision carried;
  carried.version = 9;
  carried.pause_reason = PauseReason::quota;
  carried.pause = 1h;
  carried.pause_until = start + 20min;
  EXPECT_EQ(m.apply(Acquire{token_a}, carried), refused(20min, Refusal::paused_quota));
}

TEST(Restore, TheEventIsLookedAtAfterwards) {
  Machine m;
  const Decision carried = open_decision(0s);
  const Reply reply = m.apply(Acquire{token_a}, carried);
  EXPECT_EQ(reply, (Reply{.ruling = Ruling::probe_granted,
                          .changes = {{Phase::closed, Phase::open, Cause::restored, start},
                                      {Phase::open, Phase::half_open, Cause::probe_granted, start}}}));
}

TEST(Restore, AFreshDecisionLosesTheMark) {
  Machine m;
  m.apply(Acquire{token_a}, open_decision(0s));
  EXPECT_TRUE(m.decision().restored);
  m.end_probe(Verb::failure);
  EXPECT_FALSE(m.decision().restored);
  Machine closed;
  closed.apply(Acquire{token_a}, open_decision(0s));
  closed.end_probe(Verb::success);
  EXPECT_FALSE(closed.decision().restored);
  Machine forced;
  forced.apply(Evaluate{}, open_decision(0s));
  forced.apply(Operate{.action = Action::automatic});
  EXPECT_FALSE(forced.decision().restored);
}

TEST(Restore, AnAbsurdCarriedDeadlineIsPulledIn) {
  Machine m;
  Decision carried = open_decision(100h);
  m.apply(Evaluate{}, carried);
  EXPECT_EQ(m.decision().open_until, m.now + 240s) << "no farther than its own cool-down";
  Machine huge;
  carried.cooldown = 24h * 10'000;
  carried.open_until = start + 24h * 9'000;
  huge.apply(Evaluate{}, carried);
  EXPECT_EQ(huge.decision().open_until, huge.now + 24h * 366);
}

}  // namespace
}  // namespace geobreaker::testing
