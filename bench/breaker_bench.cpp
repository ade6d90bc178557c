// What the breaker costs a call in a process that shares nothing: the decision, and the decision with its
// report, beside a loop that does nothing and a counter behind a mutex. The time of two threads is the wall
// time divided by the calls of both: perfect scaling halves it.
#include <geobreaker/breaker.hpp>
#include <geobreaker/store/memory_store.hpp>

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>

namespace geobreaker {
namespace {

/// A breaker on a memory store, shared by the threads of a benchmark.
class Bench {
 public:
  Bench() : store_(clock_) {
    auto made = Breaker::create("bench", {}, store_, clock_, random_);
    if (!made) std::abort();
    breaker_.emplace(std::move(*made));
  }
  [[nodiscard]] Breaker& breaker() noexcept { return *breaker_; }
  void force_open() {
    store_.apply({"bench", core::Operate{.action = core::Action::open}, BreakerConfig{}, {}}, [](auto) {});
  }
  static Bench& closed() {
    static Bench bench;
    return bench;
  }
  static Bench& open() {
    static Bench bench;
    static const bool forced = (bench.force_open(), true);
    benchmark::DoNotOptimize(forced);
    return bench;
  }

 private:
  SystemClock clock_;
  SystemRandom random_;
  MemoryStore store_;
  std::optional<Breaker> breaker_;
};

void empty_loop(benchmark::State& state) {
  std::uint64_t calls = 0;
  for (auto _ : state) benchmark::DoNotOptimize(++calls);
}

void mutex_and_counter(benchmark::State& state) {
  static std::mutex mutex;
  static std::uint64_t calls = 0;
  for (auto _ : state) {
    const std::lock_guard lock(mutex);
    benchmark::DoNotOptimize(++calls);
  }
}

void clock_read(benchmark::State& state) {
  SystemClock clock;
  for (auto _ : state) benchmark::DoNotOptimize(clock.steady_now());
}

void decide_closed(benchmark::State& state) {
  core::Decision decision;
  const SharedTime now{std::chrono::hours{1}};
  for (auto _ : state) {
    benchmark::DoNotOptimize(decision);
    benchmark::DoNotOptimize(core::decide(decision, now));
  }
}

void decide_open(benchmark::State& state) {
  const SharedTime now{std::chrono::hours{1}};
  core::Decision decision;
  decision.phase = core::Phase::open;
  decision.open_until = now + std::chrono::seconds{30};
  for (auto _ : state) {
    benchmark::DoNotOptimize(decision);
    benchmark::DoNotOptimize(core::decide(decision, now));
  }
}

void admit_and_report(benchmark::State& state) {
  Breaker& breaker = Bench::closed().breaker();
  for (auto _ : state) {
    auto admission = breaker.try_acquire();
    std::get<Permit>(std::move(*admission)).success();
  }
}

void reject(benchmark::State& state) {
  Breaker& breaker = Bench::open().breaker();
  for (auto _ : state) benchmark::DoNotOptimize(breaker.try_acquire());
}

void peek(benchmark::State& state) {
  const Breaker& breaker = Bench::closed().breaker();
  for (auto _ : state) benchmark::DoNotOptimize(breaker.peek());
}

BENCHMARK(empty_loop)->Threads(1)->Threads(2)->UseRealTime();
BENCHMARK(mutex_and_counter)->Threads(1)->Threads(2)->UseRealTime();
BENCHMARK(clock_read);
BENCHMARK(decide_closed);
BENCHMARK(decide_open);
BENCHMARK(peek)->Threads(1)->Threads(2)->UseRealTime();
BENCHMARK(admit_and_report)->Threads(1)->Threads(2)->UseRealTime();
BENCHMARK(reject)->Threads(1)->Threads(2)->UseRealTime();

}  // namespace
}  // namespace geobreaker
