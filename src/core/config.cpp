#include <geobreaker/core/config.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace geobreaker {

namespace {

constexpr Micros ten_seconds{std::chrono::seconds{10}};
constexpr Micros longest{std::chrono::hours{24 * 366}};  // keeps every sum with a store time below 2^53

std::string shown(Micros value) {
  char text[64];
  std::snprintf(text, sizeof text, "%gs", static_cast<double>(value.count()) / 1e6);
  return text;
}

struct Faults {
  std::vector<std::string> lines;

  void unless(bool good, const char* name, const std::string& value, const std::string& allowed) {
    if (!good) lines.push_back(std::string(name) + " is " + value + ": allowed is " + allowed);
  }
  void duration(const char* name, Micros value, Micros least, Micros most, const std::string& allowed) {
    unless(value >= least && value <= most, name, shown(value), allowed);
  }
};

}  // namespace

Micros BreakerConfig::short_window_or_default() const noexcept {
  return short_window.value_or(std::min(ten_seconds, window));
}

Micros BreakerConfig::probe_lease_or_default() const noexcept { return probe_lease.value_or(ten_seconds); }

Micros BreakerConfig::flush_interval_or_default() const noexcept {
  return flush_interval.value_or(std::min(Micros{std::chrono::milliseconds{100}}, window / 4));
}

std::vector<std::string> faults(const BreakerConfig& c) {
  constexpr Micros tick{std::chrono::milliseconds{1}};
  Faults found;
  found.duration("window", c.window, tick, longest, "1ms to 366d");
  found.unless(c.threshold >= 1, "threshold", std::to_string(c.threshold), "1 or more");
  found.unless(std::isfinite(c.failure_rate) && c.failure_rate >= 0 && c.failure_rate <= 1, "failure_rate",
               std::to_string(c.failure_rate), "0 to 1");
  if (c.short_window)
    found.duration("short_window", *c.short_window, tick, std::max(tick, c.window),
                   "1ms to window (" + shown(c.window) + ")");
  found.unless(c.run_threshold >= 1, "run_threshold", std::to_string(c.run_threshold), "1 or more");
  found.duration("base_cooldown", c.base_cooldown, tick, longest, "1ms to 366d");
  found.duration("max_cooldown", c.max_cooldown, std::max(tick, c.base_cooldown), longest,
                 "base_cooldown (" + shown(c.base_cooldown) + ") to 366d");
  if (c.probe_lease) found.duration("probe_lease", *c.probe_lease, tick, longest, "1ms to 366d");
  found.unless(c.min_reporters >= 1 && c.min_reporters <= max_min_reporters, "min_reporters",
               std::to_string(c.min_reporters), "1 to " + std::to_string(max_min_reporters));
  found.duration("slow_call", c.slow_call, Micros{0}, longest, "0 (off) to 366d");
  found.duration("flap_guard", c.flap_guard, Micros{0}, longest, "0 (off) to 366d");
  if (c.flush_interval)
    found.duration("flush_interval", *c.flush_interval, Micros{0}, std::max(Micros{0}, c.window / 4),
                   "0 to window / 4 (" + shown(c.window / 4) + ")");
  found.duration("max_pause_rate", c.max_pause_rate, tick, longest, "1ms to 366d");
  found.duration("max_pause_quota", c.max_pause_quota, tick, longest, "1ms to 366d");
  return std::move(found.lines);
}

}  // namespace geobreaker
