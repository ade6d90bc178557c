#pragma once

#include "provider/gazetteer/tokens.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

// Postcodes with letters, whose shape alone tells the country: K7L 1A1 is Canadian, PE21 6AA British.
namespace geobreaker::gazetteer {

struct LetteredPostcode {
  std::size_t first = 0;  // tokens
  std::size_t end = 0;
  std::string_view country;  // by name
  std::string_view region;   // by name; empty if the postcode does not tell
};

/// The last one in the text or the columns. Half a postcode ("K7L", "PE21") counts in a postcode column only,
/// a British one elsewhere only at the end of its comma-separated part ("Flat E1 2nd Floor" is none).
[[nodiscard]] std::optional<LetteredPostcode> lettered_postcode(const TokenList& tokens) noexcept;

}  // namespace geobreaker::gazetteer
