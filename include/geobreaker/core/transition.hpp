#pragma once

#include <geobreaker/core/config.hpp>
#include <geobreaker/core/event.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace geobreaker::core {

/// Why a phase changed. Stored in the event log: never renumber.
enum class Cause : std::uint8_t {
  share = 0,
  run = 1,
  probe_granted = 2,
  probe_succeeded = 3,
  probe_failed = 4,
  probe_neutral = 5,
  lease_expired = 6,
  operator_act = 7,
  restored = 8,
  noticed = 9,  ///< made by another process, found in a decision: no transition says so
};
[[nodiscard]] std::string_view to_string(Cause cause) noexcept;

struct PhaseChange {
  Phase from = Phase::closed;
  Phase to = Phase::closed;
  Cause cause = Cause::share;
  SharedTime
      at{};  ///< exact: a lease that ran out unnoticed carries its end, not the time at which it was noticed
  friend bool operator==(const PhaseChange&, const PhaseChange&) = default;
};

/// What became of the event.
enum class Ruling : std::uint8_t {
  admitted = 0,       ///< Acquire: call, under `epoch`
  probe_granted = 1,  ///< Acquire: call, alone, until the lease ends
  refused = 2,        ///< Acquire: do not call
  accepted = 3,       ///< anything else: it counted
  late = 4,           ///< Report: it belongs to the past and changed nothing
  stale = 5,          ///< Report: too old when it arrived, not counted
};

struct Reply {
  Ruling ruling = Ruling::accepted;
  Refusal refusal = Refusal::breaker_open;  ///< if refused
  Micros retry_after{};                     ///< if refused
  SharedTime settles_at{};  ///< a trip rule holds and may act from then on: send an Evaluate; zero: none does
  std::vector<PhaseChange> changes{};
  friend bool operator==(const Reply&, const Reply&) = default;
};

struct Transition {
  BreakerState next;
  Reply reply;
};

/// The breaker. Pure: reads no clock, draws no random number, does no I/O; `config` must have no faults.
/// `carried` is the newest decision that the caller knows (version 0: none): if the store's is older, the
/// store has lost it, and it is written anew before the event is looked at.
[[nodiscard]] Transition transition(BreakerState state, const Event& event, const BreakerConfig& config,
                                    SharedTime now, const Decision& carried = {});

/// The cool-down after `failed_probes` failures of a probe in a row: min(base * 2^k, max), without overflow
/// for any k.
[[nodiscard]] Micros cooldown(const BreakerConfig& config, std::int32_t failed_probes) noexcept;

}  // namespace geobreaker::core
