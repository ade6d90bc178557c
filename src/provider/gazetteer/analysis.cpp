#include "provider/gazetteer/analysis.hpp"

#include "provider/gazetteer/names.hpp"

#include <algorithm>
#include <bit>

namespace geobreaker::gazetteer {
namespace {

constexpr std::size_t longest_name = 24;  // tokens; as in tools/gazetteer/index.mjs

// Languages (bits of hintLanguages in words.mjs) that put the street word behind the name: en, de, nl, sv,
// hu, tr.
constexpr std::uint32_t suffix_languages = 1U | 1U << 6U | 1U << 7U | 1U << 8U | 1U << 9U | 1U << 12U;

bool is_both(std::uint32_t roles) {
  return (roles & role::street_after) != 0 && (roles & role::street_before) != 0;
}

}  // namespace

Analysis::Analysis(const DataFile& data, const TokenList& tokens) noexcept : data_(data), tokens_(tokens) {
  has_country_column_ = tokens.size() != 0 && tokens[tokens.size() - 1].field == Field::country;
  postcode_ = lettered_postcode(tokens);
  find_matches();
  mark_inner();
  settle_codes();
  gather_evidence();
  read_postcodes();
  hear_postcode();
}

void Analysis::find_matches() noexcept {
  std::size_t hangul_start = 0;  // a name may also begin where another has ended: 서울특별시중구
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const Token& start = tokens_[i];
    if (start.numeric()) continue;
    if (start.hangul && start.inside_word && hangul_start != i) continue;
    NameHash hash;
    const std::size_t stop = std::min(tokens_.size(), i + longest_name);
    for (std::size_t j = i; j < stop && tokens_.same_run(i, j); ++j) {
      hash = extended(hash, tokens_[j]);
      if (!may_begin_name(data_, hash)) break;
      if (tokens_[j].hangul && !hangul_may_end(j + 1)) continue;
      if (const Posting* meanings = meanings_of(data_, hash); meanings != nullptr) {
        record(i, j + 1, meanings);
        if (start.hangul) hangul_start = j + 1;
      }
    }
  }
}

/// A Korean name ends with its word, or before or with one of the endings for town, county, district.
bool Analysis::hangul_may_end(std::size_t end) const noexcept {
  if (!tokens_[end - 1].word_goes_on || end >= tokens_.size()) return true;
  const auto is_ending = [&](std::size_t i) {
    const Posting* meanings = meanings_of(data_, extended(NameHash{}, tokens_[i]));
    return meanings != nullptr && meanings->kind() == Posting::Kind::word &&
           (meanings->ref() & role::generic) != 0;
  };
  return is_ending(end) || is_ending(end - 1);
}

void Analysis::record(std::size_t first, std::size_t end, const Posting* meanings) noexcept {
  if (match_count_ == max_matches) return;
  Match match{};
  match.first = static_cast<std::uint8_t>(first);
  match.end = static_cast<std::uint8_t>(end);
  match.meanings = meanings;
  each_meaning(meanings, [&](const Posting& meaning) {
    switch (meaning.kind()) {
      case Posting::Kind::word:
        match.roles |= meaning.ref();
        break;
      case Posting::Kind::place:
        match.place = true;
        match.place_magnitude = std::max(match.place_magnitude, meaning.magnitude());
        break;
      default:
        if (meaning.code()) {
          match.code = true;
        } else {
          match.region = true;
          match.country = match.country || meaning.kind() == Posting::Kind::country;
          if (meaning.kind() != Posting::Kind::admin2) {
            match.region_magnitude = std::max(match.region_magnitude, meaning.magnitude());
          }
        }
    }
  });
  role_from_[first] = match.roles;
  role_to_[end - 1] |= match.roles;
  matches_[match_count_++] = match;
}

void Analysis::mark_inner() noexcept {
  for (std::size_t i = 0; i < match_count_; ++i) {
    Match& match = matches_[i];
    for (std::size_t j = 0; j < match_count_ && !match.inner; ++j) {
      const Match& other = matches_[j];
      match.inner = (other.place || other.region) && other.first <= match.first && other.end >= match.end &&
                    other.end - other.first > match.end - match.first;
    }
  }
}

/// "Hartford CT 06103": the code of a state, not a court.
void Analysis::settle_codes() noexcept {
  for (std::size_t i = 0; i < match_count_; ++i) {
    Match& match = matches_[i];
    if (!match.code) continue;
    match.code = code_may_stand(match);
    if (match.code && match.end == match.first + 1) {
      role_from_[match.first] &= ~(role::street_after | role::street_before);
      role_to_[match.first] &= ~(role::street_after | role::street_before);
    }
  }
}

bool Analysis::code_may_stand(const Match& match) const noexcept {
  const Token& token = tokens_[match.first];
  if (token.field == Field::state || token.field == Field::country) return true;
  if (postcode_follows(match)) return true;
  if (!token.upper && tokens_.has_upper() && token.length < 3) return false;
  if (!token.upper && token.length == 3 && role_from_[match.first] != 0) return false;
  const bool alone = (match.first == 0 || !tokens_.same_run(match.first - 1U, match.first));
  const bool at_end = match.end == tokens_.size() || !tokens_.same_run(match.end - 1U, match.end);
  if (alone && (at_end || tokens_[match.end].numeric())) return true;
  if (match.end == tokens_.size() || tokens_[match.end].field != token.field) return true;
  if (at_end) return token.segment != 0;
  if (tokens_[match.end].numeric() && tokens_[match.end].digits >= 3) return true;
  // "... Louisville KY US", "... KY USA"
  return match.end + 1U == tokens_.size() && tokens_[match.end].upper && tokens_[match.end].length <= 3;
}

/// "Kingston ON K7L 1A1"
bool Analysis::postcode_follows(const Match& match) const noexcept {
  return postcode_ && postcode_->first == match.end && tokens_[match.end].field == tokens_[match.first].field;
}

/// A code of a state of the countries that write them after the town.
bool Analysis::has_state_code(const Match& match) const noexcept {
  bool found = false;
  each_meaning(match.meanings, [&](const Posting& meaning) {
    if (meaning.kind() != Posting::Kind::admin1 || !meaning.code()) return;
    const CountryRecord& country = data_.countries[data_.admin1[meaning.ref()].country];
    found = found || writes_state_codes(country);
  });
  return found;
}

bool Analysis::is_closing_code(const Match& match) const noexcept {
  const Token& token = tokens_[match.first];
  if (!match.code || token.field != Field::text || token.segment == 0) return false;
  if (tokens_.same_run(match.first - 1U, match.first) || !ends_text(match)) return false;
  return token.length >= 4 || has_state_code(match);
}

void Analysis::gather_evidence() noexcept {
  std::uint32_t any = 0;
  std::uint32_t telling = 0;
  for (std::size_t i = 0; i < match_count_; ++i) {
    const Match& match = matches_[i];
    const std::uint32_t spoken = languages_of(match);
    if (spoken != 0 && !match.inner) (std::popcount(spoken) == 1 ? telling : any) |= spoken;
    if (!(match.region || match.code) || match.inner || evidence_count_ == max_evidence) continue;
    const Field field = tokens_[match.first].field;
    if (field == Field::text && !match.code && trap_of(match) == Trap::street) continue;
    Evidence found{};
    found.first = match.first;
    found.end = match.end;
    found.structured = field == Field::state || field == Field::country;
    found.code = match.code;
    found.country = match.country;
    found.strong = found.structured || match.code;
    found.rival = !match.code && match.place && match.region &&
                  match.place_magnitude + 1.3F > match.region_magnitude && !match.country;
    found.meanings = match.meanings;
    found.state = field == Field::state;
    found.no_country_code = found.state && match.code && (has_country_column_ || has_state_code(match));
    evidence_[evidence_count_++] = found;
    if (match.country || match.code || match.region_magnitude > 0) {
      for (std::size_t k = match.first; k < match.end; ++k) evident_[k] = true;
    }
  }
  languages_ = telling != 0 ? telling : any;
  strengthen_evidence();
}

/// Evidence at the address's end or in a part of its own is strong; of several countries by name only the
/// last.
void Analysis::strengthen_evidence() noexcept {
  bool country_seen = false;
  for (std::size_t i = evidence_count_; i > 0; --i) {
    Evidence& evidence = evidence_[i - 1];
    Match as_match{};
    as_match.first = evidence.first;
    as_match.end = evidence.end;
    as_match.code = evidence.code;
    as_match.meanings = evidence.meanings;
    evidence.closing = is_closing_code(as_match);
    const bool again = country_seen && evidence.country && !evidence.structured;
    evidence.strong = evidence.strong || (!again && (ends_text(as_match) || fills_segment(as_match)));
    country_seen = country_seen || (evidence.country && evidence.strong);
  }
}

/// "Avenue" Foch is French, Fifth "Avenue" English.
std::uint32_t Analysis::languages_of(const Match& match) const noexcept {
  const std::uint32_t spoken = match.roles >> role::language_shift;
  if (spoken == 0 || !is_both(match.roles)) return spoken;
  return name_before(match.first) ? spoken & suffix_languages : spoken & ~suffix_languages;
}

/// France: five digits that are no house number.
void Analysis::read_postcodes() noexcept {
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const bool house_number = i == 0 && tokens_[i].field == Field::text && tokens_.size() > 1 &&
                              letters_before(tokens_.size()) && tokens_.segments() > 1;
    if (tokens_[i].numeric() && tokens_[i].digits == 5 && !house_number) department_ = tokens_[i].number;
  }
}

/// The country is as sure as from a column; the region not quite: Gatineau in Quebec has a postcode of
/// Ontario.
void Analysis::hear_postcode() noexcept {
  if (!postcode_) return;
  add_postcode_evidence(postcode_->country, true);
  if (!postcode_->region.empty()) add_postcode_evidence(postcode_->region, false);
}

void Analysis::add_postcode_evidence(std::string_view name, bool country) noexcept {
  if (evidence_count_ == max_evidence) return;
  TokenList words;
  words.append(data_, name, Field::text);
  NameHash hash;
  for (std::size_t i = 0; i < words.size(); ++i) hash = extended(hash, words[i]);
  Evidence found{};
  found.meanings = meanings_of(data_, hash);
  if (found.meanings == nullptr) return;
  found.first = static_cast<std::uint8_t>(postcode_->first);
  found.end = static_cast<std::uint8_t>(postcode_->end);
  found.strong = true;
  found.structured = found.country = country;
  evidence_[evidence_count_++] = found;
}

bool Analysis::letters_before(std::size_t i) const noexcept {
  for (std::size_t k = i; k > 0 && (k == i || tokens_.same_run(k, k - 1)); --k) {
    if (!tokens_[k - 1].has_digit()) return true;
  }
  return false;
}

/// Whether the token at `first` names a street because of what stands before it: "rue de la" Paix.
bool Analysis::street_before(std::size_t first) const noexcept {
  const std::size_t word = street_word_before(first);
  if (word == none) return false;
  if (street_word_before(word) != none)
    return false;  // "rue du Château" Lugny: the word is the street's name
  if (!is_both(role_to_[word])) return true;
  return !name_before(word);  // "Paris Avenue" Springfield
}

bool Analysis::name_before(std::size_t word) const noexcept {
  for (std::size_t b = word; b > 0 && tokens_.same_run(b - 1, word); --b) {
    const Token& token = tokens_[b - 1];
    if ((role_to_[b - 1] & role::connector) != 0) continue;
    if (!token.has_digit() || token.length == token.digits + 2U)
      return true;  // "5th", but neither "12b" nor "12bis"
  }
  return false;
}

/// The street word that only connectors part from the token at `first`.
std::size_t Analysis::street_word_before(std::size_t first) const noexcept {
  std::size_t k = first;
  for (int skipped = 0; skipped < 4 && k > 0 && tokens_.same_run(k - 1, first); ++skipped) {
    if ((role_to_[k - 1] & role::street_before) != 0) {
      // "C. Mayor 3" is a street, "Hickory Avenue Unit C, Panama City" is not.
      const bool abbreviation = tokens_[k - 1].length <= 2 && !tokens_[k - 1].single;
      return abbreviation && name_before(k - 1) ? none : k - 1;
    }
    if ((role_to_[k - 1] & role::connector) == 0) return none;
    --k;
  }
  return none;
}

Trap Analysis::trap_of(const Match& match) const noexcept {
  if (street_before(match.first)) return Trap::street;
  std::size_t k = match.end;
  const auto in_run = [&](std::size_t at) {
    return at < tokens_.size() && tokens_.same_run(match.first, at);
  };
  while (in_run(k) && (role_from_[k] & role::street_after) == 0 && (role_from_[k] & role::direction) != 0)
    ++k;
  if (in_run(k) && (role_from_[k] & role::street_after) != 0) return Trap::street;
  if (in_run(k) && in_run(k + 1) && !tokens_[k].has_digit() && !evident_[k] && !tokens_[k].single &&
      (role_from_[k + 1] & role::street_after) != 0) {
    return Trap::near_street;
  }
  return Trap::none;
}

/// A token that says nothing about streets: numbers, postcodes, regions, countries.
bool Analysis::quiet(std::size_t i) const noexcept {
  if (tokens_[i].has_digit() || evident_[i]) return true;
  if (tokens_[i].length == 1 && !tokens_[i].single) return true;
  return ((role_from_[i] | role_to_[i]) & role::quiet) != 0;
}

bool Analysis::fills_segment(const Match& match) const noexcept {
  for (std::size_t i = match.first; i > 0 && tokens_.same_run(i - 1, match.first); --i) {
    if (!quiet(i - 1)) return false;
  }
  for (std::size_t i = match.end; i < tokens_.size() && tokens_.same_run(i, match.first); ++i) {
    if (!quiet(i)) return false;
  }
  return true;
}

bool Analysis::looks_like_house(const Match& match) const noexcept {
  const Token& first = tokens_[match.first];
  if (first.segment != 0 || first.field != Field::text || first.single || tokens_.segments() < 2)
    return false;
  const bool number_behind = match.end < tokens_.size() && tokens_[match.end].segment == 0 &&
                             tokens_[match.end].has_digit() && tokens_[match.end].length <= 5;
  if (!number_behind) return false;
  for (std::size_t i = 0; i < match_count_; ++i) {
    const Match& other = matches_[i];
    if (tokens_[other.first].segment != 0 && other.place && !other.inner && !other.country && !other.code)
      return true;
  }
  return false;
}

bool Analysis::ends_text(const Match& match) const noexcept {
  for (std::size_t i = match.end; i < tokens_.size() && tokens_[i].field == tokens_[match.first].field; ++i) {
    if (!quiet(i)) return false;
  }
  return true;
}

bool Analysis::follows_genitive(const Match& match) const noexcept {
  std::size_t k = match.first;
  for (int skipped = 0; skipped < 2 && k > 0 && tokens_.same_run(k - 1, match.first); ++skipped, --k) {
    if ((role_to_[k - 1] & role::genitive) != 0) return true;
    if ((role_to_[k - 1] & role::connector) == 0) return false;
  }
  return false;
}

bool Analysis::part_of_hyphened(const Match& match) const noexcept {
  const auto joined = [&](std::size_t i) {
    return tokens_[i].hyphened && !tokens_[i].has_digit() && !tokens_[i - 1].has_digit();
  };
  if (match.first > 0 && joined(match.first) && tokens_[match.first - 1U].length > 1) return true;
  return match.end < tokens_.size() && joined(match.end);
}

bool Analysis::beside_street_word(const Match& match) const noexcept {
  const auto street = [&](std::size_t i) {
    return ((role_from_[i] | role_to_[i]) & (role::street_after | role::street_before)) != 0 && !evident_[i];
  };
  for (std::size_t i = match.first; i > 0 && tokens_.same_run(i - 1, match.first); --i) {
    if (street(i - 1)) return true;
  }
  for (std::size_t i = match.end; i < tokens_.size() && tokens_.same_run(i, match.first); ++i) {
    if (street(i)) return true;
  }
  return false;
}

bool Analysis::names_alternatives() const noexcept {
  constexpr float large = 4;
  const auto town_beside = [&](std::size_t word, bool before) {
    return std::any_of(matches_.begin(), matches_.begin() + static_cast<std::ptrdiff_t>(match_count_),
                       [&](const Match& match) {
                         return match.place && match.place_magnitude >= large &&
                                (before ? match.end == word : match.first == word + 1);
                       });
  };
  for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    const bool or_word = token.length == 2 && token.initials[0] == 'o' && token.initials[1] == 'r';
    if (!or_word || token.upper || evident_[i] || !tokens_.same_run(i - 1, i + 1)) continue;
    if (town_beside(i, true) && town_beside(i, false)) return true;
  }
  return false;
}

unsigned Analysis::postcode_digits_at(const Match& match) const noexcept {
  unsigned before = 0;
  std::size_t i = match.first;
  while (i > 0 && tokens_.same_run(i - 1, match.first) && tokens_[i - 1].numeric())
    before += tokens_[--i].digits;
  const bool may_be_house_number = i == 0 && tokens_[0].field == Field::text && !fills_segment(match);
  if (before >= 3 && !may_be_house_number) return before;
  unsigned after = 0;
  i = match.end;
  while (i < tokens_.size() && (evident_[i] && !tokens_[i].has_digit())) ++i;
  while (i < tokens_.size() && tokens_[i].numeric() && after < 5) after += tokens_[i++].digits;
  return after >= 3 ? after : 0;
}

}  // namespace geobreaker::gazetteer
