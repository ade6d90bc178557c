#pragma once

#include <geobreaker/clock.hpp>

#include <atomic>

namespace geobreaker::testing {

/// A clock that moves only when a test says so. Threads: any, concurrently.
class ManualClock final : public Clock {
 public:
  ManualClock() = default;
  explicit ManualClock(SharedTime start) : shared_us_(start.time_since_epoch().count()) {}

  /// Time passes, on both clocks.
  void advance(Micros by) noexcept {
    shared_us_ += by.count();
    steady_us_ += by.count();
  }
  /// The wall clock is set; no time passes.
  void jump(Micros by) noexcept { shared_us_ += by.count(); }

  SharedTime shared_now() noexcept override { return SharedTime{Micros{shared_us_.load()}}; }
  SteadyTime steady_now() noexcept override { return SteadyTime{Micros{steady_us_.load()}}; }

 private:
  // Sequentially consistent: a test that advances and then starts others must be seen by them.
  std::atomic<Micros::rep> shared_us_{1'700'000'000'000'000};
  std::atomic<Micros::rep> steady_us_{0};
};

}  // namespace geobreaker::testing
