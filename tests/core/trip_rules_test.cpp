// When the breaker opens, and when it must not: share, run, windows, slices, reporters.
#include "core/machine.hpp"

#include <gtest/gtest.h>

namespace geobreaker::testing {
namespace {

void succeed(Machine& m, std::int64_t times) {
  if (times > 0) m.apply(Report{.epoch = m.epoch(), .successes_before = times - 1});
}

TEST(ShareRule, FiveFailuresAndNothingElseOpenAtAnySpacingWithinTheWindow) {
  for (const Micros gap : {Micros{0}, Micros{1us}, Micros{1s}, Micros{7s}, Micros{15s}}) {
    Machine m;
    for (int i = 0; i < 4; ++i) {
      EXPECT_TRUE(m.fail().changes.empty());
      m.pass(gap);
    }
    EXPECT_EQ(m.fail().changes.size(), 1U) << gap.count();
  }
}

TEST(ShareRule, FiveFailuresThatTheWindowCannotHoldDoNotOpen) {
  Machine m;
  for (int i = 0; i < 9; ++i) {
    EXPECT_TRUE(m.fail().changes.empty());
    m.pass(16s);
  }
}

TEST(ShareRule, OpensAtExactlyTheConfiguredShare) {
  for (const std::int64_t successes : {19, 20, 21}) {
    Machine m;
    succeed(m, successes);
    for (int i = 0; i < 4; ++i) m.fail();
    EXPECT_EQ(m.fail().changes.empty(), successes > 20) << "5 of " << successes + 5;
  }
}

TEST(ShareRule, OverTheShortWindowActsWhereTheLongOneIsFullOfGoodCalls) {
  Machine m;
  succeed(m, 10'000);
  m.pass(12s);
  succeed(m, 8);
  m.fail();
  succeed(m, 4);
  for (int i = 0; i < 3; ++i) m.fail();
  EXPECT_EQ(m.fail().changes.at(0).cause, Cause::share);
}

TEST(ShareRule, ARateOfZeroIsThePlainCount) {
  BreakerConfig config;
  config.failure_rate = 0;
  config.run_threshold = 100;
  Machine m{.config = config};
  succeed(m, 1'000'000);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(m.fail().changes.empty());
  EXPECT_EQ(m.fail().changes.size(), 1U);
}

TEST(ShareRule, ARateOfOneWithEqualThresholdsLeavesOnlyRuns) {
  BreakerConfig config;
  config.failure_rate = 1;
  config.run_threshold = 5;
  Machine m{.config = config};
  for (int i = 0; i < 200; ++i) {
    for (int k = 0; k < 4; ++k) EXPECT_TRUE(m.fail().changes.empty());
    succeed(m, 1);
  }
  for (int k = 0; k < 4; ++k) EXPECT_TRUE(m.fail().changes.empty());
  EXPECT_EQ(m.fail().changes.size(), 1U);
}

TEST(ShareRule, RatesAreComparedInWholeMillionths) {
  BreakerConfig config;
  config.failure_rate = 1.0 / 3;
  config.run_threshold = 100;
  Machine m{.config = config};
  succeed(m, 10);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(m.fail().changes.empty());
  EXPECT_EQ(m.fail().changes.size(), 1U) << "5 of 15";
}

// F5: failures at one instant never merge.
TEST(ShareRule, FailuresAtOneInstantCountOneByOne) {
  Machine m;
  for (int i = 0; i < 4; ++i) m.fail();
  EXPECT_EQ(m.state.window.buckets.at(0).failures, 4);
  EXPECT_EQ(m.fail().changes.size(), 1U);
}

// Sentinel #3130, Polly #41: no tumbling edge.
TEST(Slices, FailuresThatStraddleAnyEdgeOpenWithinTheWindow) {
  for (Micros offset{0}; offset < 60s; offset += 7'001us * 100) {
    Machine m{.now = start + offset};
    for (int i = 0; i < 4; ++i) {
      EXPECT_TRUE(m.fail().changes.empty());
      m.pass(100ms);
    }
    EXPECT_EQ(m.fail().changes.size(), 1U) << offset.count();
  }
}

TEST(Slices, AFailureLeavesTheWindowAfterItPlusAtMostOneSlice) {
  for (Micros offset{0}; offset < 1s; offset += 99'999us) {
    Machine m{.now = start + offset};
    for (int i = 0; i < 4; ++i) m.fail();
    Machine inside = m;
    inside.pass(60s);
    EXPECT_EQ(inside.fail().changes.size(), 1U) << "a whole window later it still counts";
    m.pass(61s);
    EXPECT_TRUE(m.fail().changes.empty()) << "a slice later it does not";
  }
}

TEST(Slices, TheirNumberIsBoundedByTheWindowNotByTheTraffic) {
  Machine m;
  for (int i = 0; i < 100'000; ++i) {
    m.succeed();
    m.pass(7ms);
  }
  EXPECT_LE(m.state.window.buckets.size(), 122U);
}

TEST(Slices, WorkersWithVeryDifferentWindowsCannotMakeTheStateGrow) {
  BreakerConfig narrow;
  narrow.window = 10ms;
  BreakerConfig wide;
  wide.window = 24h;
  Machine m{.config = narrow};
  m.succeed();
  m.config = wide;
  for (int i = 0; i < 5'000; ++i) {
    m.pass(3ms);
    m.succeed();
  }
  EXPECT_EQ(m.state.window.bucket_width, 1ms) << "fixed by the first slice";
  EXPECT_EQ(m.state.window.buckets.size(), 256U);
}

TEST(Slices, AnEmptyWindowTakesTheWidthOfWhoComesNext) {
  Machine m;
  m.config.window = 10ms;
  m.succeed();
  m.pass(1h);
  m.config = {};
  m.succeed();
  EXPECT_EQ(m.state.window.bucket_width, 1s);
}

// F13: small windows work.
TEST(SmallWindow, FiveFailuresIn50MillisecondsOpenAWindowOf300) {
  BreakerConfig config;
  config.window = 300ms;
  Machine m{.config = config};
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(m.fail().changes.empty());
    m.pass(12ms);
  }
  EXPECT_EQ(m.fail().changes.size(), 1U);
}

TEST(SmallWindow, TheSmallestWindowOpensOnFiveAtOnce) {
  BreakerConfig config;
  config.window = 1ms;
  Machine m{.config = config};
  m.trip();
  EXPECT_EQ(m.phase(), Phase::open);
}

TEST(RunRule, ASuccessBetweenStartsItAnew) {
  Machine m;
  succeed(m, 100'000);
  for (int i = 0; i < 9; ++i) m.fail();
  m.succeed();
  for (int i = 0; i < 9; ++i) EXPECT_TRUE(m.fail().changes.empty());
  EXPECT_EQ(m.fail().changes.at(0).cause, Cause::run);
}

TEST(RunRule, ANeutralOutcomeBetweenDoesNot) {
  Machine m;
  succeed(m, 100'000);
  for (int i = 0; i < 9; ++i) {
    m.fail();
    m.neutral();
  }
  EXPECT_EQ(m.fail().changes.at(0).cause, Cause::run);
}

TEST(RunRule, AGapLongerThanTheWindowStartsItAnew) {
  Machine m;
  for (int i = 0; i < 3; ++i) {
    m.fail();
    m.pass(60s);
  }
  EXPECT_EQ(m.state.window.run, 3);
  m.pass(1us);
  m.fail();
  EXPECT_EQ(m.state.window.run, 1);
}

// F16: one worker whose protected call takes 18 s: a share can never form, the run opens after run_threshold
// calls.
TEST(RunRule, ASlowWorkerOnADeadProviderOpensAfterTenCalls) {
  Machine m;
  int calls = 0;
  while (m.phase() == Phase::closed && calls < 100) {
    m.pass(18s);
    m.fail();
    ++calls;
  }
  EXPECT_EQ(calls, 10);
  EXPECT_EQ(m.now - start, 180s);
}

TEST(MinReporters, OneSickHostCannotOpenTheFleet) {
  BreakerConfig config;
  config.min_reporters = 3;
  Machine m{.config = config};
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(m.fail("sick").changes.empty());
  EXPECT_TRUE(m.fail("other").changes.empty());
  EXPECT_EQ(m.fail("third").changes.size(), 1U);
}

TEST(MinReporters, OnlyReportersOfTheWindowCount) {
  BreakerConfig config;
  config.min_reporters = 2;
  Machine m{.config = config};
  m.fail("first");
  m.pass(60s + 1us);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(m.fail("second").changes.empty());
}

TEST(MinReporters, OnlyFailuresMakeAReporter) {
  BreakerConfig config;
  config.min_reporters = 2;
  Machine m{.config = config};
  m.apply(Report{.verb = Verb::success, .reporter = "good"});
  m.apply(Report{.verb = Verb::neutral, .reporter = "good"});
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(m.fail("sick").changes.empty());
}

TEST(MinReporters, RemembersNoMoreHostsThanMayBeAskedFor) {
  BreakerConfig config;
  config.min_reporters = 16;
  config.threshold = 1000;
  config.run_threshold = 1000;
  Machine m{.config = config};
  for (int i = 0; i < 100; ++i) m.fail("host" + std::to_string(i));
  ASSERT_EQ(m.state.window.reporters.size(), 16U);
  EXPECT_EQ(m.state.window.reporters.front().host, "host99");
  EXPECT_EQ(m.state.window.reporters.back().host, "host84");
}

TEST(Neutrals, AThousandBadRequestsOrCancelledCallsDoNothing) {
  Machine m;
  for (int i = 0; i < 1000; ++i) m.neutral();
  EXPECT_EQ(m.state, BreakerState{});
}

// sglang #25811: alternating 400 and 503: only the 503s count.
TEST(Neutrals, AlternatingWithFailuresDoNotHideThem) {
  Machine m;
  for (int i = 0; i < 4; ++i) {
    m.neutral();
    EXPECT_TRUE(m.fail().changes.empty());
  }
  m.neutral();
  EXPECT_EQ(m.fail().changes.size(), 1U);
}

TEST(FailuresUntil, IsRenewedAtMostEveryQuarterOfTheWindow) {
  Machine m;
  succeed(m, 100'000);
  int writes = 0;
  std::int64_t version = 0;
  for (int i = 0; i < 600; ++i) {  // a minute
    m.fail();
    succeed(m, 100);
    if (m.decision().version != version) ++writes;
    version = m.decision().version;
    ASSERT_GE(m.decision().failures_until, m.now + 45s);
    m.pass(100ms);
  }
  EXPECT_EQ(writes, 4);
}

TEST(Cooldown, IsBaseTimesTwoToTheKCappedWithoutOverflowForAnyK) {
  const BreakerConfig config;
  const Micros expected[] = {30s, 60s, 120s, 240s, 480s, 600s, 600s};
  for (std::int32_t k = 0; k < 7; ++k) EXPECT_EQ(cooldown(config, k), expected[k]);
  for (const std::int32_t k : {31, 32, 63, 64, 1024, 10'000, std::numeric_limits<std::int32_t>::max()})
    EXPECT_EQ(cooldown(config, k), 600s) << k;
  BreakerConfig wide;
  wide.base_cooldown = 1ms;
  wide.max_cooldown = 24h * 366;
  EXPECT_EQ(cooldown(wide, 34), 1ms * (std::int64_t{1} << 34));
  EXPECT_EQ(cooldown(wide, 40), 24h * 366);
  BreakerConfig equal;
  equal.max_cooldown = equal.base_cooldown;
  EXPECT_EQ(cooldown(equal, 5), 30s);
}

// F13: 10,000 failed probes in a row.
TEST(Cooldown, TenThousandFailedProbesStayAtTheMaximum) {
  Machine m = open_machine();
  for (int i = 0; i < 10'000; ++i) {
    m.pass_cooldown();
    ASSERT_EQ(m.acquire().ruling, Ruling::probe_granted);
    m.end_probe(Verb::failure);
  }
  EXPECT_EQ(m.decision().failed_probes, 10'000);
  EXPECT_EQ(m.decision().cooldown, 600s);
  EXPECT_EQ(m.decision().open_until, m.now + 600s);
}

TEST(Cooldown, TheCountOfFailedProbesStopsAtItsLargestValue) {
  Machine m = probing_machine();
  m.state.decision.failed_probes = std::numeric_limits<std::int32_t>::max();
  m.end_probe(Verb::failure);
  EXPECT_EQ(m.decision().failed_probes, std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(m.decision().cooldown, 600s);
}

}  // namespace
}  // namespace geobreaker::testing
