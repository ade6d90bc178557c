#include "batch/csv_cells.hpp"

namespace geobreaker {
namespace {

bool needs_quotes(std::string_view text, char delimiter) noexcept {
  for (const char c : text) {
    if (c == delimiter || c == '"' || c == '\n' || c == '\r') return true;
  }
  return false;
}

}  // namespace

void append_csv_cell(std::string& out, std::string_view text, char delimiter) {
  if (!needs_quotes(text, delimiter)) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void append_csv_cells(std::string& out, std::span<const std::string_view> cells, char delimiter) {
  bool first = true;
  for (const std::string_view cell : cells) {
    if (!first) out += delimiter;
    first = false;
    append_csv_cell(out, cell, delimiter);
  }
}

RowShape shape_of(const CsvRecord& record, std::size_t columns) noexcept {
  if (record.size() == columns) return RowShape::full;
  if (record.blank()) return RowShape::blank;
  return record.size() < columns ? RowShape::too_short : RowShape::too_long;
}

}  // namespace geobreaker
