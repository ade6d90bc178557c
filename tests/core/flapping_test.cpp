#include "core/machine.hpp"

#include <gtest/gtest.h>

namespace geobreaker::testing {
namespace {

BreakerConfig guarded() {
  BreakerConfig config;
  config.flap_guard = 2min;
  return config;
}

/// Closed again, after one failed and one good probe.
Machine recovered(const BreakerConfig& config) {
  Machine m = probing_machine(config);
  m.end_probe(Verb::failure);
  m.pass_cooldown();
  m.acquire();
  m.end_probe(Verb::success);
  return m;
}

TEST(FlapGuard, OffEachTripStartsAtTheBase) {
  Machine m = recovered({});
  EXPECT_EQ(m.decision().failed_probes, 0);
  m.trip();
  EXPECT_EQ(m.decision().cooldown, 30s);
}

TEST(FlapGuard, ATripSoonAfterACloseCountsAsOneMoreFailedProbe) {
  Machine m = recovered(guarded());
  EXPECT_EQ(m.decision().failed_probes, 1) << "not forgotten yet";
  m.pass(2min - 1us);
  m.trip();
  EXPECT_EQ(m.decision().failed_probes, 2);
  EXPECT_EQ(m.decision().cooldown, 120s);
}

TEST(FlapGuard, AfterStayingClosedForAWhileTheGrowthIsForgotten) {
  Machine m = recovered(guarded());
  m.pass(2min);
  m.trip();
  EXPECT_EQ(m.decision().failed_probes, 0);
  EXPECT_EQ(m.decision().cooldown, 30s);
}

TEST(FlapGuard, TheVeryFirstTripIsNoFlapping) {
  Machine m = open_machine(guarded());
  EXPECT_EQ(m.decision().failed_probes, 0);
  EXPECT_EQ(m.decision().cooldown, 30s);
}

TEST(FlapGuard, AnOperatorsCleanSlateForgetsTheGrowth) {
  Machine m = recovered(guarded());
  m.apply(Operate{.action = Action::automatic});
  m.trip();
  EXPECT_EQ(m.decision().cooldown, 30s);
}

TEST(FlapGuard, AFlappingProviderIsAskedLessAndLessUpToTheCap) {
  Machine m = open_machine(guarded());
  Micros last{};
  for (int i = 0; i < 40; ++i) {
    EXPECT_GE(m.decision().cooldown, last);
    last = m.decision().cooldown;
    m.pass_cooldown();
    m.acquire();
    m.end_probe(Verb::success);
    m.pass(1s);
    m.trip();
  }
  EXPECT_EQ(last, 600s);
}

}  // namespace
}  // namespace geobreaker::testing
