#include <geobreaker/geocode/normalise.hpp>

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>

namespace geobreaker {
namespace {

// Not u_iscntrl(): that takes format characters too, and joiners and direction marks belong to the text.
bool is_gap(UChar32 c) noexcept { return u_isUWhiteSpace(c) != 0 || c < 0x20 || (c >= 0x7f && c < 0xa0); }

// ICU's macro narrows an int of its own.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
/// The code point at `at`, which moves behind it; negative where the bytes are no UTF-8.
UChar32 next_code_point(std::string_view text, std::int32_t& at) noexcept {
  UChar32 c = 0;
  U8_NEXT(text.data(), at, static_cast<std::int32_t>(text.size()), c);
  return c;
}
#pragma GCC diagnostic pop

/// The text with its gaps made single spaces, checked on the way.
Result<std::string> with_single_spaces(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  bool gap = false;
  const auto size = static_cast<std::int32_t>(text.size());
  for (std::int32_t at = 0; at < size;) {
    const auto begin = static_cast<std::size_t>(at);
    const UChar32 c = next_code_point(text, at);
    if (c < 0) {
      return Error{Errc::unreadable,
                   "the address is not valid UTF-8 at byte " + std::to_string(begin + 1) + " of it"};
    }
    if (is_gap(c)) {
      gap = true;
      continue;
    }
    if (gap && !result.empty()) result += ' ';
    gap = false;
    result += text.substr(begin, static_cast<std::size_t>(at) - begin);
  }
  return result;
}

}  // namespace

Result<std::string> normalise_text(std::string_view text) {
  constexpr std::size_t bytes_max = std::size_t{1}
                                    << 24U;  // no address; keeps ICU's 32-bit sizes out of sight
  if (text.size() > bytes_max) {
    return Error{Errc::unreadable, "the address has " + std::to_string(text.size()) + " bytes; allowed are " +
                                       std::to_string(bytes_max)};
  }
  auto spaced = with_single_spaces(text);
  if (!spaced) return spaced;
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(spaced->begin(), spaced->end(), is_ascii)) return spaced;
  UErrorCode fault = U_ZERO_ERROR;
  const icu::Normalizer2* const nfc = icu::Normalizer2::getNFCInstance(fault);
  if (U_FAILURE(fault))
    return Error{Errc::unreadable, std::string("ICU has no NFC data: ") + u_errorName(fault)};
  std::string composed;
  icu::StringByteSink<std::string> sink(&composed);
  nfc->normalizeUTF8(0, *spaced, sink, nullptr, fault);
  if (U_FAILURE(fault)) return Error{Errc::unreadable, std::string("no NFC form: ") + u_errorName(fault)};
  return composed;
}

}  // namespace geobreaker
