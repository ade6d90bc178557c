#include "config/values.hpp"

#include "config/quote.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace geobreaker::config {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t micros;
};
/// From the largest to the smallest: the order in which parts follow each other.
constexpr std::array<Unit, 6> units{{{"d", 86'400'000'000},
                                     {"h", 3'600'000'000},
                                     {"m", 60'000'000},
                                     {"s", 1'000'000},
                                     {"ms", 1'000},
                                     {"us", 1}}};
constexpr std::string_view duration_allowed =
    R"(a number with one of the units us, ms, s, m, h, d, such as "500ms")";
constexpr std::string_view rate_allowed =
    R"(a positive number of calls per s, m, h or d, such as "50/s" or "2500/d")";
constexpr double most_calls_per_second = 1e6;

Error refused(std::string_view text, std::string_view problem, std::string_view allowed) {
  return {Errc::invalid_config,
          in_quotes(text).append(" ").append(problem).append(": allowed is ").append(allowed)};
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

std::string_view take_while(std::string_view& text, bool (*wanted)(char)) noexcept {
  const auto end = std::find_if_not(text.begin(), text.end(), wanted);
  const auto length = static_cast<std::size_t>(end - text.begin());
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(length);
  return taken;
}

struct Number {
  std::string_view whole;
  std::string_view fraction;
};

/// Digits, with a fraction if there is a point; nothing if it is anything else.
std::optional<Number> take_number(std::string_view& text) noexcept {
  Number number{take_while(text, is_digit), {}};
  if (number.whole.empty()) return std::nullopt;
  if (!text.starts_with('.')) return number;
  text.remove_prefix(1);
  number.fraction = take_while(text, is_digit);
  if (number.fraction.empty()) return std::nullopt;
  return number;
}

enum class Size : std::uint8_t { fits, too_long, too_fine };
struct Scaled {
  Size size = Size::fits;
  std::int64_t micros = 0;
};

/// `number` times `unit`, exactly: integer arithmetic, since a binary fraction of "0.1s" would not
/// round-trip.
Scaled scale(const Number& number, std::int64_t unit) noexcept {
  const std::int64_t most = longest_duration.count() / unit;
  std::int64_t whole = 0;
  for (const char c : number.whole) {
    whole = whole * 10 + (c - '0');
    if (whole > most) return {Size::too_long, 0};
  }
  // From the last digit on: if the sum is a whole number of microseconds, every step of this division is
  // exact.
  std::int64_t part = 0;
  for (auto digit = number.fraction.rbegin(); digit != number.fraction.rend(); ++digit) {
    part += (*digit - '0') * unit;
    if (part % 10 != 0) return {Size::too_fine, 0};
    part /= 10;
  }
  const std::int64_t micros = whole * unit + part;
  return {micros > longest_duration.count() ? Size::too_long : Size::fits, micros};
}

/// Digits of `fraction` of `whole` (a power of ten), without trailing zeros, with the point before them.
std::string decimals(std::int64_t fraction, std::int64_t whole) {
  std::string out;
  for (; fraction != 0; fraction %= whole) {
    whole /= 10;
    out.push_back(static_cast<char>('0' + fraction / whole));
  }
  return out.empty() ? out : "." + out;
}

std::string format_positive(std::int64_t micros) {
  const auto unit_of = [](std::string_view name) {
    return *std::find_if(units.begin(), units.end(), [name](const Unit& unit) { return unit.name == name; });
  };
  std::string out;
  for (const std::string_view name : {"d", "h", "m"}) {
    const Unit unit = unit_of(name);
    if (micros >= unit.micros) out.append(std::to_string(micros / unit.micros)).append(name);
    micros %= unit.micros;
  }
  if (micros == 0) return out;
  const bool below_a_second = out.empty() && micros < 1'000'000;
  const Unit last = unit_of(!below_a_second ? "s" : micros >= 1'000 ? "ms" : "us");
  out += std::to_string(micros / last.micros);
  return out.append(decimals(micros % last.micros, last.micros)).append(last.name);
}

}  // namespace

Result<Micros> parse_duration(std::string_view text) {
  if (text == "0") return Micros{0};
  if (text.empty()) return refused(text, "is empty", duration_allowed);
  if (text.starts_with('-')) return refused(text, "is negative", duration_allowed);
  std::string_view rest = text;
  std::size_t next_unit = 0;  // parts go from large to small, each unit once
  std::int64_t sum = 0;
  while (!rest.empty()) {
    const auto number = take_number(rest);
    if (!number) return refused(text, "is not a number with a unit", duration_allowed);
    const std::string_view name = take_while(rest, [](char c) { return !is_digit(c) && c != '.'; });
    if (name.empty()) return refused(text, "has no unit", duration_allowed);
    const auto unit =
        std::find_if(units.begin(), units.end(), [name](const Unit& u) { return u.name == name; });
    if (unit == units.end()) {
      return refused(text, "has the unknown unit " + in_quotes(name), duration_allowed);
    }
    const auto index = static_cast<std::size_t>(unit - units.begin());
    if (index < next_unit || (!number->fraction.empty() && !rest.empty())) {
      return refused(text, "has its parts in no order",
                     R"(larger units first, a fraction in the last part only, such as "1h30m")");
    }
    next_unit = index + 1;
    const Scaled part = scale(*number, unit->micros);
    if (part.size == Size::too_fine)
      return refused(text, "is finer than a microsecond", "whole microseconds");
    if (part.size == Size::too_long || part.micros > longest_duration.count() - sum) {
      return refused(text, "is too long", "at most 104249d");
    }
    sum += part.micros;
  }
  return Micros{sum};
}

std::string format_duration(Micros duration) {
  if (duration.count() == 0) return "0";
  if (duration.count() > 0) return format_positive(duration.count());
  // The smallest value has no positive counterpart; one microsecond less does not matter to a message.
  return "-" + format_positive(-std::max(duration.count(), -std::numeric_limits<std::int64_t>::max()));
}

double Rate::per_second() const noexcept { return count / std::chrono::duration<double>(period).count(); }

Micros Rate::interval() const noexcept {
  const double micros = static_cast<double>(period.count()) / count;
  const auto most = static_cast<double>(longest_duration.count());
  return std::max(Micros{1}, Micros{static_cast<std::int64_t>(std::clamp(std::ceil(micros), 0.0, most))});
}

Result<Rate> parse_rate(std::string_view text) {
  std::string_view rest = text;
  const auto number = take_number(rest);
  const auto unit = !number || !rest.starts_with('/')
                        ? units.end()
                        : std::find_if(units.begin(), units.begin() + 4,
                                       [name = rest.substr(1)](const Unit& u) { return u.name == name; });
  if (unit == units.end() || unit == units.begin() + 4) return refused(text, "is no rate", rate_allowed);
  Rate rate{0, Micros{unit->micros}};
  const char* end = number->fraction.empty() ? number->whole.data() + number->whole.size()
                                             : number->fraction.data() + number->fraction.size();
  const auto read = std::from_chars(text.data(), end, rate.count, std::chars_format::fixed);
  if (read.ec != std::errc{} && read.ec != std::errc::result_out_of_range) {
    return refused(text, "is no rate", rate_allowed);
  }
  if (read.ec == std::errc::result_out_of_range || rate.per_second() > most_calls_per_second) {
    return refused(text, "is out of range", "at most 1000000/s, and more than 0");
  }
  if (!(rate.count > 0)) return refused(text, "allows no call at all", rate_allowed);
  if (rate.interval() >= longest_duration) return refused(text, "is too slow", "at least 1 call in 104249d");
  return rate;
}

std::string format_rate(const Rate& rate) {
  std::array<char, 400> digits{};
  const auto written =
      std::to_chars(digits.data(), digits.data() + digits.size(), rate.count, std::chars_format::fixed);
  std::string period = format_duration(rate.period);
  if (period.starts_with('1') && period.size() == 2) period.erase(0, 1);  // "1s" is written "/s"
  return std::string(digits.data(), written.ptr).append("/").append(period);
}

}  // namespace geobreaker::config
