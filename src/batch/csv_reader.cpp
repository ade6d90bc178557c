#include "batch/csv_reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

namespace geobreaker {
namespace {

constexpr std::string_view utf8_bom = "\xEF\xBB\xBF";
constexpr std::string_view candidates = ",;\t|";
constexpr std::size_t record_bytes_most = std::size_t{1} << 30;  // places in a record are 32-bit numbers

std::optional<Error> fault_in(const CsvOptions& options) {
  if (options.delimiter) {
    const char c = *options.delimiter;
    if (c <= 0 || c == '"' || c == '\r' || c == '\n') {
      return Error{Errc::invalid_config,
                   "the CSV delimiter (byte " + std::to_string(static_cast<unsigned char>(c)) +
                       ") must be an ASCII character other than NUL, a double quote or a line end"};
    }
  }
  if (options.record_bytes_max == 0 || options.record_bytes_max > record_bytes_most) {
    return Error{Errc::invalid_config,
                 "the longest CSV record is " + std::to_string(options.record_bytes_max) +
                     " bytes and must be from 1 to " + std::to_string(record_bytes_most)};
  }
  if (options.block_bytes < 64 || options.block_bytes > record_bytes_most) {
    return Error{Errc::invalid_config, "the CSV block is " + std::to_string(options.block_bytes) +
                                           " bytes and must be from 64 to " +
                                           std::to_string(record_bytes_most)};
  }
  return std::nullopt;
}

std::unique_ptr<char[]> new_buffer(std::size_t capacity) {
  return std::make_unique_for_overwrite<char[]>(capacity + CsvScanner::slack);
}

bool begins_utf16(std::string_view head) noexcept {
  return head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF");
}

}  // namespace

std::optional<char> guess_delimiter(std::string_view head, bool at_end) noexcept {
  std::array<std::size_t, candidates.size()> seen{};
  bool cell_start = true;
  bool quoted = false;
  bool whole = at_end;
  for (std::size_t i = 0; i < head.size(); ++i) {
    const char c = head[i];
    if (quoted) {
      if (c != '"') continue;
      if (i + 1 < head.size() && head[i + 1] == '"') {
        ++i;
      } else {
        quoted = false;
      }
      continue;
    }
    if (c == '\n' || c == '\r') {
      whole = true;
      break;
    }
    const std::size_t which = candidates.find(c);
    if (which != std::string_view::npos) ++seen[which];
    quoted = c == '"' && cell_start;
    cell_start = which != std::string_view::npos;
  }
  if (!whole) return std::nullopt;
  const auto most = std::max_element(seen.begin(), seen.end());  // the first of equals
  return candidates[static_cast<std::size_t>(most - seen.begin())];
}

CsvReader::CsvReader(std::unique_ptr<ByteSource> source, const CsvOptions& options)
    : source_(std::move(source)),
      options_(options),
      buffer_(new_buffer(options.block_bytes)),
      capacity_(options.block_bytes) {}

Result<CsvReader> CsvReader::open(std::unique_ptr<ByteSource> source, const CsvOptions& options) {
  if (auto fault = fault_in(options)) return *fault;
  CsvReader reader(std::move(source), options);
  if (auto begun = reader.read_beginning(); !begun) return begun.error();
  return reader;
}

std::string_view CsvReader::bom() const noexcept { return has_bom_ ? utf8_bom : std::string_view(); }

Status CsvReader::read_beginning() {
  std::optional<char> found = options_.delimiter;
  while (!at_end_) {
    if (auto filled = fill(); !filled) return filled;
    const std::string_view head(buffer_.get(), end_);
    if (head.size() < utf8_bom.size() && !at_end_) continue;
    if (begins_utf16(head)) {
      return Error{Errc::unreadable,
                   name() + " is UTF-16; convert it to UTF-8, for example with: iconv -f UTF-16 -t UTF-8"};
    }
    has_bom_ = head.starts_with(utf8_bom);
    if (!found)
      found = guess_delimiter(head.substr(bom().size()),
                              at_end_ || end_ - bom().size() > options_.record_bytes_max);
    if (found) break;
  }
  delimiter_ = found.value_or(',');
  scanner_ = CsvScanner(delimiter_);
  begin_ = bom().size();
  return Done{};
}

bool CsvReader::has_line() const noexcept {
  const std::size_t begin = begin_ + record_.length_ + record_.line_end_length_;
  const std::string_view ahead(buffer_.get() + begin, end_ - begin);
  return failed_ || at_end_ || ahead.size() > options_.record_bytes_max ||
         ahead.find_first_of("\n\r") != std::string_view::npos;
}

Status CsvReader::read_more() {
  if (failed_) return *failed_;
  if (at_end_) return Done{};
  if (auto filled = fill(); !filled) return fail(filled.error());
  return Done{};
}

Result<const CsvRecord*> CsvReader::next() {
  if (failed_) return *failed_;
  begin_ += record_.length_ + record_.line_end_length_;
  record_.length_ = record_.line_end_length_ = 0;
  scanner_.start(record_.cells_);
  for (;;) {
    if (available() == 0 && at_end_) return static_cast<const CsvRecord*>(nullptr);
    if (scanner_.scan(buffer_.get() + begin_, available(), at_end_)) {
      if (scanner_.length() > options_.record_bytes_max) return fail(too_long());
      return complete();
    }
    if (available() > options_.record_bytes_max) return fail(too_long());
    if (at_end_) return fail(never_closed());
    if (auto filled = fill(); !filled) return fail(filled.error());
  }
}

const CsvRecord* CsvReader::complete() {
  record_.bytes_ = buffer_.get() + begin_;
  record_.length_ = scanner_.length();
  record_.line_end_length_ = scanner_.line_end_length();
  record_.line_ = line_;
  line_ += scanner_.inner_lines() + 1;
  if (scanner_.any_bent()) {
    if (record_.unbent_.size() < record_.length_) record_.unbent_.resize(record_.length_);
    for (CsvCellSpan& cell : record_.cells_) {
      if (cell.form != CsvCellForm::bent) continue;
      cell.text_size = static_cast<std::uint32_t>(
          unbend(record_.bytes_ + cell.begin, cell.end - cell.begin, record_.unbent_.data() + cell.begin));
    }
  }
  return &record_;
}

Status CsvReader::fill() {
  make_room();
  const auto got = source_->read({buffer_.get() + end_, capacity_ - end_});
  if (!got) return got.error();
  at_end_ = *got == 0;
  end_ += *got;
  return Done{};
}

/// Room for at least half a block after the bytes read: first by moving the unfinished record to the front,
/// then by doubling. Half, because a pipe gives little at a time and the record should not move for every
/// piece.
void CsvReader::make_room() {
  const std::size_t wanted = options_.block_bytes / 2;
  if (capacity_ - end_ >= wanted) return;
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, available());
    end_ -= begin_;
    begin_ = 0;
  }
  if (capacity_ - end_ >= wanted) return;
  const std::size_t grown = std::min(capacity_ * 2, options_.record_bytes_max + 2 * options_.block_bytes);
  const std::size_t capacity = std::max(grown, end_ + wanted);
  auto buffer = new_buffer(capacity);
  std::memcpy(buffer.get(), buffer_.get(), end_);
  buffer_ = std::move(buffer);
  capacity_ = capacity;
}

Error CsvReader::fail(Error error) {
  failed_ = std::move(error);
  return *failed_;
}

Error CsvReader::too_long() const {
  std::string text = name() + ", line " + std::to_string(line_) + ": the record is longer than " +
                     std::to_string(options_.record_bytes_max) + " bytes";
  if (scanner_.in_quotes()) {
    text += "; is the quote that opens in line " + std::to_string(line_ + scanner_.quote_line()) +
            " never closed?";
  }
  return {Errc::unreadable, std::move(text)};
}

Error CsvReader::never_closed() const {
  return {Errc::unreadable, name() + ", line " + std::to_string(line_ + scanner_.quote_line()) +
                                ": the quote that opens here is never closed"};
}

}  // namespace geobreaker
