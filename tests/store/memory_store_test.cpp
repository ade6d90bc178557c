#include "store/store_contract.hpp"
#include "support/manual_clock.hpp"

#include <geobreaker/store/memory_store.hpp>

#include <barrier>
#include <mutex>

namespace geobreaker::testing {

namespace {

struct MemoryFixture {
  BreakerStore& store() { return memory; }
  void advance(Micros by) { clock.advance(by); }
  SharedTime now() { return clock.shared_now(); }
  void lose_state() { memory.clear(); }

  ManualClock clock;
  MemoryStore memory{clock};
};

INSTANTIATE_TYPED_TEST_SUITE_P(Memory, StoreContract, MemoryFixture);

/// The mutant: looks and writes in two steps, each under the lock, as a read-modify-write over a network
/// would.
class DecideThenWriteStore final : public BreakerStore {
 public:
  explicit DecideThenWriteStore(Clock& clock) : clock_(clock) {}
  void read(std::string_view, ReadHandler done) override {
    done(Reading{copy().decision, clock_.shared_now()});
  }
  void apply(const StoreCall& call, ApplyHandler done) override {
    core::Transition made =
        core::transition(copy(), call.event, call.config, clock_.shared_now(), call.carried);
    std::this_thread::yield();
    StoreReply answer{std::move(made.reply), made.next.decision, clock_.shared_now()};
    {
      const std::lock_guard lock(mutex_);
      state_ = std::move(made.next);
    }
    done(std::move(answer));
  }

 private:
  core::BreakerState copy() {
    const std::lock_guard lock(mutex_);
    return state_;
  }
  Clock& clock_;
  std::mutex mutex_;
  core::BreakerState state_;
};

struct Rounds {
  int with_one_probe = 0;
  int with_more = 0;
  int counted_once = 0;  ///< failed_probes rose by exactly 1
};

/// F7: so many threads ask at once when the cool-down is over; whoever becomes the probe reports its failure
/// immediately.
Rounds twenty_at_once(BreakerStore& store, ManualClock& clock, int rounds, bool stop_at_fault) {
  constexpr int workers = 20;
  const BreakerConfig config;
  const auto apply = [&](const core::Event& event) {
    StoreReply reply;
    store.apply({"nominatim", event, config, {}},
                [&](Result<StoreReply> answer) { reply = std::move(answer).value(); });
    return reply;
  };
  Rounds seen;
  std::atomic<int> probes{0};
  std::atomic<bool> over{false};
  std::barrier gate(workers + 1);
  std::vector<std::thread> threads;
  for (int worker = 0; worker < workers; ++worker)
    threads.emplace_back([&, worker] {
      for (std::uint64_t round = 1;; ++round) {
        gate.arrive_and_wait();
        if (over) return;
        const core::LeaseToken token{round, static_cast<std::uint64_t>(worker) + 1};
        const StoreReply reply = apply(core::Acquire{token});
        if (reply.reply.ruling == core::Ruling::probe_granted) {
          ++probes;
          core::Report failure;
          failure.epoch = reply.decision.epoch;
          failure.token = token;
          failure.verb = core::Verb::failure;
          apply(failure);
        }
        gate.arrive_and_wait();
      }
    });
  for (int round = 0; round < rounds; ++round) {
    apply(core::Operate{core::Action::open, std::chrono::hours{1}});
    apply(core::Operate{core::Action::automatic, {}});  // a probe is due
    clock.advance(Micros{1});
    probes = 0;
    gate.arrive_and_wait();
    gate.arrive_and_wait();
    ++(probes == 1 ? seen.with_one_probe : seen.with_more);
    if (apply(core::Evaluate{}).decision.failed_probes == 1) ++seen.counted_once;
    if (stop_at_fault && probes > 1) break;
  }
  over = true;
  gate.arrive_and_wait();
  for (std::thread& thread : threads) thread.join();
  return seen;
}

TEST(MemoryStore, F7TwentyThreadsAtOnceGetExactlyOneProbeInAThousandRounds) {
  ManualClock clock;
  MemoryStore store(clock);
  const Rounds seen = twenty_at_once(store, clock, 1000, false);
  EXPECT_EQ(seen.with_one_probe, 1000);
  EXPECT_EQ(seen.counted_once, 1000);
}

TEST(MemoryStore, F17TheSameTestFindsTheMutantThatDecidesAndWritesInTwoSteps) {
  ManualClock clock;
  DecideThenWriteStore store(clock);
  EXPECT_GT(twenty_at_once(store, clock, 1000, true).with_more, 0);
}

TEST(MemoryStore, AnswersWithoutWaiting) {
  ManualClock clock;
  MemoryStore store(clock);
  const BreakerConfig config;
  const auto answer = store.apply_at_once({"nominatim", core::Acquire{{1, 1}}, config, {}});
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->reply.ruling, core::Ruling::admitted);
}

}  // namespace

}  // namespace geobreaker::testing
