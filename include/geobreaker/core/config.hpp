#pragma once

#include <geobreaker/clock.hpp>

#include <optional>
#include <string>
#include <vector>

namespace geobreaker {

/// How one provider's breaker behaves. Defaults are the design's (section 4.1).
/// Plain data: `faults` says what is wrong with it, nothing here corrects a value silently.
struct BreakerConfig {
  Micros window{std::chrono::seconds{60}};  ///< failures older than this no longer count
  int threshold = 5;                        ///< the share rule needs at least so many failures
  double failure_rate = 0.20;  ///< and at least this share of the calls; 0: a plain count of failures
  std::optional<Micros>
      short_window{};      ///< the second, faster window; unset: 10 s, or `window` if that is shorter
  int run_threshold = 10;  ///< so many failures in a row, fleet-wide, open it as well
  Micros base_cooldown{std::chrono::seconds{30}};
  Micros max_cooldown{std::chrono::seconds{600}};
  std::optional<Micros> probe_lease{};  ///< unset: 10 s, or what the owner of the time-out computes
  int min_reporters = 1;                ///< distinct hosts among the failures that trip
  Micros slow_call{0};                  ///< a call longer than this is a failure; 0: off
  Micros flap_guard{0};                 ///< a trip so soon after a close continues the growth; 0: off
  std::optional<Micros>
      flush_interval{};  ///< unset: 100 ms, or window / 4 if that is shorter; 0: reports go at once
  Micros max_pause_rate{std::chrono::hours{1}};         ///< cap of a Retry-After
  Micros max_pause_quota{std::chrono::hours{24 * 32}};  ///< cap of a pause until a quota's reset

  [[nodiscard]] Micros short_window_or_default() const noexcept;
  [[nodiscard]] Micros probe_lease_or_default() const noexcept;
  [[nodiscard]] Micros flush_interval_or_default() const noexcept;
  friend bool operator==(const BreakerConfig&, const BreakerConfig&) = default;
};

/// One line per faulty field: its name, its value, what is allowed. Empty: the configuration is usable.
[[nodiscard]] std::vector<std::string> faults(const BreakerConfig& config);

/// The most seats that `min_reporters` can ask for: so many of the latest reporting hosts are remembered.
inline constexpr int max_min_reporters = 16;

}  // namespace geobreaker
