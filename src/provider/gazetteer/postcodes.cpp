#include "provider/gazetteer/postcodes.hpp"

#include <algorithm>
#include <array>

namespace geobreaker::gazetteer {
namespace {

/// As in Token::shape, from a pattern such as "A9A".
constexpr std::uint16_t shape(std::string_view pattern) {
  unsigned bits = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) bits |= (pattern[i] == '9' ? 2U : 1U) << (2U * i);
  return static_cast<std::uint16_t>(bits);
}

bool has_shape(const Token& token, std::string_view pattern) noexcept {
  return token.length == pattern.size() && token.shape == shape(pattern);
}

/// By the first letter; letters that begin no Canadian postcode have no country.
struct Province {
  char letter;
  std::string_view name;
};
constexpr std::array<Province, 18> provinces{{{'a', "newfoundland and labrador"},
                                              {'b', "nova scotia"},
                                              {'c', "prince edward island"},
                                              {'e', "new brunswick"},
                                              {'g', "quebec"},
                                              {'h', "quebec"},
                                              {'j', "quebec"},
                                              {'k', "ontario"},
                                              {'l', "ontario"},
                                              {'m', "ontario"},
                                              {'n', "ontario"},
                                              {'p', "ontario"},
                                              {'r', "manitoba"},
                                              {'s', "saskatchewan"},
                                              {'t', "alberta"},
                                              {'v', "british columbia"},
                                              {'x', ""},  // Northwest Territories or Nunavut
                                              {'y', "yukon"}}};

// The letters that British postcodes begin with.
constexpr std::string_view british_areas =
    " ab al b ba bb bd bh bl bn br bs bt ca cb cf ch cm co cr ct cv cw da dd de dg dh dl dn dt dy e ec eh en "
    "ex "
    "fk fy g gl gu gy ha hd hg hp hr hs hu hx ig im ip iv je ka kt kw ky l la ld le ll ln ls lu m me mk ml n "
    "ne "
    "ng nn np nr nw ol ox pa pe ph pl po pr rg rh rm s sa se sg sk sl sm sn so sp sr ss st sw sy ta td tf tn "
    "tq "
    "tr ts tw ub w wa wc wd wf wn wr ws wv yo ze ";

/// The country of a British area, empty if there is none of that name.
std::string_view country_of_area(const Token& token) noexcept {
  const std::array<char, 4> padded{' ', token.initials[0], token.initials[1] == 0 ? ' ' : token.initials[1],
                                   ' '};
  const std::string_view area(padded.data(), token.initials[1] == 0 ? 3 : 4);
  if (token.initials[0] == 0 || british_areas.find(area) == std::string_view::npos) return {};
  if (area == " gy ") return "guernsey";
  if (area == " je ") return "jersey";
  if (area == " im ") return "isle of man";
  return "united kingdom";
}

bool is_outward(const Token& token) noexcept {
  constexpr std::array<std::string_view, 6> patterns{"A9", "A99", "A9A", "AA9", "AA99", "AA9A"};
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](std::string_view pattern) { return has_shape(token, pattern); });
}

bool is_outward_and_inward(const Token& token) noexcept {
  constexpr std::array<std::string_view, 6> patterns{"A99AA",  "A999AA",  "A9A9AA",
                                                     "AA99AA", "AA999AA", "AA9A9AA"};
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](std::string_view pattern) { return has_shape(token, pattern); });
}

const Province* province_of(const Token& token) noexcept {
  const auto found = std::find_if(provinces.begin(), provinces.end(), [&](const Province& province) {
    return province.letter == token.initials[0];
  });
  return found == provinces.end() ? nullptr : &*found;
}

std::optional<LetteredPostcode> at(const TokenList& tokens, std::size_t i) noexcept {
  const Token& token = tokens[i];
  const auto ends_part = [&](std::size_t end) {
    return end == tokens.size() || !tokens.same_run(end - 1, end);
  };
  const bool alone = token.field == Field::postcode && ends_part(i + 1) && (i == 0 || ends_part(i));
  const bool two = i + 1 < tokens.size() && tokens.same_run(i, i + 1);
  const auto canadian = [&](std::size_t end) -> std::optional<LetteredPostcode> {
    const Province* province = province_of(token);
    if (province == nullptr) return std::nullopt;
    return LetteredPostcode{i, end, "canada", province->name};
  };
  const auto british = [&](std::size_t end) -> std::optional<LetteredPostcode> {
    const std::string_view country = country_of_area(token);
    if (country.empty()) return std::nullopt;
    return LetteredPostcode{i, end, country, {}};
  };
  if (has_shape(token, "A9A9A9")) return canadian(i + 1);
  if (two && has_shape(token, "A9A") && has_shape(tokens[i + 1], "9A9")) return canadian(i + 2);
  if (two && is_outward(token) && has_shape(tokens[i + 1], "9AA") && ends_part(i + 2)) return british(i + 2);
  if (is_outward_and_inward(token) && ends_part(i + 1)) return british(i + 1);
  if (!alone || !is_outward(token)) return std::nullopt;
  if (!has_shape(token, "A9A") || token.initials[0] == 'w') return british(i + 1);
  // E1W, N1C and N1P are in London and in Canada.
  const bool either = token.number == 1 && (token.initials[0] == 'e' || token.initials[0] == 'n');
  return either ? std::nullopt : canadian(i + 1);
}

}  // namespace

std::optional<LetteredPostcode> lettered_postcode(const TokenList& tokens) noexcept {
  for (std::size_t i = tokens.size(); i > 0; --i) {
    const Token& token = tokens[i - 1];
    if (token.digits == 0 || token.digits == token.length || token.initials[0] == 0) continue;
    if (auto found = at(tokens, i - 1)) return found;
  }
  return std::nullopt;
}

}  // namespace geobreaker::gazetteer
