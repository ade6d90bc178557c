#pragma once

#include "batch/csv_record.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace geobreaker {

/// Appends one cell to `out`, in quotes only if it holds the delimiter, a quote or a line end.
void append_csv_cell(std::string& out, std::string_view text, char delimiter);

/// Appends cells with the delimiter between them (none before the first).
void append_csv_cells(std::string& out, std::span<const std::string_view> cells, char delimiter);

/// How a row compares with the header.
enum class RowShape {
  full,       ///< as many cells as the header
  blank,      ///< an empty line under a header of several columns
  too_short,  ///< fewer cells
  too_long,   ///< more cells
};
[[nodiscard]] RowShape shape_of(const CsvRecord& record, std::size_t columns) noexcept;

}  // namespace geobreaker
