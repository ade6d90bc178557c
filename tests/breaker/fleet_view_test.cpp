// What one process makes of the decisions it is told, one by one.
#include "breaker/fleet_view.hpp"

#include "support/core_printers.hpp"

#include <gtest/gtest.h>

namespace geobreaker::detail {
namespace {

using namespace std::chrono_literals;
using core::Answer;
using core::Decision;
using core::Phase;
using core::Refusal;
using core::Verdict;

constexpr SharedTime now{Micros{1'700'000'000'000'000}};

Decision closed(std::int64_t version, std::int64_t epoch) {
  Decision d;
  d.version = version;
  d.epoch = epoch;
  return d;
}
Decision open(std::int64_t version, std::int64_t epoch, Micros left) {
  Decision d = closed(version, epoch);
  d.phase = Phase::open;
  d.cooldown = 30s;
  d.open_until = now + left;
  return d;
}
Answer kept_out(Micros left) { return {Verdict::refuse, Refusal::breaker_open, left}; }

TEST(FleetView, TakesWhatIsNewerAndIgnoresWhatIsOlder) {
  FleetView view;
  EXPECT_FALSE(view.learn(open(5, 4, 10s), now, 0));
  EXPECT_FALSE(view.learn(closed(3, 3), now, 3)) << "asked before the newer one was known: overtaken";
  EXPECT_EQ(view.known().version, 5);
  EXPECT_EQ(view.answer(now), kept_out(10s));
}

TEST(FleetView, AnAnswerBelowWhatWasKnownWhenItWasAskedIsALossCountedOnce) {
  FleetView view;
  view.learn(open(5, 4, 10s), now, 0);
  EXPECT_TRUE(view.learn(closed(0, 0), now, 5));
  EXPECT_FALSE(view.learn(closed(0, 0), now, 5));
  EXPECT_EQ(view.answer(now), kept_out(10s));
  EXPECT_EQ(view.answer(now + 10s).verdict, Verdict::may_probe)
      << "whoever asks then carries the old decision";
}

TEST(FleetView, ARestoredCloseDoesNotEndAHeldDeadlineHoweverNewItsEpoch) {
  FleetView view;
  view.learn(open(5, 4, 10s), now, 0);
  Decision restored = closed(9, 8);
  restored.restored = true;
  EXPECT_TRUE(view.learn(restored, now, 5));
  EXPECT_EQ(view.answer(now), kept_out(10s));
  restored.version = 10;
  EXPECT_FALSE(view.learn(restored, now, 9));
  EXPECT_EQ(view.answer(now), kept_out(10s));
}

TEST(FleetView, ACloseOfALaterEpochEndsAHeldDeadline) {
  FleetView view;
  view.learn(closed(5, 4), now, 0);
  view.hold(now + 20s, 4);
  view.learn(closed(6, 4), now, 5);
  EXPECT_EQ(view.answer(now), kept_out(20s)) << "the same epoch: nothing was decided anew";
  view.learn(closed(7, 7), now, 6);
  EXPECT_EQ(view.answer(now), Answer{});
}

TEST(FleetView, ATripOfALaterEpochDoesNotShortenAHeldDeadline) {
  FleetView view;
  view.hold(now + 100s, 4);
  view.learn(open(7, 7, 30s), now, 0);
  EXPECT_EQ(view.answer(now), kept_out(100s));
  view.learn(open(8, 8, 200s), now, 7);
  EXPECT_EQ(view.answer(now), kept_out(200s)) << "the stricter of both";
}

TEST(FleetView, ForcedClosedWinsOverAHeldDeadline) {
  FleetView view;
  view.hold(now + 100s, 4);
  Decision forced = closed(3, 3);
  forced.forced = core::Forced::closed;
  forced.forced_until = now + 50s;
  view.learn(forced, now, 0);
  EXPECT_EQ(view.answer(now), Answer{});
  EXPECT_EQ(view.answer(now + 50s), kept_out(50s)) << "while it lasts";
}

TEST(FleetView, APauseAndForcedOpenKeepTheirReasonOverAHeldDeadline) {
  FleetView view;
  view.hold(now + 100s, 4);
  Decision paused = closed(3, 3);
  paused.pause_reason = core::PauseReason::quota;
  paused.pause_until = now + 10s;
  view.learn(paused, now, 0);
  EXPECT_EQ(view.answer(now), (Answer{Verdict::refuse, Refusal::paused_quota, 10s}));
  EXPECT_EQ(view.answer(now + 10s), kept_out(90s));
}

TEST(FleetView, AHeldDeadlineKeepsAProbeThatIsDueForOthers) {
  FleetView view;
  view.hold(now + 100s, 4);
  view.learn(open(7, 7, -1s), now, 0);
  EXPECT_EQ(view.answer(now), kept_out(100s));
}

}  // namespace
}  // namespace geobreaker::detail
