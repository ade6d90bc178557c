#pragma once

#include "batch/csv_record.hpp"
#include "batch/csv_scanner.hpp"
#include "batch/csv_source.hpp"

#include <geobreaker/result.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace geobreaker {

struct CsvOptions {
  /// Any ASCII character but NUL, quote, CR and LF. Empty: found in the header line (`guess_delimiter`).
  std::optional<char> delimiter = std::nullopt;
  /// The longest record, in bytes; from 1 to 1 GiB. A forgotten quote is then found before memory is gone.
  std::size_t record_bytes_max = std::size_t{16} << 20;
  /// How much is read at once, in bytes; at least 64. The default stays in a core's second-level cache.
  std::size_t block_bytes = std::size_t{256} << 10;
};

/// What the header line says about the delimiter: the one of , ; TAB | that occurs most often outside quotes,
/// in this order if several do equally; comma if none does. Empty when `head` ends before the line does.
[[nodiscard]] std::optional<char> guess_delimiter(std::string_view head, bool at_end) noexcept;

/// Reads CSV record by record, keeping every byte: bom + (raw + line_end of each record) is the input.
/// Blank lines are records, rows with too few or too many cells are handed out as they are; line ends may be
/// mixed; bytes are not looked at as text (NUL and malformed UTF-8 pass). Memory: one block and the longest
/// record. No allocation per record. Threads: one at a time.
class CsvReader {
 public:
  /// Reads the beginning: byte order mark and, unless given, the delimiter.
  /// Errors: invalid_config (options out of range), unreadable (the source; UTF-16, which has to be
  /// converted).
  [[nodiscard]] static Result<CsvReader> open(std::unique_ptr<ByteSource> source,
                                              const CsvOptions& options = {});

  /// The next record, or null at the end. It holds until the next call.
  /// Errors: unreadable, with the line: the source; a record over the limit; a quote never closed. They are
  /// final.
  [[nodiscard]] Result<const CsvRecord*> next();

  /// True if next() does not read from the source, unless a quoted cell goes on behind the line end: for
  /// those who must not wait for a stream.
  [[nodiscard]] bool has_line() const noexcept;
  /// Reads from the source once; the last record holds no more. Errors: unreadable, final.
  [[nodiscard]] Status read_more();
  /// The source's: -1, or what can be watched for something to read.
  [[nodiscard]] int descriptor() const noexcept { return source_->descriptor(); }

  [[nodiscard]] char delimiter() const noexcept { return delimiter_; }
  /// The byte order mark that the input began with, to be written first; empty if none.
  [[nodiscard]] std::string_view bom() const noexcept;
  [[nodiscard]] const std::string& name() const noexcept { return source_->name(); }

 private:
  CsvReader(std::unique_ptr<ByteSource> source, const CsvOptions& options);
  [[nodiscard]] Status read_beginning();
  [[nodiscard]] Status fill();
  void make_room();
  [[nodiscard]] const CsvRecord* complete();
  [[nodiscard]] Error fail(Error error);
  [[nodiscard]] Error too_long() const;
  [[nodiscard]] Error never_closed() const;
  [[nodiscard]] std::size_t available() const noexcept { return end_ - begin_; }

  std::unique_ptr<ByteSource> source_;
  CsvOptions options_;
  char delimiter_ = ',';
  bool has_bom_ = false;
  bool at_end_ = false;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_;   // without the scanner's slack
  std::size_t begin_ = 0;  // of the record in the buffer
  std::size_t end_ = 0;    // of the bytes read
  std::uint64_t line_ = 1;
  CsvScanner scanner_{','};
  CsvRecord record_;
  std::optional<Error> failed_;
};

}  // namespace geobreaker
