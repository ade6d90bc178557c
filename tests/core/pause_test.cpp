#include "core/machine.hpp"

#include <gtest/gtest.h>

namespace geobreaker::testing {
namespace {

Reply pause(Machine& m, Micros duration, PauseReason reason = PauseReason::rate) {
  return m.apply(Pause{{duration, reason}});
}

TEST(Pause, RefusesWithItsReasonAndEndsWithoutAProbe) {
  Machine m;
  BreakerState expected;
  EXPECT_EQ(pause(m, 90s), accepted());
  expected.decision.version = m.micros();
  expected.decision.pause_until = m.now + 90s;
  expected.decision.pause = 90s;
  expected.decision.pause_reason = PauseReason::rate;
  EXPECT_EQ(m.state, expected) << "the epoch stays: permits that are out still count";
  EXPECT_EQ(m.acquire(), refused(90s, Refusal::paused_rate));
  m.pass(90s - 1us);
  EXPECT_EQ(m.acquire(), refused(1us, Refusal::paused_rate));
  m.pass(1us);
  EXPECT_EQ(m.acquire(), admitted());
}

TEST(Pause, OfAQuotaSaysSo) {
  Machine m;
  pause(m, 5h, PauseReason::quota);
  EXPECT_EQ(m.acquire(), refused(5h, Refusal::paused_quota));
}

TEST(Pause, IsOnlyEverExtended) {
  Machine m;
  pause(m, 90s);
  const BreakerState before = m.state;
  pause(m, 60s);
  pause(m, 90s);
  EXPECT_EQ(m.state, before);
  m.pass(60s);
  pause(m, 60s, PauseReason::quota);
  EXPECT_EQ(m.acquire(), refused(60s, Refusal::paused_quota));
}

TEST(Pause, PastDatesAndNoReasonAreIgnored) {
  Machine m;
  pause(m, 0s);
  pause(m, -5s);
  pause(m, 5s, PauseReason::none);
  EXPECT_EQ(m.state, BreakerState{});
}

TEST(Pause, IsCappedPerReason) {
  Machine m;
  pause(m, Micros::max());
  EXPECT_EQ(m.acquire(), refused(1h, Refusal::paused_rate));
  pause(m, Micros::max(), PauseReason::quota);
  EXPECT_EQ(m.acquire(), refused(24h * 32, Refusal::paused_quota));
}

TEST(Pause, OfAStragglerStillCounts) {
  Machine m = open_machine();
  const Report straggler{.epoch = 0, .verb = Verb::neutral, .pause = PauseRequest{5min, PauseReason::rate}};
  EXPECT_EQ(m.apply(straggler), late());
  EXPECT_EQ(m.acquire(), refused(5min, Refusal::paused_rate));
  EXPECT_EQ(m.phase(), Phase::open);
}

TEST(Pause, ByAnOrdinaryCallIsNeutralForTheWindow) {
  Machine m;
  const Report throttled{.verb = Verb::neutral, .pause = PauseRequest{5s, PauseReason::rate}};
  for (int i = 0; i < 100; ++i) m.apply(throttled);
  EXPECT_EQ(m.phase(), Phase::closed);
  EXPECT_TRUE(m.state.window.buckets.empty());
}

TEST(Pause, ByTheProbeReleasesTheLeaseAndTheNextProbeWaitsForItsEnd) {
  Machine m = probing_machine();
  const Report throttled{.epoch = m.epoch(),
                         .token = token_a,
                         .verb = Verb::neutral,
                         .pause = PauseRequest{5s, PauseReason::rate}};
  EXPECT_EQ(m.apply(throttled).changes.back().cause, Cause::probe_neutral);
  EXPECT_EQ(m.acquire(token_b), refused(5s, Refusal::paused_rate));
  m.pass(5s);
  EXPECT_EQ(m.acquire(token_b).ruling, Ruling::probe_granted);
}

TEST(Pause, HoldsTheProbeBackAndDoesNotAnswerForItsHolder) {
  Machine m = probing_machine();
  pause(m, 5s);
  EXPECT_EQ(m.acquire(token_a), refused(5s, Refusal::paused_rate));
  EXPECT_EQ(m.end_probe(Verb::success).ruling, Ruling::accepted) << "its call was begun, and counts";
  EXPECT_EQ(m.phase(), Phase::closed);
  EXPECT_EQ(m.acquire(token_a), refused(5s, Refusal::paused_rate)) << "a close does not end a pause";
}

TEST(Pause, DoesNotKeepABreakerFromTripping) {
  Machine m;
  pause(m, 5s);
  m.trip();
  EXPECT_EQ(m.phase(), Phase::open);
  EXPECT_EQ(m.acquire(), refused(5s, Refusal::paused_rate));
  m.pass(5s);
  EXPECT_EQ(m.acquire(), refused(25s));
}

TEST(Pause, AnOperatorMayEndItWithoutTouchingAnythingElse) {
  Machine m;
  m.fail();
  BreakerState expected = m.state;
  pause(m, 1h);
  m.pass(1s);
  EXPECT_EQ(m.apply(Operate{.action = Action::unpause}), accepted());
  expected.decision.version = m.micros();
  EXPECT_EQ(m.state, expected);
  EXPECT_EQ(m.acquire(), admitted());
}

}  // namespace
}  // namespace geobreaker::testing
