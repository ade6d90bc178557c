// The store's clock steps, or a fail-over brings a host with another clock: nothing may pin a provider.
#include "core/machine.hpp"

#include <gtest/gtest.h>

namespace geobreaker::testing {
namespace {

constexpr Micros step_back{1h};

TEST(ClockStep, BackPullsTheCooldownsEndInOnceAsANewVersion) {
  Machine m = open_machine();
  const std::int64_t version = m.decision().version;
  m.pass(-step_back);
  EXPECT_EQ(m.acquire(), refused(30s)) << "a whole cool-down, not an hour";
  EXPECT_EQ(m.decision().open_until, m.now + 30s);
  EXPECT_EQ(m.decision().version, version + 1) << "the store's time is behind the old version";
  const BreakerState once = m.state;
  m.pass(1s);
  EXPECT_EQ(m.acquire(), refused(29s));
  EXPECT_EQ(m.state, once);
}

TEST(ClockStep, BackPullsTheLeasesEndIn) {
  Machine m = probing_machine();
  m.pass(-step_back);
  EXPECT_EQ(m.acquire(token_b), refused(10s));
  m.pass(10s);
  EXPECT_EQ(m.acquire(token_b).ruling, Ruling::probe_granted);
}

TEST(ClockStep, BackPullsAPauseIn) {
  Machine m;
  m.apply(Pause{{90s, PauseReason::rate}});
  m.pass(-step_back);
  EXPECT_EQ(m.acquire(), refused(90s, Refusal::paused_rate));
}

TEST(ClockStep, BackPullsAForcedStateIn) {
  Machine m;
  m.apply(Operate{Action::open, 2min});
  m.pass(-step_back);
  EXPECT_EQ(m.acquire(), refused(2min, Refusal::forced_open));
}

TEST(ClockStep, BackALittleWithinTheDeadlinesOwnLengthWritesNothing) {
  Machine m = open_machine();
  m.pass(5s);
  const BreakerState before = m.state;
  m.pass(-5s);
  m.acquire();
  EXPECT_EQ(m.state, before);
}

TEST(ClockStep, BackFailuresFromTheFutureCountAsNow) {
  Machine m;
  for (int i = 0; i < 4; ++i) {
    m.fail("a");
    m.pass(2s);
  }
  m.pass(-step_back);
  m.acquire();
  const Window& w = m.state.window;
  ASSERT_EQ(w.buckets.size(), 1U);
  EXPECT_EQ(w.buckets[0], (Bucket{m.micros() / 1'000'000, 4, 4, {}}));
  EXPECT_EQ(w.run_first, m.now);
  EXPECT_EQ(w.run_last, m.now);
  EXPECT_EQ(w.reporters[0].last, m.now);
  m.pass(59s);
  EXPECT_EQ(m.fail("b").changes.size(), 1U) << "and leave the window in their time";
}

TEST(ClockStep, BackAShareFromTheFutureHasHeldSinceNow) {
  Machine m;
  for (int i = 0; i < 5; ++i) m.apply(Report{.verb = Verb::failure, .flush_interval = 100ms});
  m.pass(-step_back);
  EXPECT_EQ(m.evaluate().settles_at, m.now + 200ms);
  m.pass(200ms);
  EXPECT_EQ(m.evaluate().changes.size(), 1U);
}

TEST(ClockStep, BackDoesNotMakeALaterTripLookLikeFlappingForEver) {
  BreakerConfig config;
  config.flap_guard = 1min;
  Machine m = probing_machine(config);
  m.end_probe(Verb::success);
  m.pass(-step_back);
  m.acquire();
  EXPECT_EQ(m.state.closed_at, m.now);
  m.pass(1min);
  m.trip();
  EXPECT_EQ(m.decision().failed_probes, 0);
}

TEST(ClockStep, BackNewEpochsStillGrow) {
  Machine m = open_machine();
  const std::int64_t epoch = m.epoch();
  m.pass(-step_back);
  m.apply(Operate{.action = Action::automatic});
  m.trip();
  EXPECT_GT(m.epoch(), epoch + 1);
}

TEST(ClockStep, ForwardMakesAProbeDueAndNeverANegativeWait) {
  Machine m = open_machine();
  m.pass(step_back);
  EXPECT_EQ(m.peek(), (Answer{Verdict::may_probe, Refusal::breaker_open, 0us}));
  EXPECT_EQ(m.acquire().ruling, Ruling::probe_granted);
}

}  // namespace
}  // namespace geobreaker::testing
