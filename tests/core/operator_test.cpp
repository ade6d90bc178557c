#include "core/machine.hpp"

#include <gtest/gtest.h>

namespace geobreaker::testing {
namespace {

Reply operate(Machine& m, Action action, Micros duration = 1h) { return m.apply(Operate{action, duration}); }

/// What an operator leaves behind when the state was anything at all.
BreakerState clean_slate(const Machine& m) {
  BreakerState s;
  s.decision.epoch = s.decision.version = m.micros();
  s.tally = m.state.tally;
  return s;
}

TEST(Operator, OpenForcesFromAnyPhase) {
  for (Machine m : {Machine{}, open_machine(), probing_machine()}) {
    m.pass(1s);
    const Phase before = m.phase();
    BreakerState expected = clean_slate(m);
    const Reply reply = operate(m, Action::open);
    expected.decision.phase = Phase::open;
    expected.decision.open_until = m.now;
    expected.decision.forced = Forced::open;
    expected.decision.forced_for = 1h;
    expected.decision.forced_until = m.now + 1h;
    EXPECT_EQ(m.state, expected);
    EXPECT_EQ(reply, before == Phase::open
                         ? accepted()
                         : with_change(Ruling::accepted, {before, Phase::open, Cause::operator_act, m.now}));
    EXPECT_EQ(m.acquire(), refused(1h, Refusal::forced_open));
  }
}

TEST(Operator, CloseForcesFromAnyPhase) {
  for (Machine m : {Machine{}, open_machine(), probing_machine()}) {
    m.pass(1s);
    const Phase before = m.phase();
    BreakerState expected = clean_slate(m);
    const Reply reply = operate(m, Action::close);
    expected.decision.forced = Forced::closed;
    expected.decision.forced_for = 1h;
    expected.decision.forced_until = m.now + 1h;
    EXPECT_EQ(m.state, expected);
    EXPECT_EQ(reply, before == Phase::closed ? accepted()
                                             : with_change(Ruling::accepted, {before, Phase::closed,
                                                                              Cause::operator_act, m.now}));
    EXPECT_EQ(m.acquire(), admitted());
  }
}

TEST(Operator, AutomaticGivesAClosedBreakerWithAnEmptyWindowAndNoPause) {
  for (Machine m : {Machine{}, open_machine(), probing_machine()}) {
    m.apply(Pause{{5min, PauseReason::rate}});
    m.pass(1s);
    BreakerState expected = clean_slate(m);
    operate(m, Action::automatic);
    EXPECT_EQ(m.state, expected);
    EXPECT_EQ(m.acquire(), admitted());
  }
}

TEST(Operator, AutomaticAfterForcedOpenMakesAProbeDue) {
  Machine m;
  operate(m, Action::open);
  m.pass(1min);
  EXPECT_EQ(operate(m, Action::automatic), accepted()) << "the phase stays open: nothing to tell";
  EXPECT_EQ(m.phase(), Phase::open);
  EXPECT_EQ(m.acquire(token_a).ruling, Ruling::probe_granted);
  EXPECT_EQ(m.acquire(token_b), refused(10s)) << "one probe, not the crowd";
}

TEST(Operator, AutomaticAfterForcedClosedGivesClosed) {
  Machine m;
  operate(m, Action::close);
  operate(m, Action::automatic);
  EXPECT_EQ(m.decision().forced, Forced::none);
  EXPECT_EQ(m.acquire(), admitted());
}

TEST(Operator, ForcedOpenExpiresIntoADueProbe) {
  Machine m;
  operate(m, Action::open);
  m.pass(1h - 1us);
  EXPECT_EQ(m.acquire(), refused(1us, Refusal::forced_open));
  m.pass(1us);
  EXPECT_EQ(m.acquire(token_a).ruling, Ruling::probe_granted);
}

TEST(Operator, ForcedClosedExpiresIntoAnOrdinaryClosedBreaker) {
  Machine m;
  operate(m, Action::close);
  for (int i = 0; i < 100; ++i) m.fail();
  EXPECT_EQ(m.phase(), Phase::closed) << "outcomes never end a forced state";
  EXPECT_EQ(m.acquire(), admitted());
  m.pass(1h);
  EXPECT_EQ(m.acquire(), admitted());
  m.trip();
  EXPECT_EQ(m.phase(), Phase::open);
}

TEST(Operator, ForcedOpenIsEndedByNoOutcome) {
  Machine m = probing_machine();
  const std::int64_t epoch = m.epoch();
  operate(m, Action::open);
  EXPECT_EQ(m.apply(Report{.epoch = epoch, .token = token_a, .verb = Verb::success}), late());
  EXPECT_EQ(m.end_probe(Verb::success), late()) << "the lease was dropped with the old epoch";
  EXPECT_EQ(m.acquire(), refused(1h, Refusal::forced_open));
}

TEST(Operator, ForcedOpenWinsOverAPauseAndAPauseOverForcedClosed) {
  Machine m;
  m.apply(Pause{{5min, PauseReason::quota}});
  operate(m, Action::open, 1min);
  EXPECT_EQ(m.acquire(), refused(1min, Refusal::forced_open));
  operate(m, Action::close, 1h);
  EXPECT_EQ(m.acquire(), refused(5min, Refusal::paused_quota));
  m.pass(5min);
  EXPECT_EQ(m.acquire(), admitted());
}

TEST(Operator, EveryForcingRaisesTheEpochEvenAtOneInstant) {
  Machine m;
  std::int64_t last = m.epoch();
  for (const Action action :
       {Action::open, Action::open, Action::close, Action::automatic, Action::automatic}) {
    operate(m, action);
    EXPECT_GT(m.epoch(), last);
    last = m.epoch();
  }
}

TEST(Operator, TheDefaultIsADay) { EXPECT_EQ(Operate{}.duration, 24h); }

TEST(Operator, AbsurdDurationsAreBounded) {
  Machine m;
  operate(m, Action::open, Micros::max());
  EXPECT_EQ(m.acquire(), refused(24h * 366, Refusal::forced_open));
  operate(m, Action::close, Micros::min());
  EXPECT_EQ(m.decision().forced_until, m.now);
}

}  // namespace
}  // namespace geobreaker::testing
