#include "breaker/breaker_fixture.hpp"

#include <functional>
#include <thread>

namespace geobreaker::testing {
namespace {

using core::Cause;
using core::PhaseChange;

/// Does whatever a test wants inside the call.
class Meddler final : public BreakerObserver {
 public:
  void on_phase_change(std::string_view provider, const PhaseChange& change) override {
    changes.push_back(change);
    if (act) act(provider);
  }
  std::function<void(std::string_view)> act;
  std::vector<PhaseChange> changes;
};

void expect_chain(const std::vector<PhaseChange>& changes) {
  Phase at = Phase::closed;
  SharedTime last{};
  for (const PhaseChange& change : changes) {
    EXPECT_EQ(change.from, at) << change;
    EXPECT_NE(change.to, at) << change;
    EXPECT_GE(change.at, last) << change;
    at = change.to;
    last = change.at;
  }
}

TEST(Observer, HearsEveryTransitionOfAnOutageWithItsExactTime) {
  World w;
  Recorder seen;
  Breaker breaker = w.make({.observer = &seen});
  const SharedTime start = w.clock.shared_now();
  fail(breaker, 5);
  w.clock.advance(30s);
  Permit lost = permit_of(breaker);
  w.clock.advance(25s);
  permit_of(breaker).success();
  const std::vector<PhaseChange> expected{
      {Phase::closed, Phase::open, Cause::share, start},
      {Phase::open, Phase::half_open, Cause::probe_granted, start + 30s},
      {Phase::half_open, Phase::open, Cause::lease_expired, start + 40s},
      {Phase::open, Phase::half_open, Cause::probe_granted, start + 55s},
      {Phase::half_open, Phase::closed, Cause::probe_succeeded, start + 55s}};
  EXPECT_EQ(seen.changes, expected);
  std::move(lost).failure();
  EXPECT_EQ(seen.changes, expected);
}

TEST(Observer, NoticesWhatOtherProcessesDidAndWhen) {
  World w;
  Recorder seen;
  Breaker watching = w.make({.observer = &seen});
  Breaker other = w.make();
  const SharedTime start = w.clock.shared_now();
  fail(other, 5);
  w.clock.advance(7s);
  rejection_of(watching);
  w.clock.advance(23s);
  Permit probe = permit_of(other);
  w.clock.advance(2s);
  rejection_of(watching);
  std::move(probe).success();
  w.clock.advance(1s);
  succeed(watching);
  const std::vector<PhaseChange> expected{{Phase::closed, Phase::open, Cause::noticed, start},
                                          {Phase::open, Phase::half_open, Cause::noticed, start + 30s},
                                          {Phase::half_open, Phase::closed, Cause::noticed, start + 33s}};
  EXPECT_EQ(seen.changes, expected);
  EXPECT_EQ(watching.counts().trips_seen, 1U);
}

TEST(Observer, FillsTheGapBeforeItsOwnTransition) {
  World w;
  Recorder seen;
  Breaker watching = w.make({.observer = &seen});
  Breaker other = w.make();
  const SharedTime start = w.clock.shared_now();
  fail(other, 5);
  w.clock.advance(31s);
  const Permit probe = permit_of(watching);
  const std::vector<PhaseChange> expected{{Phase::closed, Phase::open, Cause::noticed, start},
                                          {Phase::open, Phase::half_open, Cause::probe_granted, start + 31s}};
  EXPECT_EQ(seen.changes, expected);
}

TEST(Observer, TellsItsOwnProbeApartFromAnotherProcessesProbeThatItSawLast) {
  World w;
  Recorder seen;
  Breaker watching = w.make({.observer = &seen});
  Breaker other = w.make();
  const SharedTime start = w.clock.shared_now();
  fail(other, 5);
  w.clock.advance(30s);
  Permit probe = permit_of(other);
  rejection_of(watching);
  ASSERT_EQ(seen.changes.back().to, Phase::half_open);
  w.clock.advance(1s);
  std::move(probe).failure();
  w.clock.advance(60s);
  const Permit own = permit_of(watching);
  const std::vector<PhaseChange> expected{{Phase::half_open, Phase::open, Cause::noticed, start + 31s},
                                          {Phase::open, Phase::half_open, Cause::probe_granted, start + 91s}};
  ASSERT_GE(seen.changes.size(), 2U);
  EXPECT_EQ(std::vector<PhaseChange>(seen.changes.end() - 2, seen.changes.end()), expected);
  expect_chain(seen.changes);
}

TEST(Observer, FollowsTheLocalBreakerWhileTheStoreIsAwayInOneChain) {
  World w;
  w.store.set(FaultyStore::Mode::waiting);
  Recorder seen;
  Breaker breaker = w.make({.observer = &seen});
  fail(breaker, 5);
  w.clock.advance(30s);
  w.store.set(FaultyStore::Mode::down);
  permit_of(breaker).success();
  EXPECT_EQ(seen.changes.back().to, Phase::closed) << "as far as this process can tell";
  w.clock.advance(5s);
  w.store.set(FaultyStore::Mode::waiting);
  Permit probe = permit_of(breaker);
  EXPECT_TRUE(probe.is_probe()) << "the fleet's breaker is still open";
  std::move(probe).success();
  expect_chain(seen.changes);
  EXPECT_EQ(seen.changes.back().to, Phase::closed);
  EXPECT_EQ(seen.lost, 1);
  EXPECT_EQ(seen.back, 1);
}

TEST(Observer, WhatItThrowsIsContained) {
  World w;
  Meddler meddler;
  meddler.act = [](std::string_view) { throw std::runtime_error("observer's own trouble"); };
  Breaker breaker = w.make({.observer = &meddler});
  EXPECT_NO_THROW(fail(breaker, 5));
  w.clock.advance(30s);
  EXPECT_NO_THROW(permit_of(breaker).success());
  EXPECT_EQ(meddler.changes.size(), 3U);
}

TEST(Observer, MayCallTheBreakerAndStillHearsThingsInOrder) {
  World w;
  Meddler meddler;
  Breaker breaker = w.make({.observer = &meddler});
  int depth = 0;
  int deepest = 0;
  meddler.act = [&](std::string_view provider) {
    deepest = std::max(deepest, ++depth);
    EXPECT_EQ(provider, breaker.provider());
    EXPECT_EQ(breaker.known().phase, w.phase());
    if (meddler.changes.back().to == Phase::open && meddler.changes.size() < 7) {
      w.clock.advance(breaker.peek().retry_after);
      permit_of(breaker).failure();
    }
    --depth;
  };
  fail(breaker, 5);
  expect_chain(meddler.changes);
  EXPECT_EQ(meddler.changes.size(), 7U);
  EXPECT_EQ(deepest, 1) << "one call at a time";
}

TEST(Observer, OneThatIsBusyHoldsUpNobodyElse) {
  World w;
  Meddler meddler;
  Breaker breaker = w.make({.observer = &meddler});
  bool others_went_on = false;
  meddler.act = [&](std::string_view) {
    std::thread other([&] {
      rejection_of(breaker);
      w.operate(core::Action::automatic);
      succeed(breaker);
      others_went_on = true;
    });
    other.join();  // would wait for ever if a lock were held here
    meddler.act = nullptr;
  };
  fail(breaker, 5);
  EXPECT_TRUE(others_went_on);
  expect_chain(meddler.changes);
  EXPECT_EQ(meddler.changes.size(), 2U);
}

TEST(Observer, HearsNothingTwice) {
  World w;
  w.store.set(FaultyStore::Mode::waiting);
  Recorder seen;
  Breaker breaker = w.make({.observer = &seen});
  fail(breaker, 4);
  w.store.set(FaultyStore::Mode::held);
  std::vector<Admission> answers;
  const auto keep = [&](Admission a) { answers.push_back(std::move(a)); };
  w.store.set(FaultyStore::Mode::waiting);
  Permit last = permit_of(breaker);
  w.store.set(FaultyStore::Mode::held);
  std::move(last).failure();  // trips; the answer that says so comes after another that shows it already
  breaker.acquire(keep);
  w.store.release(true);
  EXPECT_EQ(seen.changes.size(), 1U);
  expect_chain(seen.changes);
}

}  // namespace
}  // namespace geobreaker::testing
