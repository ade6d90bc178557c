#include <geobreaker/http/retry_after.hpp>

#include <array>
#include <charconv>
#include <cstdint>

namespace geobreaker {
namespace {

using std::chrono::day;
using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::month;
using std::chrono::seconds;
using std::chrono::year;
using std::chrono::year_month_day;

constexpr std::array<std::string_view, 12> month_names{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> short_days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 7> long_days{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                    "Thursday", "Friday", "Saturday"};

/// Takes one part of a date after the other; after the first that does not fit, nothing fits.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  void literal(std::string_view expected) {
    if (rest_.starts_with(expected)) {
      rest_.remove_prefix(expected.size());
    } else {
      good_ = false;
    }
  }

  int number(std::size_t digits) {
    int value = 0;
    if (rest_.size() < digits) good_ = false;
    if (!good_) return 0;
    for (const char c : rest_.substr(0, digits)) {
      if (c < '0' || c > '9') good_ = false;
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(digits);
    return value;
  }

  /// asctime pads the day of the month with a space.
  int padded_day() {
    if (!rest_.starts_with(' ')) return number(2);
    literal(" ");
    return number(1);
  }

  template <std::size_t N>
  std::size_t one_of(const std::array<std::string_view, N>& words) {
    for (std::size_t index = 0; index < N; ++index) {
      if (!rest_.starts_with(words[index])) continue;
      rest_.remove_prefix(words[index].size());
      return index;
    }
    good_ = false;
    return 0;
  }

  [[nodiscard]] bool complete() const { return good_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

struct Fields {
  int year = 0;
  std::size_t month_index = 0;
  int day_of_month = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
};

void scan_time(Scanner& scanner, Fields& fields) {
  fields.hour = scanner.number(2);
  scanner.literal(":");
  fields.minute = scanner.number(2);
  scanner.literal(":");
  fields.second = scanner.number(2);
}

std::optional<Fields> scan_fixed(std::string_view text) {  // Sun, 06 Nov 1994 08:49:37 GMT
  Scanner scanner(text);
  Fields fields;
  scanner.one_of(short_days);
  scanner.literal(", ");
  fields.day_of_month = scanner.number(2);
  scanner.literal(" ");
  fields.month_index = scanner.one_of(month_names);
  scanner.literal(" ");
  fields.year = scanner.number(4);
  scanner.literal(" ");
  scan_time(scanner, fields);
  scanner.literal(" GMT");
  return scanner.complete() ? std::optional(fields) : std::nullopt;
}

std::optional<Fields> scan_rfc850(std::string_view text) {  // Sunday, 06-Nov-94 08:49:37 GMT
  Scanner scanner(text);
  Fields fields;
  scanner.one_of(long_days);
  scanner.literal(", ");
  fields.day_of_month = scanner.number(2);
  scanner.literal("-");
  fields.month_index = scanner.one_of(month_names);
  scanner.literal("-");
  fields.year = scanner.number(2);
  scanner.literal(" ");
  scan_time(scanner, fields);
  scanner.literal(" GMT");
  return scanner.complete() ? std::optional(fields) : std::nullopt;
}

std::optional<Fields> scan_asctime(std::string_view text) {  // Sun Nov  6 08:49:37 1994
  Scanner scanner(text);
  Fields fields;
  scanner.one_of(short_days);
  scanner.literal(" ");
  fields.month_index = scanner.one_of(month_names);
  scanner.literal(" ");
  fields.day_of_month = scanner.padded_day();
  scanner.literal(" ");
  scan_time(scanner, fields);
  scanner.literal(" ");
  fields.year = scanner.number(4);
  return scanner.complete() ? std::optional(fields) : std::nullopt;
}

std::optional<SharedTime> assemble(const Fields& fields) {
  const year_month_day date{year{fields.year}, month{static_cast<unsigned>(fields.month_index) + 1},
                            day{static_cast<unsigned>(fields.day_of_month)}};
  // 60: a leap second.
  if (!date.ok() || fields.hour > 23 || fields.minute > 59 || fields.second > 60) return std::nullopt;
  const auto since_epoch = std::chrono::sys_days(date).time_since_epoch() + hours{fields.hour} +
                           minutes{fields.minute} + seconds{fields.second};
  return SharedTime{std::chrono::duration_cast<SharedClock::duration>(since_epoch)};
}

/// RFC 9110: a date that seems to lie more than 50 years ahead means the most recent year with these digits.
int full_year(int two_digits, SharedTime now) {
  const auto today = std::chrono::floor<days>(now.time_since_epoch());
  const int this_year = static_cast<int>(year_month_day{std::chrono::sys_days{today}}.year());
  const int candidate = this_year - this_year % 100 + two_digits;
  return candidate > this_year + 50 ? candidate - 100 : candidate;
}

std::string_view trimmed(std::string_view text) noexcept {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

std::optional<SharedTime> parse_http_date(std::string_view text, SharedTime now) noexcept {
  text = trimmed(text);
  if (const auto fields = scan_fixed(text)) return assemble(*fields);
  if (const auto fields = scan_asctime(text)) return assemble(*fields);
  auto fields = scan_rfc850(text);
  if (!fields) return std::nullopt;
  fields->year = full_year(fields->year, now);
  return assemble(*fields);
}

std::optional<milliseconds> parse_retry_after(std::string_view value, SharedTime now,
                                              milliseconds cap) noexcept {
  value = trimmed(value);
  if (value.empty() || cap <= milliseconds::zero()) return std::nullopt;
  if (value.find_first_not_of("0123456789") == std::string_view::npos) {
    std::uint64_t wanted = 0;
    const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), wanted);
    const auto cap_seconds = static_cast<std::uint64_t>(cap.count()) / 1000;
    if (fault != std::errc{} || wanted > cap_seconds)
      return cap;  // more than any integer is more than the cap
    if (wanted == 0) return std::nullopt;
    return seconds{static_cast<std::int64_t>(wanted)};
  }
  const auto until = parse_http_date(value, now);
  if (!until || *until <= now) return std::nullopt;
  const auto wanted = *until - now;
  return wanted >= cap ? cap : std::chrono::ceil<milliseconds>(wanted);
}

}  // namespace geobreaker
