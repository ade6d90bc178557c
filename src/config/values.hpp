#pragma once

#include <geobreaker/clock.hpp>
#include <geobreaker/result.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace geobreaker::config {

/// The longest duration that a setting may name: 2^53 microseconds, the largest integer of the shared state.
inline constexpr Micros longest_duration{std::int64_t{1} << 53U};

/// Reads a duration with its unit: "500ms", "2s", "1.5s", "1h30m", "100us", "1d"; "0" alone needs none.
/// Several parts go from the larger unit to the smaller one, each unit once; a fraction is allowed in the
/// last part. Errors:  invalid_config: no or unknown unit, a sign, a part of a microsecond, over
/// `longest_duration`.
[[nodiscard]] Result<Micros> parse_duration(std::string_view text);

/// The shortest text that `parse_duration` reads back as `duration` ("1m30s", "1.5s", "0"). A negative one,
/// which no setting may have but a message may have to show, gets a minus sign.
[[nodiscard]] std::string format_duration(Micros duration);

/// So many calls in each period.
struct Rate {
  double count = 1;
  Micros period{std::chrono::seconds{1}};

  [[nodiscard]] double per_second() const noexcept;
  /// Time from one call to the next when they are spread evenly; at least 1 us.
  [[nodiscard]] Micros interval() const noexcept;
  friend bool operator==(const Rate&, const Rate&) = default;
};

/// Reads "50/s", "0.5/s", "3000/m", "100/h", "2500/d".
/// Errors:  invalid_config: not a positive number of calls per s, m, h or d, or more than 1,000,000 a second.
[[nodiscard]] Result<Rate> parse_rate(std::string_view text);
[[nodiscard]] std::string format_rate(const Rate& rate);

}  // namespace geobreaker::config
