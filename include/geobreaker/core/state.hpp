#pragma once

#include <geobreaker/core/decision.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace geobreaker::core {

/// Names one grant of the probe lease. Made by the asker, from a random source; zero: no token.
struct LeaseToken {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  [[nodiscard]] bool empty() const noexcept { return high == 0 && low == 0; }
  friend bool operator==(const LeaseToken&, const LeaseToken&) = default;
};

/// What arrived within one slice of the window.
struct Bucket {
  std::int64_t index = 0;  ///< store time divided by the bucket width
  std::int64_t calls = 0;
  std::int64_t failures = 0;
  Micros flush{};  ///< the largest flush interval that a reporter announced in it
  friend bool operator==(const Bucket&, const Bucket&) = default;
};

/// A host that reported a failure, and when last.
struct Reporter {
  std::string host{};
  SharedTime last{};
  friend bool operator==(const Reporter&, const Reporter&) = default;
};

/// The counted past: its size depends on window and bucket width, never on the call rate.
struct Window {
  Micros bucket_width{};  ///< fixed by the first bucket, so that workers configured differently can share it
  std::vector<Bucket> buckets{};  ///< by rising index
  std::int64_t run = 0;           ///< failures in a row
  SharedTime run_first{};         ///< when the first of them arrived
  SharedTime run_last{};
  SharedTime share_since{};  ///< since when the share rule has held without a break; zero: it does not
  std::vector<Reporter> reporters{};  ///< the latest ones, at most max_min_reporters, by falling time
  friend bool operator==(const Window&, const Window&) = default;
};

/// Counted for ever; they say how often a rule of the protocol had to set something aside.
struct Tally {
  std::int64_t late = 0;       ///< reports of a past epoch, or without the latest token
  std::int64_t abandoned = 0;  ///< leases that ended without a report and were taken over
  std::int64_t stale = 0;      ///< reports older than short_window when they arrived
  std::int64_t restored = 0;   ///< decisions written anew after the store had lost them
  friend bool operator==(const Tally&, const Tally&) = default;
};

/// Everything shared about one provider.
struct BreakerState {
  Decision decision{};
  LeaseToken
      token{};  ///< of the latest grant; stays after the lease ended, until it is released or taken over
  std::int32_t neutral_probes = 0;  ///< in a row
  SharedTime closed_at{};           ///< when a probe closed it last; zero: never
  Window window{};
  Tally tally{};
  friend bool operator==(const BreakerState&, const BreakerState&) = default;
};

}  // namespace geobreaker::core
