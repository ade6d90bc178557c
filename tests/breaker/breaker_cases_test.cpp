// Part A of the case list through the whole shell, on memory and on a store that answers through handlers.
#include "breaker/breaker_fixture.hpp"

namespace geobreaker::testing {
namespace {

class Cases : public ::testing::TestWithParam<FaultyStore::Mode> {
 protected:
  Cases() { w.store.set(GetParam()); }
  World w;
};
INSTANTIATE_TEST_SUITE_P(Stores, Cases,
                         ::testing::Values(FaultyStore::Mode::at_once, FaultyStore::Mode::waiting));

TEST_P(Cases, F1StragglersOpenOnceWithTheBaseCooldown) {
  Recorder seen;
  Breaker breaker = w.make({.observer = &seen});
  std::vector<Permit> in_flight;
  for (int i = 0; i < 20; ++i) in_flight.push_back(permit_of(breaker));
  for (Permit& permit : in_flight) {
    std::move(permit).failure();
    w.clock.advance(50ms);
  }
  const core::BreakerState s = w.state();
  EXPECT_EQ(s.decision.cooldown, 30s);
  EXPECT_EQ(s.decision.failed_probes, 0);
  EXPECT_EQ(s.tally.late, 15);
  EXPECT_EQ(seen.changes.size(), 1U);
  EXPECT_EQ(rejection_of(breaker).retry_after, 30s - 800ms);
}

// The instants of the probes in an outage of 1800 s, for a window of any length.
TEST_P(Cases, F2ProbesComeAt30_90_210_450_930_1530) {
  for (const Micros window : {Micros{1s}, Micros{30s}, Micros{40s}, Micros{60s}}) {
    World own;
    own.config.window = window;
    own.store.set(GetParam());
    Breaker breaker = own.make();
    fail(breaker, 5);
    std::vector<std::int64_t> probes;
    for (int second = 0; second < 1800; ++second) {
      own.clock.advance(1s);
      Admission answer = ask(breaker);
      if (!is_admitted(answer)) continue;
      probes.push_back(second + 1);
      EXPECT_TRUE(std::get<Permit>(answer).is_probe());
      std::get<Permit>(std::move(answer)).failure();
    }
    EXPECT_EQ(probes, (std::vector<std::int64_t>{30, 90, 210, 450, 930, 1530})) << window.count();
  }
}

TEST_P(Cases, F4ALateSuccessLeavesAnOpenBreakerAlone) {
  Breaker breaker = w.make();
  Permit early = permit_of(breaker);
  fail(breaker, 5);
  w.clock.advance(1s);
  core::BreakerState expected = w.state();
  std::move(early).success();
  ++expected.tally.late;
  EXPECT_EQ(w.state(), expected);
}

TEST_P(Cases, F5FiveFailuresAtOneFrozenInstantOpen) {
  Breaker breaker = w.make();
  fail(breaker, 4);
  EXPECT_EQ(w.phase(), Phase::closed);
  fail(breaker);
  EXPECT_EQ(w.phase(), Phase::open);
}

TEST_P(Cases, F8ASlowProbeIsTakenOverByExactlyOneAndItsResultIsIgnored) {
  Breaker one = w.make();
  Breaker other = w.make();
  fail(one, 5);
  w.clock.advance(30s);
  Permit slow = permit_of(one);
  for (int second = 1; second < 10; ++second) {
    w.clock.advance(1s);
    EXPECT_EQ(rejection_of(other).retry_after, Micros{10s} - Micros{1s} * second);
  }
  w.clock.advance(1s);
  Permit second = permit_of(other);
  EXPECT_TRUE(second.is_probe());
  EXPECT_FALSE(is_admitted(ask(one))) << "at no time does more than one token count";
  std::move(slow).success();
  EXPECT_EQ(w.phase(), Phase::half_open);
  std::move(second).failure();
  EXPECT_EQ(w.phase(), Phase::open);
  EXPECT_EQ(w.state().decision.cooldown, 60s);
  EXPECT_EQ(w.state().tally.late, 1);
  EXPECT_EQ(w.state().tally.abandoned, 1);
}

TEST_P(Cases, F11AProbeThatEndsNeutralHandsTheLeaseOnAtOnce) {
  Breaker breaker = w.make();
  fail(breaker, 5);
  w.clock.advance(30s);
  permit_of(breaker).neutral();
  Permit next = permit_of(breaker);
  EXPECT_TRUE(next.is_probe());
  std::move(next).success();
  EXPECT_EQ(w.phase(), Phase::closed);
}

TEST_P(Cases, F15AThousandPeeksLeaveTheLeaseFree) {
  Breaker breaker = w.make();
  fail(breaker, 5);
  w.clock.advance(30s);
  const core::BreakerState before = w.state();
  const int asked = w.store.applies() + w.store.reads();
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(breaker.peek().verdict, Verdict::may_probe);
  EXPECT_EQ(w.state(), before);
  EXPECT_EQ(w.store.applies() + w.store.reads(), asked) << "peek asks nobody";
  EXPECT_TRUE(permit_of(breaker).is_probe());
}

TEST_P(Cases, F15APermitThatALaterLayerDropsGivesTheLeaseBack) {
  Breaker breaker = w.make();
  fail(breaker, 5);
  w.clock.advance(30s);
  { const Permit dropped = permit_of(breaker); }
  EXPECT_EQ(w.phase(), Phase::open);
  EXPECT_TRUE(permit_of(breaker).is_probe());
  EXPECT_EQ(breaker.counts().unreported, 2U);
}

TEST_P(Cases, TheFirstToAskGetsTheProbeEvenIfItsProcessHasNotHeardOfTheTrip) {
  Breaker one = w.make();
  Breaker other = w.make();
  succeed(other);
  fail(one, 5);
  w.clock.advance(30s);
  EXPECT_EQ(other.known().phase, Phase::closed);
  EXPECT_TRUE(permit_of(other).is_probe());
}

TEST_P(Cases, SixtyFourCallersAtAnElapsedCooldownGetOneProbe) {
  Breaker breaker = w.make();
  fail(breaker, 5);
  w.clock.advance(30s);
  std::vector<Permit> probes;
  int refusals = 0;
  for (int i = 0; i < 64; ++i) {
    Admission answer = ask(breaker);
    if (is_admitted(answer))
      probes.push_back(std::get<Permit>(std::move(answer)));
    else
      ++refusals;
  }
  EXPECT_EQ(probes.size(), 1U);
  EXPECT_EQ(refusals, 63);
}

TEST_P(Cases, AStepOfTheWallClockNeitherEndsNorPinsTheCooldown) {
  for (const Micros step : {Micros{1h}, Micros{-1h}}) {
    World own;
    own.store.set(GetParam());
    Breaker breaker = own.make();
    fail(breaker, 5);
    own.clock.advance(10s);
    own.clock.jump(step);
    EXPECT_EQ(rejection_of(breaker).retry_after, 20s);
    EXPECT_EQ(breaker.peek().retry_after, 20s);
    own.clock.advance(20s);
    EXPECT_TRUE(permit_of(breaker).is_probe());
  }
}

TEST_P(Cases, OperatorsAreObeyedByEveryProcessAtItsNextQuestion) {
  Breaker breaker = w.make();
  succeed(breaker);
  w.operate(core::Action::open);
  EXPECT_EQ(rejection_of(breaker).reason, Refusal::forced_open);
  w.operate(core::Action::close);
  fail(breaker, 50);
  EXPECT_TRUE(is_admitted(ask(breaker)));
  w.operate(core::Action::automatic);
  EXPECT_TRUE(is_admitted(ask(breaker)));
}

TEST_P(Cases, AReporterNeedsDistinctHosts) {
  w.config.min_reporters = 2;
  Breaker sick = w.make({.reporter = "sick"});
  Breaker well = w.make({.reporter = "well"});
  fail(sick, 30);
  EXPECT_EQ(w.phase(), Phase::closed);
  fail(well);
  EXPECT_EQ(w.phase(), Phase::open);
}

TEST_P(Cases, ProvidersDoNotShareAnything) {
  Breaker breaker = w.make();
  auto other = Breaker::create("photon", w.config, w.store, w.clock, w.random);
  ASSERT_TRUE(other);
  fail(breaker, 5);
  EXPECT_TRUE(is_admitted(ask(*other)));
  EXPECT_FALSE(is_admitted(ask(breaker)));
}

TEST_P(Cases, EveryCallIsCountedOnce) {
  Breaker breaker = w.make();
  succeed(breaker, 7);
  permit_of(breaker).neutral();
  fail(breaker, 3);
  w.operate(core::Action::open);
  rejection_of(breaker);
  const BreakerCounts c = breaker.counts();
  EXPECT_EQ(c.admitted, 11U);
  EXPECT_EQ(c.rejected, 1U);
  EXPECT_EQ(c.successes, 7U);
  EXPECT_EQ(c.neutrals, 1U);
  EXPECT_EQ(c.failures, 3U);
  EXPECT_EQ(c.degraded, 0U);
  EXPECT_EQ(c.store_errors, 0U);
}

}  // namespace
}  // namespace geobreaker::testing
