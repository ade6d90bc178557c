#include <geobreaker/core/config.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace geobreaker {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Micros year{24h * 366};

template <class Set>
std::vector<std::string> faults_after(Set set) {
  BreakerConfig config;
  set(config);
  return faults(config);
}

TEST(Config, TheDefaultsAreTheDesigns) {
  const BreakerConfig c;
  EXPECT_THAT(faults(c), IsEmpty());
  EXPECT_EQ(c.window, 60s);
  EXPECT_EQ(c.threshold, 5);
  EXPECT_EQ(c.failure_rate, 0.20);
  EXPECT_EQ(c.short_window_or_default(), 10s);
  EXPECT_EQ(c.run_threshold, 10);
  EXPECT_EQ(c.base_cooldown, 30s);
  EXPECT_EQ(c.max_cooldown, 600s);
  EXPECT_EQ(c.probe_lease_or_default(), 10s);
  EXPECT_EQ(c.min_reporters, 1);
  EXPECT_EQ(c.slow_call, 0s);
  EXPECT_EQ(c.flap_guard, 0s);
  EXPECT_EQ(c.flush_interval_or_default(), 100ms);
}

TEST(Config, UnsetSpansFollowAShorterWindow) {
  BreakerConfig c;
  c.window = 300ms;
  EXPECT_THAT(faults(c), IsEmpty());
  EXPECT_EQ(c.short_window_or_default(), 300ms);
  EXPECT_EQ(c.flush_interval_or_default(), 75ms);
}

// Each fault: the field, its value, what is allowed.
TEST(Config, Window) {
  for (const Micros bad : {0us, -1us, 999us})
    EXPECT_EQ(faults_after([&](BreakerConfig& c) { c.window = bad; }).size(), 1U) << bad.count();
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.window = 0us; }),
              ElementsAre("window is 0s: allowed is 1ms to 366d"));
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.window = year + 1us; }),
              ElementsAre("window is 3.16224e+07s: allowed is 1ms to 366d"));
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.window = 1ms; }), IsEmpty());
}

TEST(Config, Threshold) {
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.threshold = 0; }),
              ElementsAre("threshold is 0: allowed is 1 or more"));
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.threshold = -7; }),
              ElementsAre("threshold is -7: allowed is 1 or more"));
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.threshold = 1; }), IsEmpty());
}

TEST(Config, FailureRate) {
  for (const double bad : {-0.01, 1.01, std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    const auto found = faults_after([&](BreakerConfig& c) { c.failure_rate = bad; });
    ASSERT_EQ(found.size(), 1U) << bad;
    EXPECT_THAT(found[0], ::testing::StartsWith("failure_rate is "));
    EXPECT_THAT(found[0], ::testing::EndsWith(": allowed is 0 to 1"));
  }
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.failure_rate = 0; }), IsEmpty());
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.failure_rate = 1; }), IsEmpty());
}

TEST(Config, ShortWindow) {
  for (const Micros bad : {Micros{0us}, Micros{-1s}, Micros{60s + 1us}})
    EXPECT_EQ(faults_after([&](BreakerConfig& c) { c.short_window = bad; }).size(), 1U) << bad.count();
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.short_window = 61s; }),
              ElementsAre("short_window is 61s: allowed is 1ms to window (60s)"));
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.short_window = 60s; }), IsEmpty());
}

TEST(Config, RunThreshold) {
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.run_threshold = 0; }),
              ElementsAre("run_threshold is 0: allowed is 1 or more"));
}

TEST(Config, Cooldowns) {
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.base_cooldown = -1s; }),
              ElementsAre("base_cooldown is -1s: allowed is 1ms to 366d"));
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.max_cooldown = 29s; }),
              ElementsAre("max_cooldown is 29s: allowed is base_cooldown (30s) to 366d"));
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.max_cooldown = 30s; }), IsEmpty());
  EXPECT_EQ(faults_after([](BreakerConfig& c) { c.max_cooldown = Micros::max(); }).size(), 1U);
}

TEST(Config, ProbeLease) {
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.probe_lease = 0us; }),
              ElementsAre("probe_lease is 0s: allowed is 1ms to 366d"));
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.probe_lease = 31s; }), IsEmpty());
}

TEST(Config, MinReporters) {
  for (const int bad : {0, -1, 17})
    EXPECT_THAT(faults_after([&](BreakerConfig& c) { c.min_reporters = bad; }),
                ElementsAre("min_reporters is " + std::to_string(bad) + ": allowed is 1 to 16"));
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.min_reporters = 16; }), IsEmpty());
}

TEST(Config, SwitchesThatMayBeOff) {
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.slow_call = -1s; }),
              ElementsAre("slow_call is -1s: allowed is 0 (off) to 366d"));
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.flap_guard = -1s; }),
              ElementsAre("flap_guard is -1s: allowed is 0 (off) to 366d"));
}

TEST(Config, FlushInterval) {
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.flush_interval = 15s + 1us; }),
              ElementsAre("flush_interval is 15s: allowed is 0 to window / 4 (15s)"));
  EXPECT_EQ(faults_after([](BreakerConfig& c) { c.flush_interval = -1us; }).size(), 1U);
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.flush_interval = 15s; }), IsEmpty());
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.flush_interval = 0s; }), IsEmpty());
}

TEST(Config, PauseCaps) {
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.max_pause_rate = 0s; }),
              ElementsAre("max_pause_rate is 0s: allowed is 1ms to 366d"));
  EXPECT_THAT(faults_after([](BreakerConfig& c) { c.max_pause_quota = -1s; }),
              ElementsAre("max_pause_quota is -1s: allowed is 1ms to 366d"));
}

TEST(Config, NamesEveryFaultAtOnce) {
  const auto found = faults_after([](BreakerConfig& c) {
    c.window = -1s;
    c.threshold = 0;
    c.failure_rate = std::nan("");
    c.run_threshold = 0;
    c.max_cooldown = 1s;
    c.min_reporters = 0;
    c.flush_interval = 1s;
  });
  EXPECT_EQ(found.size(), 7U);
}

}  // namespace
}  // namespace geobreaker
