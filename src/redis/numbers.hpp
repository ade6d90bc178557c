#pragma once

#include <geobreaker/clock.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace geobreaker::redis {

/// The largest integer that every party, Lua's doubles included, holds exactly.
inline constexpr std::int64_t largest_number = (std::int64_t{1} << 53) - 1;

/// Appends `value`, brought into 0 to largest_number, as decimal digits.
void append_number(std::string& text, std::int64_t value);

/// Reads integers that single spaces separate. Once anything is malformed, `good` stays false.
class NumberReader {
 public:
  explicit NumberReader(std::string_view text) : rest_(text) {}
  /// The next one; out of 0 to `most`: malformed.
  std::int64_t next(std::int64_t most = largest_number) noexcept;
  SharedTime next_time() noexcept { return SharedTime{Micros{next()}}; }
  Micros next_span() noexcept { return Micros{next()}; }
  /// Whether all was well formed and nothing is left.
  [[nodiscard]] bool finished() const noexcept { return good_ && rest_.empty(); }
  [[nodiscard]] bool good() const noexcept { return good_; }

 private:
  std::string_view rest_;
  bool good_ = true;
  bool first_ = true;
};

}  // namespace geobreaker::redis
