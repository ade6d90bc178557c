#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace geobreaker {

/// How the text of a cell is found in its bytes.
enum class CsvCellForm : std::uint8_t {
  plain,   ///< the bytes are the text
  quoted,  ///< the text is what stands between the first and the last byte
  bent,    ///< quotes inside quotes, or text after the closing quote: the text had to be put together
};

/// A cell by its place in the record: bytes [begin, end), and the length of its text.
struct CsvCellSpan {
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t text_size;
  CsvCellForm form;
};

/// One record as it was read. Everything it hands out points into the reader's memory and holds until the
/// reader's next record.
/// Threads: one at a time.
class CsvRecord {
 public:
  /// The bytes of the record without its line end.
  [[nodiscard]] std::string_view raw() const noexcept { return {bytes_, length_}; }
  /// "\n", "\r\n", "\r", or empty at the end of a file that has no final newline.
  [[nodiscard]] std::string_view line_end() const noexcept { return {bytes_ + length_, line_end_length_}; }
  /// The line (counted from 1, newlines inside quotes included) in which the record begins.
  [[nodiscard]] std::uint64_t line() const noexcept { return line_; }
  /// How many cells; a blank line has one, which is empty.
  [[nodiscard]] std::size_t size() const noexcept { return cells_.size(); }
  [[nodiscard]] bool blank() const noexcept { return length_ == 0; }

  /// The bytes of a cell, quotes included. `index` is less than size().
  [[nodiscard]] std::string_view raw_cell(std::size_t index) const noexcept {
    const CsvCellSpan& cell = cells_[index];
    return {bytes_ + cell.begin, cell.end - cell.begin};
  }
  /// The text of a cell, without its quotes. `index` is less than size().
  [[nodiscard]] std::string_view cell(std::size_t index) const noexcept {
    const CsvCellSpan& cell = cells_[index];
    switch (cell.form) {
      case CsvCellForm::plain:
        return {bytes_ + cell.begin, cell.text_size};
      case CsvCellForm::quoted:
        return {bytes_ + cell.begin + 1, cell.text_size};
      case CsvCellForm::bent:
        break;
    }
    return {unbent_.data() + cell.begin, cell.text_size};
  }

 private:
  friend class CsvReader;
  const char* bytes_ = "";
  std::size_t length_ = 0;
  std::size_t line_end_length_ = 0;
  std::uint64_t line_ = 0;
  std::vector<CsvCellSpan> cells_;
  std::vector<char> unbent_;  // texts of bent cells, each at the place that its bytes have in the record
};

}  // namespace geobreaker
