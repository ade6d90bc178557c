#include "geocode/words.hpp"

#include <geobreaker/geocode/answer.hpp>

namespace geobreaker {
namespace {

// In the order of the enumerators, which is the order of rank.
constexpr std::array<std::string_view, 8> precision_words{"unknown",  "country", "region",       "locality",
                                                          "postcode", "street",  "interpolated", "rooftop"};
static_assert(precision_words[static_cast<std::size_t>(Precision::rooftop)] == "rooftop");

}  // namespace

std::string_view to_string(Precision precision) noexcept {
  return detail::word_of(precision_words, precision);
}

std::optional<Precision> precision_from(std::string_view word) noexcept {
  return detail::enumerator_of<Precision>(precision_words, word);
}

}  // namespace geobreaker
