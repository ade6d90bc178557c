#pragma once

#include "support/core_printers.hpp"
#include "support/faulty_store.hpp"
#include "support/manual_clock.hpp"

#include <geobreaker/breaker.hpp>
#include <geobreaker/store/memory_store.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace geobreaker::testing {

using namespace std::chrono_literals;
using core::Phase;
using core::Refusal;
using core::Verdict;

/// Keeps what it is told.
class Recorder final : public BreakerObserver {
 public:
  void on_phase_change(std::string_view, const core::PhaseChange& change) override {
    changes.push_back(change);
  }
  void on_store_lost(std::string_view, const Error&) override { ++lost; }
  void on_store_back(std::string_view) override { ++back; }

  std::vector<core::PhaseChange> changes;
  int lost = 0;
  int back = 0;
};

/// Where a breaker stands: a memory store behind one that can be made to fail, on a clock moved by hand.
struct World {
  using Mode = FaultyStore::Mode;

  ManualClock clock;
  MemoryStore memory{clock};
  FaultyStore store{memory, Mode::at_once};
  SeededRandom random{7};
  BreakerConfig config;

  [[nodiscard]] Breaker make(BreakerOptions options = {}) {
    auto made = Breaker::create("nominatim", config, store, clock, random, std::move(options));
    if (!made) throw std::invalid_argument(made.error().detail);
    return std::move(made).value();
  }
  [[nodiscard]] core::BreakerState state() const { return memory.state("nominatim"); }
  [[nodiscard]] Phase phase() const { return state().decision.phase; }
  void operate(core::Action action) {
    const core::Event event = core::Operate{action, 1h};
    EXPECT_TRUE(memory.apply_at_once({"nominatim", event, config, {}}));
  }
};

/// Asks without waiting: the stores of these tests answer at once or hold the answer.
inline Admission ask(Breaker& breaker) { return breaker.acquire_blocking(); }

inline Permit permit_of(Breaker& breaker) {
  Admission answer = ask(breaker);
  if (!std::holds_alternative<Permit>(answer)) throw std::logic_error("refused where a permit was expected");
  return std::get<Permit>(std::move(answer));
}
inline bool is_admitted(const Admission& answer) { return std::holds_alternative<Permit>(answer); }
inline Rejection rejection_of(Breaker& breaker) {
  const Admission answer = ask(breaker);
  if (is_admitted(answer)) throw std::logic_error("admitted where a refusal was expected");
  return std::get<Rejection>(answer);
}

inline void fail(Breaker& breaker, int times = 1) {
  for (int i = 0; i < times; ++i) permit_of(breaker).failure();
}
inline void succeed(Breaker& breaker, int times = 1) {
  for (int i = 0; i < times; ++i) permit_of(breaker).success();
}

}  // namespace geobreaker::testing
