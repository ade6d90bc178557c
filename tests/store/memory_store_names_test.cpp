#include "breaker/breaker_fixture.hpp"

namespace geobreaker::testing {
namespace {

StoreReply apply(MemoryStore& store, std::string_view provider, const core::Event& event,
                 const BreakerConfig& config = {}) {
  return *store.apply_at_once({provider, event, config, {}});
}

TEST(MemoryStore, IsClosedAtVersionZeroForANameItNeverHeardOf) {
  ManualClock clock;
  MemoryStore store(clock);
  int called = 0;
  store.read("anything: {even} this", [&](Result<Reading> reading) {
    ++called;
    ASSERT_TRUE(reading);
    EXPECT_EQ(reading->decision, core::Decision{});
    EXPECT_EQ(reading->now, clock.shared_now());
  });
  EXPECT_EQ(called, 1);
  EXPECT_EQ(store.size(), 0U) << "reading leaves no trace";
}

TEST(MemoryStore, ItsTimeIsSteady) {
  ManualClock clock;
  MemoryStore store(clock);
  const SharedTime start = clock.shared_now();
  clock.jump(-5h);
  clock.advance(2s);
  EXPECT_EQ(apply(store, "p", core::Evaluate{}).now, start + 2s);
}

TEST(MemoryStore, HandlersMayUseTheStore) {
  ManualClock clock;
  MemoryStore store(clock);
  const core::Event event = core::Evaluate{};
  const BreakerConfig config;
  int called = 0;
  store.apply({"p", event, config, {}}, [&](Result<StoreReply>) {
    store.read("p", [&](Result<Reading>) {
      store.apply({"q", event, config, {}}, [&](Result<StoreReply>) { ++called; });
    });
  });
  EXPECT_EQ(called, 1);
}

TEST(MemoryStore, ForgetsNamesThatHaveNothingLeftToSay) {
  ManualClock clock;
  MemoryStore store(clock);
  for (int i = 0; i < 100'000; ++i) {
    apply(store, "name" + std::to_string(i), core::Report{.verb = core::Verb::failure});
    clock.advance(1s);
  }
  EXPECT_LE(store.size(), 2048U);
}

TEST(MemoryStore, NeverForgetsADeadlineThatStillRuns) {
  ManualClock clock;
  MemoryStore store(clock);
  BreakerConfig config;
  config.base_cooldown = config.max_cooldown = 48h;
  for (int i = 0; i < 5; ++i) apply(store, "open", core::Report{.verb = core::Verb::failure}, config);
  apply(store, "paused", core::Pause{{24h * 30, core::PauseReason::quota}});
  apply(store, "forced", core::Operate{core::Action::open, 48h});
  for (int i = 0; i < 20'000; ++i) {
    apply(store, "name" + std::to_string(i), core::Evaluate{});
    clock.advance(5s);
  }
  EXPECT_EQ(store.state("open").decision.phase, core::Phase::open);
  EXPECT_EQ(store.state("paused").decision.pause_reason, core::PauseReason::quota);
  EXPECT_EQ(store.state("forced").decision.forced, core::Forced::open);
}

}  // namespace
}  // namespace geobreaker::testing
