#pragma once

#include "support/core_printers.hpp"

#include <geobreaker/core/transition.hpp>

#include <string>
#include <utility>

namespace geobreaker::testing {

using namespace std::chrono_literals;
using namespace geobreaker::core;

/// A whole second, so that the slices of the default window begin with it.
inline constexpr SharedTime start{Micros{1'700'000'000'000'000}};
inline constexpr LeaseToken token_a{0xa, 1};
inline constexpr LeaseToken token_b{0xb, 2};

/// One provider's state under the transition, with a time that the test moves by hand.
struct Machine {
  BreakerConfig config{};
  BreakerState state{};
  SharedTime now = start;

  Reply apply(const Event& event, const Decision& carried = {}) {
    Transition made = transition(std::move(state), event, config, now, carried);
    state = std::move(made.next);
    return std::move(made.reply);
  }
  void pass(Micros by) { now += by; }

  Reply acquire(LeaseToken token = token_a) { return apply(Acquire{token}); }
  Reply succeed() { return apply(Report{.epoch = epoch(), .verb = Verb::success}); }
  Reply fail(std::string reporter = "host") {
    return apply(Report{.epoch = epoch(), .verb = Verb::failure, .reporter = std::move(reporter)});
  }
  Reply neutral() { return apply(Report{.epoch = epoch(), .verb = Verb::neutral}); }
  Reply end_probe(Verb verb, LeaseToken token = token_a) {
    return apply(Report{.epoch = epoch(), .token = token, .verb = verb});
  }
  Reply evaluate() { return apply(Evaluate{}); }

  [[nodiscard]] const Decision& decision() const { return state.decision; }
  [[nodiscard]] Phase phase() const { return state.decision.phase; }
  [[nodiscard]] std::int64_t epoch() const { return state.decision.epoch; }
  [[nodiscard]] std::int64_t micros() const { return now.time_since_epoch().count(); }
  [[nodiscard]] Answer peek() const { return decide(state.decision, now); }

  /// Five failures and nothing else, at one instant.
  void trip() {
    for (int i = 0; i < config.threshold; ++i) fail();
  }
  void pass_cooldown() { now = std::max(now, state.decision.open_until); }
};

inline Machine open_machine(BreakerConfig config = {}) {
  Machine m{.config = config};
  m.trip();
  return m;
}

/// Half-open: `token_a` holds the lease since this instant.
inline Machine probing_machine(BreakerConfig config = {}) {
  Machine m = open_machine(config);
  m.pass_cooldown();
  m.acquire(token_a);
  return m;
}

inline Reply admitted() { return {.ruling = Ruling::admitted}; }
inline Reply refused(Micros retry_after, Refusal why = Refusal::breaker_open) {
  return {.ruling = Ruling::refused, .refusal = why, .retry_after = retry_after};
}
inline Reply accepted() { return {.ruling = Ruling::accepted}; }
inline Reply late() { return {.ruling = Ruling::late}; }
inline Reply with_change(Ruling ruling, PhaseChange change) {
  return {.ruling = ruling, .changes = {change}};
}

}  // namespace geobreaker::testing
