#include "batch/csv_scanner.hpp"

#include <algorithm>
#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace geobreaker {
namespace {

constexpr std::size_t block_bytes = CsvScanner::slack;
constexpr char quote = '"';

/// One bit for each of 64 bytes, set where the byte means something to the grammar.
#if defined(__SSE2__)
std::uint64_t specials(const char* bytes, char delimiter) noexcept {
  const __m128i delimiters = _mm_set1_epi8(delimiter);
  const __m128i quotes = _mm_set1_epi8(quote);
  const __m128i feeds = _mm_set1_epi8('\n');
  const __m128i returns = _mm_set1_epi8('\r');
  std::uint64_t mask = 0;
  for (unsigned part = 0; part < block_bytes / 16; ++part) {
    const __m128i chunk = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + std::size_t{part} * 16));
    const __m128i cells = _mm_or_si128(_mm_cmpeq_epi8(chunk, delimiters), _mm_cmpeq_epi8(chunk, quotes));
    const __m128i lines = _mm_or_si128(_mm_cmpeq_epi8(chunk, feeds), _mm_cmpeq_epi8(chunk, returns));
    const auto bits = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(cells, lines)));
    mask |= std::uint64_t{bits} << (part * 16);
  }
  return mask;
}
#else
std::uint64_t specials(const char* bytes, char delimiter) noexcept {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < block_bytes; ++i) {
    const char c = bytes[i];
    const bool special = c == delimiter || c == quote || c == '\n' || c == '\r';
    mask |= std::uint64_t{special} << i;
  }
  return mask;
}
#endif

}  // namespace

void CsvScanner::start(std::vector<CsvCellSpan>& cells) noexcept {
  cells_ = &cells;
  cells_->clear();
  place_ = Place::unquoted;
  cell_quoted_ = cell_bent_ = any_bent_ = false;
  at_ = cell_begin_ = length_ = line_end_length_ = 0;
  inner_lines_ = quote_line_ = 0;
}

bool CsvScanner::scan(const char* record, std::size_t size, bool at_end) {
  while (at_ < size) {
    const std::size_t block = at_;
    std::uint64_t mask = specials(record + block, delimiter_);
    if (size - block < block_bytes) mask &= (std::uint64_t{1} << (size - block)) - 1;
    for (; mask != 0; mask &= mask - 1) {
      const std::size_t at = block + static_cast<std::size_t>(std::countr_zero(mask));
      const char c = record[at];
      if (place_ == Place::quoted) {
        inside_quotes(record, at);
      } else if (place_ == Place::after_quote && doubles_quote(c, at)) {
        continue;
      } else if (c == delimiter_) {
        end_cell(at);
        cell_begin_ = at + 1;
      } else if (c == quote) {
        if (at != cell_begin_) continue;  // a quote inside an unquoted cell is a character like any other
        place_ = Place::quoted;
        cell_quoted_ = true;
        quote_line_ = inner_lines_;
      } else {
        at_ = at;
        if (c == '\r' && at + 1 == size && !at_end) return false;  // the next byte may belong to the line end
        finish(record, at, size);
        return true;
      }
    }
    at_ = std::min(block + block_bytes, size);
  }
  if (!at_end || place_ == Place::quoted) return false;
  if (place_ == Place::after_quote) (void)doubles_quote(delimiter_, size);
  finish(record, size, size);
  return true;
}

void CsvScanner::inside_quotes(const char* record, std::size_t at) noexcept {
  const char c = record[at];
  if (c == quote) {
    place_ = Place::after_quote;
    quote_at_ = at;
  } else if (c == '\r' || (c == '\n' && record[at - 1] != '\r')) {
    ++inner_lines_;
  }
}

/// The byte after a quote inside quotes decides: another quote, and the cell goes on; else it was the end.
bool CsvScanner::doubles_quote(char c, std::size_t at) noexcept {
  const bool adjacent = at == quote_at_ + 1;
  if (adjacent && c != quote) {
    place_ = Place::unquoted;
    return false;
  }
  cell_bent_ = any_bent_ = true;
  place_ = adjacent ? Place::quoted : Place::unquoted;
  return adjacent;
}

void CsvScanner::end_cell(std::size_t at) {
  const auto begin = static_cast<std::uint32_t>(cell_begin_);
  const auto end = static_cast<std::uint32_t>(at);
  if (!cell_quoted_) {
    cells_->push_back({begin, end, end - begin, CsvCellForm::plain});
    return;
  }
  const CsvCellForm form = cell_bent_ ? CsvCellForm::bent : CsvCellForm::quoted;
  cells_->push_back({begin, end, end - begin - 2, form});  // of a bent cell the text's size is found later
  cell_quoted_ = cell_bent_ = false;
}

void CsvScanner::finish(const char* record, std::size_t at, std::size_t size) {
  end_cell(at);
  length_ = at;
  if (at == size) return;
  const bool pair = record[at] == '\r' && at + 1 < size && record[at + 1] == '\n';
  line_end_length_ = pair ? 2 : 1;
}

std::size_t unbend(const char* bytes, std::size_t size, char* to) noexcept {
  char* out = to;
  std::size_t i = 1;  // the opening quote goes
  while (i < size) {
    if (bytes[i] != quote) {
      *out++ = bytes[i++];
    } else if (i + 1 < size && bytes[i + 1] == quote) {
      *out++ = quote;
      i += 2;
    } else {
      out = std::copy(bytes + i + 1, bytes + size, out);
      break;
    }
  }
  return static_cast<std::size_t>(out - to);
}

}  // namespace geobreaker
