#include "redis/numbers.hpp"

#include <algorithm>
#include <charconv>

namespace geobreaker::redis {

void append_number(std::string& text, std::int64_t value) {
  char digits[20];
  const auto [end, error] =
      std::to_chars(digits, digits + sizeof digits, std::clamp(value, std::int64_t{0}, largest_number));
  text.append(digits, end);
}

std::int64_t NumberReader::next(std::int64_t most) noexcept {
  if (!first_) {
    good_ = good_ && !rest_.empty() && rest_.front() == ' ';
    if (good_) rest_.remove_prefix(1);
  }
  first_ = false;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
  good_ = good_ && error == std::errc{} && value >= 0 && value <= most;
  if (!good_) return 0;
  rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
  return value;
}

}  // namespace geobreaker::redis
