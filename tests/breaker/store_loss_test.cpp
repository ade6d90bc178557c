// The store goes away, comes back, or comes back without its memory (design, section 5; cases F9 and F14).
#include "breaker/breaker_fixture.hpp"

namespace geobreaker::testing {
namespace {

using Mode = FaultyStore::Mode;

struct StoreLoss : ::testing::Test {
  StoreLoss() { w.store.set(Mode::waiting); }
  World w;
  Recorder seen;
};

TEST_F(StoreLoss, FailsOpenAndSaysSo) {
  Breaker breaker = w.make({.observer = &seen});
  for (const Mode mode : {Mode::down, Mode::lost_requests, Mode::lost_replies}) {
    w.store.set(mode);
    Permit permit = permit_of(breaker);
    EXPECT_TRUE(permit.is_degraded());
    std::move(permit).success();
  }
  EXPECT_EQ(breaker.counts().degraded, 3U);
  EXPECT_EQ(breaker.counts().store_errors, 3U);
  EXPECT_EQ(seen.lost, 1) << "told once, not per call";
  w.store.set(Mode::waiting);
  EXPECT_FALSE(permit_of(breaker).is_degraded());
  EXPECT_EQ(seen.back, 1);
}

TEST_F(StoreLoss, OutcomesOfTheLocalBreakerNeverReachTheStore) {
  Breaker breaker = w.make();
  w.store.set(Mode::down);
  fail(breaker, 5);
  EXPECT_FALSE(is_admitted(ask(breaker))) << "it trips by itself";
  EXPECT_EQ(w.state(), core::BreakerState{});
}

TEST_F(StoreLoss, AReportThatTheStoreCannotTakeCountsLocally) {
  Breaker breaker = w.make();
  std::vector<Permit> in_flight;
  for (int i = 0; i < 5; ++i) in_flight.push_back(permit_of(breaker));
  w.store.set(Mode::down);
  for (Permit& permit : in_flight) std::move(permit).failure();
  EXPECT_FALSE(is_admitted(ask(breaker)));
  EXPECT_EQ(breaker.peek().verdict, Verdict::refuse);
}

TEST_F(StoreLoss, AStoreThatRefusesWritesLeavesTheDecisionsToThisProcess) {
  Breaker breaker = w.make({.observer = &seen});
  w.store.set(Mode::read_only);
  int calls = 0;
  for (int i = 0; i < 100; ++i) {
    auto admission = ask(breaker);
    if (!is_admitted(admission)) continue;
    ++calls;
    std::get<Permit>(std::move(admission)).failure();
  }
  EXPECT_EQ(calls, 5) << "as many as with a store in memory";
  EXPECT_EQ(seen.lost, 1) << "told once, though reads succeed in between";
  EXPECT_EQ(seen.back, 0);
  EXPECT_EQ(breaker.counts().trips_seen, 1U);
  w.clock.advance(30s);
  Permit probe = permit_of(breaker);
  EXPECT_TRUE(probe.is_probe());
  EXPECT_FALSE(is_admitted(ask(breaker))) << "one probe at a time";
  std::move(probe).failure();
  EXPECT_EQ(rejection_of(breaker).retry_after, 60s) << "its cool-down grows like any other";
  EXPECT_LE(w.store.applies(), 5) << "the store is tried once a second at most";
}

TEST_F(StoreLoss, ReadsThatSucceedWhileWritesAreRefusedAreNoNews) {
  Breaker breaker = w.make({.observer = &seen});
  std::vector<Permit> in_flight;
  for (int i = 0; i < 6; ++i) in_flight.push_back(permit_of(breaker));
  w.store.set(Mode::read_only);
  for (int i = 0; i < 5; ++i) std::move(in_flight[static_cast<std::size_t>(i)]).failure();
  for (int i = 0; i < 10; ++i) breaker.check_current(in_flight.back(), [](bool) {});
  EXPECT_EQ(breaker.counts().trips_seen, 1U);
  EXPECT_FALSE(is_admitted(ask(breaker)));
}

TEST_F(StoreLoss, AStoreThatTakesWritesAgainIsNoticedWithinASecond) {
  Breaker breaker = w.make({.observer = &seen});
  w.store.set(Mode::read_only);
  permit_of(breaker).failure();
  EXPECT_TRUE(permit_of(breaker).is_degraded());
  w.store.set(Mode::waiting);
  w.clock.advance(1s);
  ask(breaker);
  EXPECT_EQ(seen.back, 1);
  EXPECT_FALSE(permit_of(breaker).is_degraded());
}

TEST_F(StoreLoss, AStoreThatComesAndGoesDoesNotMakeThisProcessForgetItsFailures) {
  Breaker breaker = w.make();
  int calls = 0;
  for (int i = 0; i < 40; ++i) {
    w.store.set(Mode::waiting);
    auto admission = ask(breaker);  // answered
    if (!is_admitted(admission)) continue;
    ++calls;
    w.store.set(Mode::lost_requests);
    std::get<Permit>(std::move(admission)).failure();  // lost
  }
  EXPECT_EQ(calls, 5);
}

TEST_F(StoreLoss, TheLocalBreakerInheritsPhaseDeadlineAndFailedProbes) {
  Breaker breaker = w.make();
  fail(breaker, 5);
  w.clock.advance(30s);
  permit_of(breaker).failure();
  w.clock.advance(15s);
  w.store.set(Mode::down);
  EXPECT_EQ(rejection_of(breaker).retry_after, 45s) << "the known deadline is honoured until it elapses";
  EXPECT_EQ(breaker.peek().retry_after, 45s);
  w.clock.advance(45s);
  Permit probe = permit_of(breaker);
  EXPECT_TRUE(probe.is_probe());
  EXPECT_TRUE(probe.is_degraded());
  EXPECT_FALSE(is_admitted(ask(breaker))) << "one call of this process tests recovery, not all of them";
  std::move(probe).failure();
  EXPECT_EQ(rejection_of(breaker).retry_after, 120s) << "the growth goes on: 30 s x 2^2";
}

TEST_F(StoreLoss, AKnownPauseAndAForcedStateAreHonouredToo) {
  Breaker paused = w.make();
  permit_of(paused).pause({90s, core::PauseReason::rate});
  w.store.set(Mode::down);
  EXPECT_EQ(rejection_of(paused).reason, Refusal::paused_rate);
  w.store.set(Mode::waiting);
  w.operate(core::Action::open);
  rejection_of(paused);
  w.store.set(Mode::down);
  EXPECT_EQ(rejection_of(paused).reason, Refusal::forced_open);
}

TEST_F(StoreLoss, WhenTheStoreIsBackTheStricterOfBothHoldsUntilItsCooldownEnds) {
  Breaker breaker = w.make();
  Breaker other = w.make();
  w.store.set(Mode::down);
  fail(breaker, 5);
  w.clock.advance(10s);
  w.store.set(Mode::waiting);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(rejection_of(breaker).retry_after, 20s) << "no burst";
  EXPECT_EQ(breaker.peek().retry_after, 20s);
  EXPECT_TRUE(is_admitted(ask(other))) << "the fleet's own state is untouched";
  w.clock.advance(20s);
  EXPECT_TRUE(is_admitted(ask(breaker)));
}

TEST_F(StoreLoss, TheFleetsLongerDeadlineHoldsOverALocalOne) {
  Breaker breaker = w.make();
  Breaker other = w.make();
  succeed(breaker);
  w.store.set(Mode::down);
  fail(breaker, 5);
  w.clock.advance(10s);
  w.store.set(Mode::waiting);
  fail(other, 5);
  EXPECT_EQ(rejection_of(breaker).retry_after, 30s);
}

TEST_F(StoreLoss, TheHeldDeadlineAlsoRulesOnTheWayThatNeedsNoWaiting) {
  Breaker breaker = w.make();
  w.store.set(Mode::down);
  fail(breaker, 5);
  w.store.set(Mode::at_once);
  EXPECT_EQ(rejection_of(breaker).retry_after, 30s);
  w.clock.advance(30s);
  EXPECT_TRUE(is_admitted(ask(breaker)));
}

TEST_F(StoreLoss, AHeldProcessTakesNoProbeAwayFromTheFleet) {
  for (const Mode mode : {Mode::waiting, Mode::at_once}) {
    World own;
    own.store.set(Mode::waiting);
    Breaker breaker = own.make();
    Breaker other = own.make();
    fail(other, 5);
    own.clock.advance(29s);
    own.store.set(Mode::down);
    fail(breaker, 5);
    own.store.set(mode);
    own.clock.advance(1s);
    const core::BreakerState before = own.state();
    EXPECT_EQ(rejection_of(breaker).retry_after, 29s);
    EXPECT_EQ(own.state(), before) << "not even for a moment";
    EXPECT_TRUE(permit_of(other).is_probe());
  }
}

TEST_F(StoreLoss, AFreshCloseOfTheFleetEndsAHeldDeadline) {
  Breaker breaker = w.make();
  w.store.set(Mode::down);
  fail(breaker, 5);
  w.store.set(Mode::waiting);
  rejection_of(breaker);
  w.operate(core::Action::automatic);
  EXPECT_TRUE(is_admitted(ask(breaker)));
}

TEST_F(StoreLoss, ACloseOfTheFleetWhileAwayEndsWhatWasOnlyInherited) {
  Breaker breaker = w.make();
  Breaker other = w.make();
  fail(breaker, 5);
  w.store.set(Mode::down);
  rejection_of(breaker);
  w.store.set(Mode::waiting);
  w.operate(core::Action::automatic);
  EXPECT_TRUE(is_admitted(ask(other)));
  EXPECT_TRUE(is_admitted(ask(breaker))) << "it came to no cool-down of its own";
}

TEST_F(StoreLoss, WithoutTheLocalBreakerKnownDeadlinesAreHonouredAndThenEverybodyMayCall) {
  Breaker breaker = w.make({.on_store_loss = OnStoreLoss::allow, .observer = &seen});
  fail(breaker, 5);
  w.store.set(Mode::down);
  EXPECT_EQ(rejection_of(breaker).retry_after, 30s);
  EXPECT_EQ(breaker.peek().retry_after, 30s);
  w.clock.advance(30s);
  EXPECT_EQ(breaker.peek().verdict, Verdict::admit);
  for (int i = 0; i < 50; ++i) {
    Permit permit = permit_of(breaker);
    EXPECT_TRUE(permit.is_degraded());
    std::move(permit).failure();
  }
  w.store.set(Mode::waiting);
  EXPECT_TRUE(permit_of(breaker).is_probe()) << "and nothing of it is held against the provider";
}

TEST_F(StoreLoss, AttemptsStopWhenTheLocalBreakerTripped) {
  Breaker breaker = w.make();
  const Permit early = permit_of(breaker);
  w.store.set(Mode::down);
  std::vector<bool> answers;
  breaker.check_current(early, [&](bool is) { answers.push_back(is); });
  const Permit degraded = permit_of(breaker);
  fail(breaker, 5);
  breaker.check_current(early, [&](bool is) { answers.push_back(is); });
  breaker.check_current(degraded, [&](bool is) {
    answers.push_back(is);
    EXPECT_EQ(breaker.counts().failures, 5U) << "the handler may call the breaker";
  });
  EXPECT_EQ(answers, (std::vector<bool>{true, false, false}));
}

TEST_F(StoreLoss, AHandlerIsCalledExactlyOnceWhateverTheStoreDoes) {
  Breaker breaker = w.make();
  for (const Mode mode :
       {Mode::at_once, Mode::waiting, Mode::down, Mode::lost_requests, Mode::lost_replies, Mode::held}) {
    w.store.set(mode);
    int called = 0;
    breaker.acquire([&](const Admission&) { ++called; });
    w.store.release();
    w.store.release();
    EXPECT_EQ(called, 1) << static_cast<int>(mode);
  }
}

TEST_F(StoreLoss, AProbeWhoseGrantWasLostIsFreeAgainWhenItsLeaseEnds) {
  Breaker breaker = w.make();
  fail(breaker, 5);
  w.clock.advance(30s);
  const core::Event stolen = core::Acquire{{1, 2}};
  ASSERT_EQ(w.memory.apply_at_once({"nominatim", stolen, w.config, {}})->reply.ruling,
            core::Ruling::probe_granted);
  EXPECT_EQ(rejection_of(breaker).retry_after, 10s);
  w.clock.advance(10s);
  EXPECT_TRUE(permit_of(breaker).is_probe());
}

// --- the store came back without its memory ---

TEST_F(StoreLoss, AnEmptiedStoreDoesNotEndAKnownDeadline) {
  Breaker breaker = w.make();
  fail(breaker, 5);
  w.memory.clear();
  w.clock.advance(10s);
  EXPECT_EQ(rejection_of(breaker).retry_after, 20s);
  EXPECT_EQ(rejection_of(breaker).retry_after, 20s);
  EXPECT_EQ(breaker.counts().state_lost, 1U);
  w.clock.advance(20s);
  EXPECT_TRUE(permit_of(breaker).is_probe()) << "and is healed by the call that is due then";
  EXPECT_EQ(w.state().tally.restored, 1);
}

TEST_F(StoreLoss, AnEmptiedStoreThatAnswersAtOnceIsHealedAtOnceAndCounted) {
  w.store.set(Mode::at_once);
  Breaker breaker = w.make();
  fail(breaker, 5);
  w.memory.clear();
  w.clock.advance(10s);
  EXPECT_EQ(rejection_of(breaker).retry_after, 20s);
  EXPECT_EQ(breaker.counts().state_lost, 1U);
  EXPECT_TRUE(w.state().decision.restored);
  rejection_of(breaker);
  EXPECT_EQ(breaker.counts().state_lost, 1U);
}

TEST_F(StoreLoss, AnUnexpiredDeadlineOutlastsADecisionThatSomebodyElseRestored) {
  Breaker knows = w.make();
  Breaker outdated = w.make();
  fail(outdated, 1);  // a version, closed
  fail(knows, 4);
  ASSERT_EQ(outdated.known().phase, Phase::closed);
  rejection_of(knows);
  w.memory.clear();
  w.clock.advance(5s);
  succeed(outdated);
  ASSERT_TRUE(w.state().decision.restored);
  EXPECT_EQ(rejection_of(knows).retry_after, 25s);
  EXPECT_EQ(knows.counts().state_lost, 1U);
  w.clock.advance(25s);
  EXPECT_TRUE(is_admitted(ask(knows)));
}

TEST_F(StoreLoss, AnUnexpiredDeadlineOutlastsWhatAnIgnorantWorkerWroteIntoAnEmptyStore) {
  Breaker knows = w.make();
  fail(knows, 5);
  w.memory.clear();
  w.clock.advance(5s);
  Breaker fresh = w.make();
  fail(fresh);  // writes a version above the lost one, in epoch 0
  EXPECT_EQ(rejection_of(knows).retry_after, 25s);
  EXPECT_EQ(knows.counts().state_lost, 1U);
  EXPECT_EQ(rejection_of(knows).retry_after, 25s);
  EXPECT_EQ(knows.counts().state_lost, 1U);
}

TEST_F(StoreLoss, LosingAClosedStateIsNotCounted) {
  Breaker breaker = w.make();
  fail(breaker, 2);
  w.memory.clear();
  w.clock.advance(1s);
  EXPECT_TRUE(is_admitted(ask(breaker)));
  EXPECT_EQ(breaker.counts().state_lost, 0U);
}

TEST_F(StoreLoss, AnAnswerThatWasOvertakenIsNoLoss) {
  Breaker breaker = w.make();
  fail(breaker, 4);
  int admitted = 0;
  int refused = 0;
  const auto keep = [&](const Admission& answer) { ++(is_admitted(answer) ? admitted : refused); };
  w.store.set(Mode::held);
  breaker.acquire(keep);  // the store says "closed"
  w.store.set(Mode::waiting);
  fail(breaker);
  ASSERT_EQ(breaker.known().phase, Phase::open);
  w.store.set(Mode::held);
  breaker.acquire(keep);  // the store says "open"
  w.store.set(Mode::waiting);
  w.store.release(true);
  EXPECT_EQ(refused, 2) << "decided by what is known since";
  EXPECT_EQ(admitted, 0);
  EXPECT_EQ(breaker.counts().state_lost, 0U);
  EXPECT_EQ(breaker.known().phase, Phase::open);
}

TEST_F(StoreLoss, ANewTripIsNotMistakenForALoss) {
  Breaker breaker = w.make();
  Breaker other = w.make();
  fail(breaker, 5);
  w.clock.advance(30s);
  permit_of(other).success();
  fail(other, 5);
  EXPECT_EQ(rejection_of(breaker).retry_after, 30s);
  EXPECT_EQ(breaker.counts().state_lost, 0U);
}

}  // namespace
}  // namespace geobreaker::testing
