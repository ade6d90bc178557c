#pragma once

#include <geobreaker/result.hpp>

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace geobreaker {

/// The appended columns, in their fixed order and without the prefix. Consumers count on it: only ever add at
/// the end.
inline constexpr std::array<std::string_view, 8> result_column_names = {"status", "lat",  "lon",    "label",
                                                                        "prec",   "conf", "source", "tried"};
inline constexpr std::string_view default_result_prefix = "geo_";

/// The header cells to append.
[[nodiscard]] std::array<std::string, result_column_names.size()> result_columns(std::string_view prefix);

/// Errors: invalid_config, with a hint at --prefix, if the header has one of the result columns already (in
/// any case: many programs do not tell "geo_lat" from "GEO_LAT").
[[nodiscard]] Status check_result_columns(std::span<const std::string> header, std::string_view prefix);

}  // namespace geobreaker
