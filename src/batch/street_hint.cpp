#include "batch/street_hint.hpp"

#include <algorithm>
#include <string_view>

namespace geobreaker {

namespace {

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Cuts the next piece up to one of `ends` off `rest`; empty pieces are skipped.
std::string_view take(std::string_view& rest, std::string_view ends) noexcept {
  rest.remove_prefix(std::min(rest.find_first_not_of(ends), rest.size()));
  const std::string_view piece = rest.substr(0, rest.find_first_of(ends));
  rest.remove_prefix(piece.size());
  return piece;
}

/// How many digits a house number ("7", "7b", "12-14", "3/5", "1745") begins with; 0 if `word` is none.
std::size_t house_number_digits(std::string_view word) noexcept {
  const auto end = std::find_if_not(word.begin(), word.end(), is_digit);
  const auto digits = static_cast<std::size_t>(end - word.begin());
  const std::string_view tail = word.substr(digits);
  const bool range = tail.size() > 1 && (tail[0] == '-' || tail[0] == '/') && is_digit(tail[1]);
  const bool letter = tail.size() == 1 && is_letter(tail[0]);
  return tail.empty() || range || letter ? digits : 0;
}

/// One part between commas.
bool has_street(std::string_view part) noexcept {
  std::size_t words = 0;
  std::size_t fewest = 0;  // digits of the shortest number
  for (std::string_view word = take(part, " "); !word.empty(); word = take(part, " ")) {
    const std::size_t digits = house_number_digits(word);
    if (digits == 0)
      ++words;
    else
      fewest = fewest == 0 ? digits : std::min(fewest, digits);
  }
  // Four digits may as well be a postcode: then one word is the town.
  return (fewest >= 1 && fewest <= 3 && words >= 1) || (fewest == 4 && words >= 2);
}

}  // namespace

bool names_street(const AddressQuery& query) noexcept {
  if (!query.street.empty()) return true;
  if (!query.city.empty() || !query.postcode.empty()) return false;
  std::string_view rest = query.text;
  for (std::string_view part = take(rest, ",;\n"); !part.empty(); part = take(rest, ",;\n"))
    if (has_street(part)) return true;
  return false;
}

}  // namespace geobreaker
