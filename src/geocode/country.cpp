#include <geobreaker/geocode/country.hpp>

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uloc.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

namespace geobreaker {
namespace {

using Names = std::unordered_map<std::string, std::string>;  // folded name or alpha-3 code -> alpha-2 code

// The languages of the header names that the batch command knows, and the most written others.
constexpr std::array<const char*, 34> languages{"en", "de", "fr", "es", "it",      "pt", "nl", "sv", "da",
                                                "nb", "fi", "pl", "cs", "sk",      "hu", "ro", "bg", "el",
                                                "ru", "uk", "tr", "ar", "he",      "fa", "hi", "th", "vi",
                                                "id", "ja", "ko", "zh", "zh_Hant", "hr", "ca"};

// What people write and ICU does not say.
constexpr std::array<std::pair<const char*, const char*>, 16> further_names{{
    {"uk", "gb"},
    {"great britain", "gb"},
    {"england", "gb"},
    {"scotland", "gb"},
    {"wales", "gb"},
    {"northern ireland", "gb"},
    {"u.s.a.", "us"},
    {"u.s.", "us"},
    {"america", "us"},
    {"united states of america", "us"},
    {"holland", "nl"},
    {"el", "gr"},
    {"czech republic", "cz"},
    {"republic of korea", "kr"},
    {"turkey", "tr"},
    {"macedonia", "mk"},
}};

// Codes in one line may stand for one another: dependent territories, which providers code by themselves or
// by their state, and places that more than one state claims.
constexpr std::array<std::string_view, 16> families{"us pr gu vi as mp um",
                                                    "fr gp mq gf re yt nc pf wf pm bl mf tf",
                                                    "gb im je gg gi bm ky vg ai ms tc sh fk io pn gs",
                                                    "nl aw cw sx bq",
                                                    "cn hk mo tw",
                                                    "no sj bv",
                                                    "fi ax",
                                                    "dk fo gl",
                                                    "au cx cc nf hm",
                                                    "nz ck nu tk",
                                                    "ma eh",
                                                    "rs xk",
                                                    "il ps",
                                                    "ru ua",
                                                    "in pk cn",
                                                    "ge ru"};

bool has_code(std::string_view family, std::string_view code) noexcept {
  for (auto at = family.find(code); at != std::string_view::npos; at = family.find(code, at + 1)) {
    if (at % 3 == 0) return true;
  }
  return false;
}

std::string folded(std::string_view text) {
  UErrorCode fault = U_ZERO_ERROR;
  const icu::Normalizer2* const fold = icu::Normalizer2::getNFKCCasefoldInstance(fault);
  std::string result;
  if (U_FAILURE(fault) || text.size() > 200) return result;
  icu::StringByteSink<std::string> sink(&result);
  fold->normalizeUTF8(0, icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())), sink, nullptr,
                      fault);
  const auto first = result.find_first_not_of(' ');
  if (U_FAILURE(fault) || first == std::string::npos) return {};
  return result.substr(first, result.find_last_not_of(' ') - first + 1);
}

void add_names(Names& names, const std::string& code, const char* language) {
  std::array<UChar, 128> buffer{};
  UErrorCode fault = U_ZERO_ERROR;
  const std::int32_t length = uloc_getDisplayCountry(("und_" + code).c_str(), language, buffer.data(),
                                                     static_cast<std::int32_t>(buffer.size()), &fault);
  if (fault != U_ZERO_ERROR || length <= 0) return;  // a warning: this language has no name of its own for it
  std::string name;
  icu::UnicodeString(buffer.data(), length).toUTF8String(name);
  names.emplace(folded(name), code);
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

Names make_codes() {
  Names codes;
  for (const char* const* country = uloc_getISOCountries(); *country != nullptr; ++country) {
    const std::string code = lower(*country);
    codes.emplace(code, code);
    const char* const alpha_3 = uloc_getISO3Country(("und_" + std::string(*country)).c_str());
    if (*alpha_3 != '\0') codes.emplace(lower(alpha_3), code);
  }
  codes.emplace("xk", "xk");  // Kosovo: assigned by users, and by every provider
  return codes;
}

Names make_names(const Names& codes) {
  Names names;
  for (const auto& [name, code] : further_names) names.emplace(name, code);
  for (const char* const language : languages) {
    for (const auto& [code, same] : codes) {
      if (code == same) add_names(names, code, language);
    }
  }
  names.erase("");
  return names;
}

std::optional<std::string> found_in(const Names& names, const std::string& name) {
  const auto found = names.find(name);
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::optional<std::string> country_code_of(std::string_view text) {
  static const Names codes = make_codes();
  const std::string name = folded(text);
  if (auto code = found_in(codes, name)) return code;
  static const Names names = make_names(codes);
  return found_in(names, name);
}

bool countries_agree(std::string_view asked, std::string_view answered) noexcept {
  if (asked == answered) return true;
  return std::any_of(families.begin(), families.end(), [&](std::string_view family) {
    return has_code(family, asked) && has_code(family, answered);
  });
}

}  // namespace geobreaker
