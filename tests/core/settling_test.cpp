// Batching must not invent an outage, nor hide one (design, 4.2).
#include "core/machine.hpp"

#include <gtest/gtest.h>

namespace geobreaker::testing {
namespace {

constexpr Micros flush{100ms};
constexpr Micros settling{200ms};

Reply batched(Machine& m, Verb verb, std::int64_t successes_before = 0, Micros interval = flush) {
  return m.apply(Report{.epoch = m.epoch(),
                        .verb = verb,
                        .successes_before = successes_before,
                        .flush_interval = interval,
                        .reporter = "host"});
}
bool share_is_settling(const Machine& m) { return m.state.window.share_since != SharedTime{}; }
Reply fail(Machine& m) { return batched(m, Verb::failure); }

TEST(Settling, AShareThatHoldsOpensOnlyAfterTwiceTheFlushInterval) {
  Machine m;
  for (int i = 0; i < 4; ++i) EXPECT_EQ(fail(m).settles_at, SharedTime{});
  EXPECT_EQ(fail(m).settles_at, start + settling);
  EXPECT_EQ(m.phase(), Phase::closed);
  m.pass(settling - 1us);
  EXPECT_EQ(m.evaluate(), (Reply{.settles_at = start + settling}));
  m.pass(1us);
  EXPECT_EQ(m.evaluate(), with_change(Ruling::accepted, {Phase::closed, Phase::open, Cause::share, m.now}));
  EXPECT_EQ(m.decision().open_until, m.now + 30s);
}

TEST(Settling, TheNextFailureEvaluatesToo) {
  Machine m;
  for (int i = 0; i < 5; ++i) fail(m);
  m.pass(settling);
  EXPECT_EQ(fail(m).changes.size(), 1U);
}

TEST(Settling, SuccessesThatWereOnTheirWayCancelAShare) {
  Machine m;
  for (int i = 0; i < 5; ++i) fail(m);
  m.pass(50ms);
  batched(m, Verb::success, 99);
  EXPECT_FALSE(share_is_settling(m));
  m.pass(1s);
  EXPECT_EQ(m.evaluate(), accepted());
  EXPECT_EQ(m.phase(), Phase::closed);
}

TEST(Settling, AnyReportAfterWhichTheShareDoesNotHoldRestartsIt) {
  for (const Verb verb : {Verb::success, Verb::neutral}) {
    Machine m;
    for (int i = 0; i < 5; ++i) fail(m);
    m.pass(150ms);
    batched(m, verb, 50);  // 5 of 55 or 56: no longer a fifth
    m.pass(10ms);
    for (int i = 0; i < 8; ++i)
      fail(m);  // 13 of 64: holds anew, since this instant; too few in a row for a run
    ASSERT_TRUE(share_is_settling(m));
    m.pass(settling - 1us);
    EXPECT_EQ(m.evaluate().changes.size(), 0U);
    m.pass(1us);
    EXPECT_EQ(m.evaluate().changes.size(), 1U);
  }
}

TEST(Settling, ASuccessNeverStartsTheSettlingOfAShare) {
  Machine m;
  batched(m, Verb::success, 29);
  m.pass(5s);
  for (int i = 0; i < 5; ++i) fail(m);  // 5 of 35
  m.pass(57s);                          // the successes have left the window, the failures have not
  batched(m, Verb::success);
  EXPECT_FALSE(share_is_settling(m));
  batched(m, Verb::neutral);
  EXPECT_FALSE(share_is_settling(m));
  EXPECT_EQ(m.evaluate().settles_at, m.now + settling) << "an evaluation does";
}

TEST(Settling, ARunSettlesFromTheArrivalOfItsFirstFailureNotFromItsAge) {
  Machine m;
  batched(m, Verb::success, 100'000);
  m.pass(1ms);
  const SharedTime first = m.now;
  for (int i = 0; i < 9; ++i) {
    m.apply(Report{.epoch = m.epoch(), .verb = Verb::failure, .age = 5s, .flush_interval = flush});
    m.pass(1ms);
  }
  EXPECT_EQ(fail(m).settles_at, first + settling);
  m.now = first + settling;
  EXPECT_EQ(m.evaluate(), with_change(Ruling::accepted, {Phase::closed, Phase::open, Cause::run, m.now}));
}

TEST(Settling, ASuccessEndsTheRunWhenItArrivesAndTheSettlingStartsAnew) {
  Machine m;
  batched(m, Verb::success, 100'000);
  for (int i = 0; i < 20; ++i) fail(m);
  m.pass(150ms);
  batched(m, Verb::success);
  EXPECT_EQ(m.state.window.run, 0);
  m.pass(100ms);
  EXPECT_EQ(m.evaluate(), accepted());
  for (int i = 0; i < 9; ++i) EXPECT_EQ(fail(m).settles_at, SharedTime{});
  EXPECT_EQ(fail(m).settles_at, m.now + settling);
}

TEST(Settling, TheSuccessesAheadOfAFailureEndTheRunBeforeIt) {
  Machine m;
  batched(m, Verb::success, 100'000);
  for (int i = 0; i < 9; ++i) fail(m);
  EXPECT_EQ(batched(m, Verb::failure, 1).settles_at, SharedTime{});
  EXPECT_EQ(m.state.window.run, 1);
}

TEST(Settling, UsesTheLargestFlushIntervalAnyProcessAnnouncedWithinTheWindow) {
  Machine m;
  batched(m, Verb::success, 1, 2s);
  m.pass(30s);
  for (int i = 0; i < 4; ++i) fail(m);
  EXPECT_EQ(fail(m).settles_at, m.now + 4s);
  Machine later;
  batched(later, Verb::success, 1, 2s);
  later.pass(61s);
  for (int i = 0; i < 4; ++i) fail(later);
  EXPECT_EQ(fail(later).settles_at, later.now + settling) << "what left the window no longer delays";
}

TEST(Settling, AnEvaluationForgetsIntervalsThatHaveLeftTheWindowMeanwhile) {
  Machine m;
  batched(m, Verb::success, 1, 2s);
  m.pass(59s);
  for (int i = 0; i < 4; ++i) fail(m);
  EXPECT_EQ(fail(m).settles_at, m.now + 4s);
  m.pass(2s);
  EXPECT_EQ(m.evaluate().changes.size(), 1U);
}

TEST(Settling, ARunThatNobodyEvaluatedWithinTheWindowIsOver) {
  Machine m;
  batched(m, Verb::success, 100'000);
  for (int i = 0; i < 10; ++i) fail(m);
  Machine in_time = m;
  in_time.pass(60s);
  EXPECT_EQ(in_time.evaluate().changes.size(), 1U);
  m.config.failure_rate = 1;  // the run alone is on trial: the good calls leave the window with the failures
  m.pass(60s + 1us);
  EXPECT_EQ(m.evaluate(), accepted());
}

TEST(Settling, WithoutBatchingNothingWaits) {
  Machine m;
  for (int i = 0; i < 4; ++i) m.fail();
  EXPECT_EQ(m.fail().changes.size(), 1U);
}

// Else 20 simultaneous time-outs a minute would never open it.
TEST(Settling, TwentySimultaneousTimeoutsOpenWithTheEvaluationThatTheReplyAsksFor) {
  Machine m;
  SharedTime settles_at{};
  for (int i = 0; i < 20; ++i) settles_at = fail(m).settles_at;
  ASSERT_NE(settles_at, SharedTime{});
  m.now = settles_at;
  EXPECT_EQ(m.evaluate().changes.size(), 1U);
}

TEST(Settling, AnEvaluationDoesNothingOutsideClosed) {
  for (Machine m : {open_machine(), probing_machine()}) {
    const BreakerState before = m.state;
    m.pass(20s);
    EXPECT_EQ(m.evaluate(), accepted());
    EXPECT_EQ(m.state, before);
  }
}

TEST(Settling, TheReplyNamesTheEarlierOfTwoRules) {
  Machine m;
  batched(m, Verb::success, 12);
  for (int i = 0; i < 3; ++i) {  // 3 of 15 is no share yet for want of two failures; the run starts here
    fail(m);
    m.pass(10ms);
  }
  const SharedTime run_first = m.state.window.run_first;
  Reply last;
  for (int i = 0; i < 7; ++i) last = fail(m);
  ASSERT_GT(m.state.window.share_since, run_first);
  EXPECT_EQ(last.settles_at, run_first + settling);
}

}  // namespace
}  // namespace geobreaker::testing
