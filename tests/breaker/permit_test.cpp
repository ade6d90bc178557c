#include "breaker/breaker_fixture.hpp"

#include <type_traits>

namespace geobreaker::testing {
namespace {

static_assert(!std::is_copy_constructible_v<Permit> && std::is_nothrow_move_constructible_v<Permit>);
static_assert(!std::is_copy_assignable_v<Permit> && !std::is_move_assignable_v<Permit>);

struct Unlucky {};

/// A call that begins, perhaps sends, and then is torn down by an exception.
void call_that_throws(Breaker& breaker, bool sent) {
  Permit permit = permit_of(breaker);
  if (sent) permit.mark_sent();
  throw Unlucky{};
}

TEST(Permit, AnExceptionAfterTheRequestWasSentIsAFailure) {
  World w;
  Breaker breaker = w.make();
  for (int i = 0; i < 5; ++i) EXPECT_THROW(call_that_throws(breaker, true), Unlucky);
  EXPECT_EQ(w.phase(), Phase::open);
  EXPECT_EQ(breaker.counts().failures, 5U);
  EXPECT_EQ(breaker.counts().unreported, 0U) << "it says what happened";
}

TEST(Permit, AnExceptionBeforeAnythingWasSentIsNeutralAndUnreported) {
  World w;
  Breaker breaker = w.make();
  for (int i = 0; i < 20; ++i) EXPECT_THROW(call_that_throws(breaker, false), Unlucky);
  EXPECT_EQ(w.phase(), Phase::closed);
  EXPECT_EQ(breaker.counts().neutrals, 20U);
  EXPECT_EQ(breaker.counts().unreported, 20U);
}

TEST(Permit, DroppedWithoutAReportIsNeutralAndUnreportedEvenIfSent) {
  World w;
  Breaker breaker = w.make();
  for (int i = 0; i < 20; ++i) {
    Permit permit = permit_of(breaker);
    permit.mark_sent();
  }
  EXPECT_EQ(w.phase(), Phase::closed);
  EXPECT_EQ(breaker.counts().failures, 0U);
  EXPECT_EQ(breaker.counts().unreported, 20U);
}

TEST(Permit, DroppedInsideAHandlerOfAnotherExceptionIsNoFailureOfTheCall) {
  World w;
  Breaker breaker = w.make();
  struct CleansUp {
    Breaker& breaker;
    ~CleansUp() {  // runs while Unlucky flies; its own permit began under the same exception
      Permit permit = permit_of(breaker);
      permit.mark_sent();
    }
  };
  EXPECT_THROW(
      {
        const CleansUp guard{breaker};
        throw Unlucky{};
      },
      Unlucky);
  EXPECT_EQ(breaker.counts().failures, 0U);
  EXPECT_EQ(breaker.counts().unreported, 1U);
}

TEST(Permit, AMovedFromPermitReportsNothing) {
  World w;
  Breaker breaker = w.make();
  Permit first = permit_of(breaker);
  first.mark_sent();
  Permit second = std::move(first);
  std::move(first).failure();  // NOLINT(bugprone-use-after-move): that is what is tested
  EXPECT_EQ(breaker.counts().failures, 0U);
  std::move(second).success();
  EXPECT_EQ(breaker.counts().successes, 1U);
  EXPECT_EQ(breaker.counts().unreported, 0U);
}

TEST(Permit, TheMarkOfASentRequestMovesAlong) {
  World w;
  Breaker breaker = w.make();
  const auto moved_then_thrown = [&] {
    Permit first = permit_of(breaker);
    first.mark_sent();
    const Permit second = std::move(first);
    throw Unlucky{};
  };
  EXPECT_THROW(moved_then_thrown(), Unlucky);
  EXPECT_EQ(breaker.counts().failures, 1U);
}

TEST(Permit, CountsOnlyItsFirstReport) {
  World w;
  Breaker breaker = w.make();
  Permit permit = permit_of(breaker);
  std::move(permit).success();
  std::move(permit).failure();  // NOLINT(bugprone-use-after-move)
  std::move(permit).pause({1h, core::PauseReason::rate});
  EXPECT_EQ(breaker.counts().successes, 1U);
  EXPECT_EQ(breaker.counts().failures, 0U);
  EXPECT_EQ(breaker.peek().verdict, Verdict::admit);
}

TEST(Permit, OutlivesItsBreaker) {
  World w;
  std::vector<Permit> kept;
  {
    Breaker breaker = w.make();
    for (int i = 0; i < 5; ++i) kept.push_back(permit_of(breaker));
  }
  for (Permit& permit : kept) std::move(permit).failure();
  EXPECT_EQ(w.phase(), Phase::open);
}

TEST(Permit, APauseHoldsForEverybodyAndIsNeutral) {
  World w;
  Breaker one = w.make();
  Breaker other = w.make();
  permit_of(one).pause({90s, core::PauseReason::quota});
  const Rejection no = rejection_of(other);
  EXPECT_EQ(no.reason, Refusal::paused_quota);
  EXPECT_EQ(no.retry_after, 90s);
  EXPECT_EQ(one.counts().neutrals, 1U);
}

TEST(Permit, SaysWhetherItIsAProbe) {
  World w;
  Breaker breaker = w.make();
  EXPECT_FALSE(permit_of(breaker).is_probe());
  fail(breaker, 5);
  w.clock.advance(30s);
  Permit probe = permit_of(breaker);
  EXPECT_TRUE(probe.is_probe());
  EXPECT_FALSE(probe.is_degraded());
  std::move(probe).success();
  const BreakerCounts counts = breaker.counts();
  EXPECT_EQ(counts.probes_granted, 1U);
  EXPECT_EQ(counts.probes_succeeded, 1U);
  EXPECT_EQ(counts.trips_seen, 1U);
}

TEST(Permit, KnowsWhenItsEpochHasPassed) {
  World w;
  Breaker breaker = w.make();
  const Permit early = permit_of(breaker);
  std::vector<bool> answers;
  const auto keep = [&](bool current) { answers.push_back(current); };
  breaker.check_current(early, keep);
  fail(breaker, 5);
  breaker.check_current(early, keep);
  EXPECT_EQ(answers, (std::vector<bool>{true, false}));
}

TEST(Permit, KnowsItAlsoWhereAnotherWorkerTripped) {
  World w;
  w.store.set(World::Mode::waiting);
  Breaker one = w.make();
  Breaker other = w.make();
  const Permit early = permit_of(one);
  fail(other, 5);
  std::optional<bool> current;
  one.check_current(early, [&](bool is) {
    current = is;
    EXPECT_EQ(one.counts().store_errors, 0U) << "the handler may call the breaker";
  });
  EXPECT_EQ(current, false);
}

TEST(Create, RefusesAFaultyConfigurationNamingEveryFault) {
  World w;
  w.config.window = 0s;
  w.config.threshold = 0;
  const auto made = Breaker::create("", w.config, w.store, w.clock, w.random);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, Errc::invalid_config);
  EXPECT_EQ(made.error().detail,
            "the breaker of '' cannot be made:\n  window is 0s: allowed is 1ms to 366d\n"
            "  threshold is 0: allowed is 1 or more\n  provider is empty: allowed is a name");
}

}  // namespace
}  // namespace geobreaker::testing
