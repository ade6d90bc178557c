// Any bytes, in any pieces, through any block: what is read is the input, and what is appended is read again.
#include "batch/csv_cells.hpp"
#include "batch/csv_reader.hpp"
#include "batch/csv_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace geobreaker {
namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

class Pieces final : public ByteSource {
 public:
  Pieces(std::string text, std::size_t piece) : ByteSource("fuzz"), text_(std::move(text)), piece_(piece) {}
  [[nodiscard]] Result<std::size_t> read(std::span<char> room) override {
    const std::size_t size = text_.copy(room.data(), std::min(room.size(), piece_), at_);
    at_ += size;
    return size;
  }

 private:
  std::string text_;
  std::size_t piece_;
  std::size_t at_ = 0;
};

class Text final : public ByteSink {
 public:
  explicit Text(std::string& to) : ByteSink("fuzz"), to_(to) {}
  [[nodiscard]] Status write(std::string_view bytes) override {
    to_ += bytes;
    return Done{};
  }
  [[nodiscard]] Status close() override { return Done{}; }

 private:
  std::string& to_;
};

struct Table {
  bool whole = false;
  char delimiter = ',';
  std::string bytes;     // as put together again
  std::string appended;  // with two cells at each row
  std::vector<std::vector<std::string>> rows;
};

const std::vector<std::string_view> added = {"a,b;\"c\"", "\r\n"};

Table read(const std::string& text, const CsvOptions& options, std::size_t piece) {
  Table table;
  auto reader = CsvReader::open(std::make_unique<Pieces>(text, piece), options);
  if (!reader) return table;
  table.delimiter = reader->delimiter();
  table.bytes = reader->bom();
  std::string cells;
  append_csv_cells(cells, added, reader->delimiter());
  CsvWriter writer(std::make_unique<Text>(table.appended), reader->delimiter(), 64);
  require(writer.write(reader->bom()).has_value(), "the mark is written");
  std::uint64_t line = 0;
  for (;;) {
    const auto record = reader->next();
    if (!record) return table;
    if (*record == nullptr) break;
    require((*record)->line() > line, "lines go up");
    line = (*record)->line();
    table.bytes += (*record)->raw();
    table.bytes += (*record)->line_end();
    auto& row = table.rows.emplace_back();
    std::string joined;
    for (std::size_t i = 0; i < (*record)->size(); ++i) {
      row.emplace_back((*record)->cell(i));
      if (i > 0) joined += table.delimiter;
      joined += (*record)->raw_cell(i);
    }
    require(joined == (*record)->raw(), "the cells are the record");
    require(writer.append(**record, table.rows.front().size(), cells).has_value(), "the row is written");
  }
  require(writer.close().has_value(), "the output is closed");
  table.whole = true;
  return table;
}

void check(const std::string& text, const CsvOptions& options, std::size_t piece) {
  const Table table = read(text, options, piece);
  CsvOptions one_block = options;
  one_block.block_bytes = text.size() + 64;
  const Table at_once = read(text, one_block, text.size() + 1);
  require(table.whole == at_once.whole && table.rows == at_once.rows, "pieces and blocks make no difference");
  // A header that is too long is refused before its delimiter is known.
  const bool header_read = table.whole || !table.rows.empty();
  require(!header_read || table.delimiter == at_once.delimiter, "nor do they to the delimiter");
  require(text.starts_with(table.bytes), "what is read is a beginning of the input");
  if (!table.whole) return;
  require(table.bytes == text, "what is read is the input");
  CsvOptions known;
  known.delimiter = table.delimiter;
  known.block_bytes = 1000;
  const Table again = read(table.appended, known, 1 << 20);
  require(again.whole && again.rows.size() == table.rows.size(), "the output has the rows of the input");
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    auto expected = table.rows[i];
    expected.resize(std::max(expected.size(), table.rows.front().size()));
    expected.insert(expected.end(), added.begin(), added.end());
    require(again.rows[i] == expected, "the output has the cells of the input and the added ones");
  }
}

}  // namespace
}  // namespace geobreaker

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  geobreaker::CsvOptions options;
  const char delimiters[] = {',', ';', '\t', '|', ' '};
  if (data[0] % 6 < 5) options.delimiter = delimiters[data[0] % 6];
  options.block_bytes = 64 + data[1] % 70;
  if (data[0] >= 128) options.record_bytes_max = 100;
  geobreaker::check(std::string(reinterpret_cast<const char*>(data) + 3, size - 3), options,
                    1 + data[2] % 100U);
  return 0;
}
