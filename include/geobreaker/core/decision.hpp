#pragma once

#include <geobreaker/clock.hpp>

#include <cstdint>
#include <string_view>

namespace geobreaker::core {

/// Stored and sent to other processes: never renumber.
enum class Phase : std::uint8_t { closed = 0, open = 1, half_open = 2 };
enum class PauseReason : std::uint8_t { none = 0, rate = 1, quota = 2 };
enum class Forced : std::uint8_t { none = 0, open = 1, closed = 2 };

[[nodiscard]] std::string_view to_string(Phase phase) noexcept;

/// All that is needed to answer "may I call?", as every replica holds it.
/// `version` orders decisions (higher is newer); `epoch` judges permits and reports.
struct Decision {
  std::int64_t version = 0;  ///< 0: the store has never written one
  std::int64_t epoch = 0;
  Phase phase = Phase::closed;
  SharedTime open_until{};  ///< open: the end of the cool-down
  Micros cooldown{};  ///< how long that cool-down is in all; bounds open_until when the store's clock steps
  std::int32_t failed_probes = 0;
  SharedTime lease_end{};  ///< half-open: until when the prober alone may call
  Micros lease{};
  SharedTime pause_until{};
  Micros pause{};
  PauseReason pause_reason = PauseReason::none;
  Forced forced = Forced::none;
  SharedTime forced_until{};
  Micros forced_for{};
  SharedTime failures_until{};  ///< until then the window may hold failures: successes are wanted soon
  bool restored = false;        ///< written anew by a worker after the store had lost it
  friend bool operator==(const Decision&, const Decision&) = default;
};

/// Why a call is refused without asking the provider.
enum class Refusal : std::uint8_t { breaker_open = 1, forced_open = 2, paused_rate = 3, paused_quota = 4 };

enum class Verdict : std::uint8_t {
  admit,      ///< call; report under `Decision::epoch`
  may_probe,  ///< the cool-down is over: whoever gets the lease may call
  refuse,
};

struct Answer {
  Verdict verdict = Verdict::admit;
  Refusal refusal = Refusal::breaker_open;  ///< meaningful if verdict is refuse
  Micros retry_after{};                     ///< refuse: when it is worth asking again, never negative
  friend bool operator==(const Answer&, const Answer&) = default;
};

/// The hot path's share of the transition: what `acquire` would say at `now`, without side effect (the
/// design's `peek`). Precedence: forced-open, pause, forced-closed, phase.
[[nodiscard]] Answer decide(const Decision& decision, SharedTime now) noexcept;

/// Whether an operator's state holds at `now`.
[[nodiscard]] bool is_forced(const Decision& decision, Forced mode, SharedTime now) noexcept;
[[nodiscard]] bool is_paused(const Decision& decision, SharedTime now) noexcept;

}  // namespace geobreaker::core
