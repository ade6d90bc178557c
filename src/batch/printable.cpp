#include "batch/printable.hpp"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>

namespace geobreaker {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

bool may_be_shown(UChar32 character) noexcept {
  if (character < 0) return false;  // malformed
  switch (u_charType(character)) {
    case U_CONTROL_CHAR:
    case U_FORMAT_CHAR:  // overrides of the writing direction would reorder the line
    case U_LINE_SEPARATOR:
    case U_PARAGRAPH_SEPARATOR:
      return false;
    default:
      return true;
  }
}

}  // namespace

std::string printable(std::string_view text, std::size_t width) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto length = static_cast<std::int64_t>(text.size());
  std::string shown;
  std::size_t characters = 0;
  for (std::int64_t at = 0; at < length; ++characters) {
    if (characters == width) return shown + "...";
    const std::int64_t begin = at;
    UChar32 character = 0;
    U8_NEXT(bytes, at, length, character);
    if (may_be_shown(character))
      shown += text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(at - begin));
    else
      shown += replacement;
  }
  return shown;
}

bool is_utf8(std::string_view text) noexcept {
  if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
    return true;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto length = static_cast<std::int64_t>(text.size());
  for (std::int64_t at = 0; at < length;) {
    UChar32 character = 0;
    U8_NEXT(bytes, at, length, character);
    if (character < 0) return false;
  }
  return true;
}

}  // namespace geobreaker
