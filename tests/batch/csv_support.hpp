#pragma once

#include "batch/csv_reader.hpp"
#include "batch/csv_source.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace geobreaker::testing {

/// Gives its text in pieces of a chosen size, as a pipe does.
class PieceSource final : public ByteSource {
 public:
  PieceSource(std::string text, std::size_t piece)
      : ByteSource("in.csv"), text_(std::move(text)), piece_(piece) {}

  [[nodiscard]] Result<std::size_t> read(std::span<char> room) override {
    const std::size_t size = std::min({piece_, room.size(), text_.size() - at_});
    std::copy_n(text_.data() + at_, size, room.data());
    at_ += size;
    return size;
  }

 private:
  std::string text_;
  std::size_t piece_;
  std::size_t at_ = 0;
};

/// A record that outlives the reader.
struct Row {
  std::string raw;
  std::string line_end;
  std::size_t line = 0;
  std::vector<std::string> cells;
  std::vector<std::string> raw_cells;
};

inline Row row_of(const CsvRecord& record) {
  Row row{std::string(record.raw()), std::string(record.line_end()), record.line(), {}, {}};
  for (std::size_t i = 0; i < record.size(); ++i) {
    row.cells.emplace_back(record.cell(i));
    row.raw_cells.emplace_back(record.raw_cell(i));
  }
  return row;
}

/// Everything that a reader says about a text.
struct Table {
  std::string bom;
  char delimiter = '\0';
  std::vector<Row> rows;
  std::string error;

  /// What the input must have been.
  [[nodiscard]] std::string bytes() const {
    std::string all = bom;
    for (const Row& row : rows) all += row.raw + row.line_end;
    return all;
  }
  [[nodiscard]] std::vector<std::vector<std::string>> cells() const {
    std::vector<std::vector<std::string>> all;
    for (const Row& row : rows) all.push_back(row.cells);
    return all;
  }
};

inline Table read_table(std::string text, const CsvOptions& options = {},
                        std::size_t piece = std::string::npos) {
  Table table;
  auto reader = CsvReader::open(std::make_unique<PieceSource>(std::move(text), piece), options);
  if (!reader) {
    table.error = reader.error().detail;
    return table;
  }
  table.bom = reader->bom();
  table.delimiter = reader->delimiter();
  for (;;) {
    const auto record = reader->next();
    if (!record) {
      table.error = record.error().detail;
      return table;
    }
    if (*record == nullptr) return table;
    table.rows.push_back(row_of(**record));
  }
}

}  // namespace geobreaker::testing
