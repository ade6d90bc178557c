#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace geobreaker::config {

/// Slips of the pen between two words: insertions, deletions, replacements and swaps of neighbours
/// (Damerau's distance, restricted: no part is edited twice). Case and `-` for `_` count as nothing.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The valid word that `word` was most likely meant to be, the first of several equally near ones;
/// empty if none is near enough to be a guess worth making (about one slip in three letters).
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> valid);

}  // namespace geobreaker::config
