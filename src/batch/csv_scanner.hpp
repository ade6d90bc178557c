#pragma once

#include "batch/csv_record.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace geobreaker {

/// The grammar of CSV as a state machine that finds the end of one record and its cells (RFC 4180, any of the
/// three line ends, lenient about quotes inside an unquoted cell and text after a closing quote).
/// It can be stopped at any byte and resumed when more bytes are there.
class CsvScanner {
 public:
  /// So many bytes after the last one must be readable (their value does not matter).
  static constexpr std::size_t slack = 64;

  explicit CsvScanner(char delimiter) noexcept : delimiter_(delimiter) {}

  /// Begins a new record; the cells go to `cells`.
  void start(std::vector<CsvCellSpan>& cells) noexcept;

  /// Looks on in the record, whose first `size` bytes are known (at most 2^32 - 1).
  /// `at_end`: no more bytes will come. True when the record is complete; false when more bytes are needed,
  /// or, at the end, when a quote was never closed.
  [[nodiscard]] bool scan(const char* record, std::size_t size, bool at_end);

  [[nodiscard]] std::size_t length() const noexcept { return length_; }
  [[nodiscard]] std::size_t line_end_length() const noexcept { return line_end_length_; }
  /// Line ends inside quotes met so far.
  [[nodiscard]] std::uint64_t inner_lines() const noexcept { return inner_lines_; }
  /// Inside a quoted cell at this point, and in which inner line it was opened.
  [[nodiscard]] bool in_quotes() const noexcept { return place_ == Place::quoted; }
  [[nodiscard]] std::uint64_t quote_line() const noexcept { return quote_line_; }
  /// Whether any cell of the record is bent.
  [[nodiscard]] bool any_bent() const noexcept { return any_bent_; }

 private:
  enum class Place : std::uint8_t { unquoted, quoted, after_quote };
  void inside_quotes(const char* record, std::size_t at) noexcept;
  [[nodiscard]] bool doubles_quote(char c, std::size_t at) noexcept;
  void end_cell(std::size_t at);
  void finish(const char* record, std::size_t at, std::size_t size);

  char delimiter_;
  Place place_ = Place::unquoted;
  bool cell_quoted_ = false;
  bool cell_bent_ = false;
  bool any_bent_ = false;
  std::size_t at_ = 0;          // everything before it was looked at
  std::size_t cell_begin_ = 0;  // of the cell being read
  std::size_t quote_at_ = 0;    // the quote that closes the cell unless another follows at once
  std::size_t length_ = 0;
  std::size_t line_end_length_ = 0;
  std::uint64_t inner_lines_ = 0;
  std::uint64_t quote_line_ = 0;
  std::vector<CsvCellSpan>* cells_ = nullptr;
};

/// Writes the text of a bent cell to `to` (room for size bytes) and returns its length: doubled quotes become
/// one, the closing quote goes, what follows it stays as it is.
[[nodiscard]] std::size_t unbend(const char* bytes, std::size_t size, char* to) noexcept;

}  // namespace geobreaker
