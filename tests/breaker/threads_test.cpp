// Real threads; nothing here depends on timing. Meant to run under the thread sanitizer too.
#include "breaker/breaker_fixture.hpp"

#include <atomic>
#include <barrier>
#include <thread>

namespace geobreaker::testing {
namespace {

template <class Work>
void run_together(int threads, Work work) {
  std::barrier together(threads);
  std::vector<std::thread> pool;
  for (int i = 0; i < threads; ++i)
    pool.emplace_back([&, i] {
      together.arrive_and_wait();
      work(i);
    });
  for (std::thread& t : pool) t.join();
}

struct Threads : ::testing::TestWithParam<FaultyStore::Mode> {
  Threads() { w.store.set(GetParam()); }
  SystemRandom tokens;
  World w;
  Breaker make(BreakerOptions options = {}) {
    auto made = Breaker::create("nominatim", w.config, w.store, w.clock, tokens, std::move(options));
    return std::move(made).value();
  }
};
INSTANTIATE_TEST_SUITE_P(Stores, Threads,
                         ::testing::Values(FaultyStore::Mode::at_once, FaultyStore::Mode::waiting));

// gobreaker v2 held its lock while the user's call ran: here 200 calls must all be inside at once, or the
// barrier never opens.
TEST_P(Threads, TwoHundredCallsOverlapCompletely) {
  constexpr int callers = 200;
  Breaker breaker = make();
  std::barrier provider(callers);
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  run_together(callers, [&](int) {
    Permit permit = permit_of(breaker);
    permit.mark_sent();
    const int now = ++inside;
    int seen = most.load();
    while (seen < now && !most.compare_exchange_weak(seen, now)) {
    }
    provider.arrive_and_wait();
    --inside;
    std::move(permit).success();
  });
  EXPECT_EQ(most, callers);
  EXPECT_EQ(breaker.counts().successes, static_cast<std::uint64_t>(callers));
}

TEST_P(Threads, AtAnElapsedCooldownExactlyOneOfManyGetsTheProbeRoundAfterRound) {
  constexpr int callers = 16;
  Breaker breaker = make();
  fail(breaker, 5);
  for (int round = 0; round < 100; ++round) {
    w.clock.advance(w.state().decision.open_until - w.clock.shared_now());
    std::atomic<int> probes{0};
    run_together(callers, [&](int) {
      Admission answer = ask(breaker);
      if (!is_admitted(answer)) return;
      ++probes;
      std::get<Permit>(std::move(answer)).failure();  // in no time at all
    });
    ASSERT_EQ(probes, 1) << "round " << round;
    ASSERT_EQ(w.state().decision.failed_probes, round + 1);
  }
}

TEST_P(Threads, ManyFailuresAtOnceTripOnce) {
  for (int round = 0; round < 50; ++round) {
    w.memory.clear();
    Recorder seen;
    Breaker breaker = make({.observer = &seen});
    std::vector<Permit> permits;
    for (int i = 0; i < 20; ++i) permits.push_back(permit_of(breaker));
    run_together(20, [&](int i) { std::move(permits[static_cast<std::size_t>(i)]).failure(); });
    const core::BreakerState s = w.state();
    ASSERT_EQ(s.decision.cooldown, 30s);
    ASSERT_EQ(s.tally.late, 15);
    ASSERT_EQ(seen.changes.size(), 1U);
    ASSERT_EQ(breaker.counts().trips_seen, 1U);
  }
}

/// Checks on the fly, and calls back into the breaker now and then.
class Auditor final : public BreakerObserver {
 public:
  void on_phase_change(std::string_view, const core::PhaseChange& change) override {
    const bool alone = !busy_.exchange(true);
    broken += !alone || change.from != at_ || change.to == at_ || change.at < last_;
    at_ = change.to;
    last_ = change.at;
    if (breaker != nullptr) static_cast<void>(breaker->counts());
    busy_ = false;
    if (++told % 3 == 0) throw std::runtime_error("now and then");
  }
  Breaker* breaker = nullptr;
  std::atomic<int> broken{0};
  std::atomic<int> told{0};

 private:
  std::atomic<bool> busy_{false};
  Phase at_ = Phase::closed;  // one call at a time, as promised: needs no lock
  SharedTime last_{};
};

// A storm: outcomes of all kinds, a store that comes and goes, an operator, a clock that runs on. No
// deadlock, every call counted once, each observer's stream an unbroken chain.
TEST_P(Threads, AStormOfEverythingKeepsCountsAndChainsWhole) {
  constexpr int callers = 8;
  constexpr int calls = 1500;
  Auditor auditor;
  Breaker breaker = make({.observer = &auditor});
  auditor.breaker = &breaker;
  std::atomic<std::uint64_t> admitted{0};
  std::atomic<std::uint64_t> refused{0};
  run_together(callers, [&](int who) {
    SeededRandom chance(static_cast<std::uint64_t>(who) + 99);
    for (int i = 0; i < calls; ++i) {
      w.clock.advance(Micros{static_cast<std::int64_t>(chance.next() % 2'000'000)});
      const std::uint64_t what = chance.next() % 100;
      if (what == 0) w.store.set(FaultyStore::Mode::down);
      if (what == 1) w.store.set(FaultyStore::Mode::lost_replies);
      if (what < 20 && what > 1) w.store.set(GetParam());
      if (what == 99) w.operate(core::Action::automatic);
      Admission answer = ask(breaker);
      if (!is_admitted(answer)) {
        ++refused;
        continue;
      }
      ++admitted;
      Permit permit = std::get<Permit>(std::move(answer));
      if (what < 50)
        std::move(permit).failure();
      else if (what < 90)
        std::move(permit).success();
      else if (what < 95)
        std::move(permit).neutral();
    }
  });
  const BreakerCounts c = breaker.counts();
  EXPECT_EQ(c.admitted, admitted);
  EXPECT_EQ(c.rejected, refused);
  EXPECT_EQ(c.admitted, c.successes + c.failures + c.neutrals);
  EXPECT_EQ(auditor.broken, 0);
  EXPECT_GT(auditor.told, 0);
}

}  // namespace
}  // namespace geobreaker::testing
