// Random tables, written in random styles: what is read is what was written, to the byte.
#include "batch/csv_cells.hpp"
#include "batch/csv_support.hpp"
#include "batch/csv_writer.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <sstream>

namespace geobreaker {
namespace {

using testing::PieceSource;
using testing::read_table;
using testing::Table;

/// Mostly bytes that mean something to the grammar, so that they meet often.
rc::Gen<char> csv_byte() {
  return rc::gen::weightedOneOf<char>(
      {{8, rc::gen::elementOf(std::string(",;\t|\"\"\"\n\r ab"))}, {1, rc::gen::arbitrary<char>()}});
}
rc::Gen<std::string> csv_text() { return rc::gen::container<std::string>(csv_byte()); }

rc::Gen<CsvOptions> options_for(char delimiter) {
  return rc::gen::map(
      rc::gen::elementOf(std::vector<std::size_t>{64, 65, 100, 1000, 1U << 18}),
      [=](std::size_t block) { return CsvOptions{.delimiter = delimiter, .block_bytes = block}; });
}

struct Written {
  std::string text;
  std::vector<std::vector<std::string>> cells;
};

/// A random table, each cell quoted when it must be and sometimes when it need not, each row with its own
/// line end.
Written random_table(char delimiter) {
  Written written;
  const auto rows = *rc::gen::inRange(0, 12);
  for (int i = 0; i < rows; ++i) {
    auto cells = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(csv_text()));
    for (std::size_t j = 0; j < cells.size(); ++j) {
      std::string cell;
      append_csv_cell(cell, cells[j], delimiter);
      const bool more = *rc::gen::arbitrary<bool>() && cell == cells[j];
      // A lone empty cell at the very end of a file is no record, unless it is quoted.
      const bool alone = cells.size() == 1 && cell.empty();
      if (more || alone) cell = "\"" + cell + "\"";
      written.text += (j == 0 ? "" : std::string(1, delimiter)) + cell;
    }
    const bool last = i + 1 == rows;
    const auto ends = last ? std::vector<std::string>{"", "\n", "\r\n", "\r"}
                           : std::vector<std::string>{"\n", "\r\n", "\r"};
    std::string end = *rc::gen::elementOf(ends);
    written.text += end;
    written.cells.push_back(std::move(cells));
  }
  return written;
}

/// A text that begins like a byte order mark loses those bytes to it; "\r" followed by a row that begins with
/// "\n" cannot occur, since such a cell is quoted.
bool begins_with_mark(const std::string& text) {
  return text.starts_with("\xEF\xBB\xBF") || text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

RC_GTEST_PROP(CsvProperty, WrittenCellsAreReadBack, ()) {
  const char delimiter = *rc::gen::elementOf(std::string(",;\t|"));
  const Written written = random_table(delimiter);
  RC_PRE(!begins_with_mark(written.text));
  const auto piece = *rc::gen::elementOf(std::vector<std::size_t>{1, 3, 64, 1U << 20});
  const Table table = read_table(written.text, *options_for(delimiter), piece);
  RC_ASSERT(table.error.empty());
  RC_ASSERT(table.cells() == written.cells);
  RC_ASSERT(table.bytes() == written.text);
}

RC_GTEST_PROP(CsvProperty, AnyBytesComeBackOrTheQuoteIsNamed, ()) {
  const std::string text = *csv_text();
  RC_PRE(!begins_with_mark(text));
  const auto piece = *rc::gen::elementOf(std::vector<std::size_t>{1, 3, 64, 1U << 20});
  const Table table = read_table(text, *options_for(','), piece);
  if (table.error.empty()) {
    RC_ASSERT(table.bytes() == text);
  } else {
    RC_ASSERT(text.starts_with(table.bytes()));
    RC_ASSERT(table.error.find("never closed") != std::string::npos);
  }
  for (const auto& row : table.rows) {
    std::string joined;
    for (std::size_t i = 0; i < row.raw_cells.size(); ++i) joined += (i == 0 ? "" : ",") + row.raw_cells[i];
    RC_ASSERT(joined == row.raw);
  }
}

RC_GTEST_PROP(CsvProperty, AppendedCellsAreReadBackBehindTheUntouchedOnes, ()) {
  const char delimiter = *rc::gen::elementOf(std::string(",;\t|"));
  const Written written = random_table(delimiter);
  RC_PRE(!begins_with_mark(written.text));
  const std::vector<std::string> added = {*csv_text(), *csv_text()};
  std::string cells;
  append_csv_cells(cells, std::vector<std::string_view>(added.begin(), added.end()), delimiter);

  auto reader = CsvReader::open(std::make_unique<PieceSource>(written.text, 64), *options_for(delimiter));
  RC_ASSERT(reader.has_value());
  std::ostringstream out;
  CsvWriter writer(std::make_unique<StreamSink>(out, "out.csv"), delimiter, 32);
  std::size_t columns = 0;
  for (;;) {
    const auto record = reader->next();
    RC_ASSERT(record.has_value());
    if (*record == nullptr) break;
    if (columns == 0) columns = (*record)->size();
    RC_ASSERT(writer.append(**record, columns, cells).has_value());
  }
  RC_ASSERT(writer.close().has_value());

  auto expected = written.cells;
  for (auto& row : expected) {
    row.resize(std::max(row.size(), columns));
    row.insert(row.end(), added.begin(), added.end());
  }
  const Table table = read_table(out.str(), {.delimiter = delimiter});
  RC_ASSERT(table.error.empty());
  RC_ASSERT(table.cells() == expected);
}

}  // namespace
}  // namespace geobreaker
