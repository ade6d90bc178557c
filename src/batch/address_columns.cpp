#include "batch/address_columns.hpp"

#include "config/nearest.hpp"
#include "config/quote.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace geobreaker {
namespace {

constexpr std::size_t names_shown = 40;

/// A name as part of a sentence: plain where that is safe.
std::string shown(const std::string& name) {
  const bool plain = !name.empty() && name.size() <= 60 && !config::has_control_character(name);
  return plain ? name : config::in_quotes(name);
}

std::string joined(std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), names_shown); ++i)
    text += (i == 0 ? "" : ", ") + shown(names[i]);
  if (names.size() > names_shown) text += ", and " + std::to_string(names.size() - names_shown) + " more";
  return text;
}

std::string joined(const std::vector<AddressColumn>& columns) {
  std::vector<std::string> names;
  for (const AddressColumn& column : columns) names.push_back(column.name);
  return joined(names);
}

Error refused(std::string detail) { return {Errc::invalid_config, std::move(detail)}; }

// ---- what each name may mean

struct Candidate {
  std::size_t index;
  AddressWord word;
  bool numbered;          // address1, address2: parts of one
  std::string qualifier;  // "billing" of billing_city
};

struct Meaning {
  const AddressWord* word;
  bool numbered;
};

Meaning meaning_of(std::string_view folded) {
  if (const AddressWord* word = find_address_word(folded)) return {word, false};
  const std::size_t last_letter = folded.find_last_not_of("0123456789");
  if (last_letter == std::string_view::npos || last_letter + 1 == folded.size()) return {nullptr, false};
  const AddressWord* word = find_address_word(folded.substr(0, last_letter + 1));
  const bool lines =
      word != nullptr && (word->role == AddressRole::address || word->role == AddressRole::street);
  return {lines ? word : nullptr, true};
}

/// "addr:street", "address_city": the first word says nothing new.
bool says_address(const std::string& folded) {
  const AddressWord* word = find_address_word(folded);
  return word != nullptr && word->role == AddressRole::address;
}

std::optional<Candidate> candidate_for(const std::string& name, std::size_t index) {
  if (const Meaning whole = meaning_of(folded_name(name)); whole.word != nullptr) {
    return Candidate{index, *whole.word, whole.numbered, ""};
  }
  const std::vector<std::string> words = folded_words(name);
  std::string qualifier;
  for (std::size_t skipped = 0; skipped + 1 < words.size(); ++skipped) {
    if (qualifies_address(words[skipped])) {
      qualifier += words[skipped];
    } else if (!says_address(words[skipped])) {
      return std::nullopt;
    }
    std::string rest;
    for (std::size_t i = skipped + 1; i < words.size(); ++i) rest += words[i];
    const Meaning meaning = meaning_of(rest);
    if (meaning.word == nullptr) continue;
    // A "customer number" is no house number.
    if (meaning.word->role == AddressRole::house_number && meaning.word->weak) return std::nullopt;
    return Candidate{index, *meaning.word, meaning.numbered, qualifier};
  }
  return std::nullopt;
}

using Candidates = std::vector<Candidate>;

bool is_street_level(const Candidate& candidate) noexcept {
  const AddressRole role = candidate.word.role;
  return role == AddressRole::full || role == AddressRole::address || role == AddressRole::street;
}

bool is_locating(const Candidate& candidate) noexcept {
  const AddressRole role = candidate.word.role;
  const bool place = role == AddressRole::city || role == AddressRole::postcode;
  return !candidate.word.weak && (place || is_street_level(candidate));
}

/// The qualifiers, each once, of the candidates that `counts` accepts.
std::vector<std::string> qualifiers_with(const Candidates& all, bool (*counts)(const Candidate&) noexcept) {
  std::vector<std::string> found;
  for (const Candidate& candidate : all) {
    if (!counts(candidate) || std::find(found.begin(), found.end(), candidate.qualifier) != found.end())
      continue;
    found.push_back(candidate.qualifier);
  }
  return found;
}

Candidates with_qualifier(const Candidates& all, const std::string& qualifier) {
  Candidates some;
  for (const Candidate& candidate : all) {
    if (candidate.qualifier.empty() || candidate.qualifier == qualifier) some.push_back(candidate);
  }
  return some;
}

/// The candidates of one address: the plain names, and one qualifier's where the plain ones lack a street.
/// Empty if there is no address or more than one.
Candidates of_one_address(const Candidates& all) {
  std::vector<std::string> groups = qualifiers_with(all, is_street_level);
  const auto plain = [](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), "") != names.end();
  };
  if (plain(groups)) return with_qualifier(all, "");
  if (groups.empty()) groups = qualifiers_with(all, is_locating);
  if (plain(groups)) return with_qualifier(all, "");
  return groups.size() == 1 ? with_qualifier(all, groups.front()) : Candidates{};
}

// ---- which of them make the address

class Choice {
 public:
  explicit Choice(const Candidates& pool) : pool_(pool) {}

  Candidates choose() {
    if (take_best(AddressRole::full)) return chosen_;
    choose_street();
    const bool line = has(AddressRole::street) || has(AddressRole::address);
    take_best(AddressRole::postcode);
    take_city(line);
    if (line) take_number();
    if (line) take_best(AddressRole::unit);
    const bool locality = has(AddressRole::city) || has(AddressRole::postcode);
    take_best(AddressRole::state);
    if (locality && !has(AddressRole::state)) take_best(AddressRole::region);
    if (locality || has(AddressRole::state)) take_best(AddressRole::district);
    take_best(AddressRole::country);
    if (!line && !locality) chosen_.clear();
    return chosen_;
  }

 private:
  [[nodiscard]] bool offers(AddressRole role) const {
    return std::any_of(pool_.begin(), pool_.end(),
                       [&](const Candidate& c) { return c.word.role == role && !c.word.weak; });
  }
  [[nodiscard]] bool has(AddressRole role) const {
    return std::any_of(chosen_.begin(), chosen_.end(),
                       [&](const Candidate& c) { return c.word.role == role; });
  }

  /// The plain name before the qualified one, then the better known word, then no number; the first of
  /// equals.
  [[nodiscard]] const Candidate* best(AddressRole role) const {
    const Candidate* found = nullptr;
    const auto order = [](const Candidate& c) {
      return std::tuple(!c.qualifier.empty(), c.word.rank, c.numbered);
    };
    for (const Candidate& candidate : pool_) {
      if (candidate.word.role == role && (found == nullptr || order(candidate) < order(*found)))
        found = &candidate;
    }
    return found;
  }

  bool take_best(AddressRole role) { return take(best(role)); }
  bool take(const Candidate* candidate) {
    if (candidate != nullptr) chosen_.push_back(*candidate);
    return candidate != nullptr;
  }

  void choose_street() {
    const bool locality = offers(AddressRole::city) || offers(AddressRole::postcode);
    const bool street = offers(AddressRole::street) && (locality || !offers(AddressRole::address));
    const AddressRole role = street ? AddressRole::street : AddressRole::address;
    const Candidate* first = best(role);
    if (!take(first)) return;
    for (const Candidate& candidate : pool_) {
      const bool more = candidate.word.role == role && candidate.numbered && candidate.index != first->index;
      if (more && candidate.qualifier == first->qualifier) take(&candidate);
    }
  }

  void take_city(bool line) {
    const Candidate* city = best(AddressRole::city);
    if (city != nullptr && (!city->word.weak || line || has(AddressRole::postcode))) take(city);
  }

  /// "house number" belongs to any first line; a mere "number" only to a street that it stands beside.
  void take_number() {
    const Candidate* number = best(AddressRole::house_number);
    if (number != nullptr && (!number->word.weak || numbers_the_street(*number))) take(number);
  }
  [[nodiscard]] bool numbers_the_street(const Candidate& number) const {
    // "no", "nr" and "num" in the first column number the rows.
    if (number.index == 0 && number.word.short_name) return false;
    return std::any_of(chosen_.begin(), chosen_.end(), [&](const Candidate& c) {
      const bool beside = c.index + 1 == number.index || number.index + 1 == c.index;
      return beside && c.word.role == AddressRole::street;
    });
  }

  const Candidates& pool_;
  Candidates chosen_;
};

int place_in_text(AddressRole role) noexcept {
  switch (role) {
    case AddressRole::full:
    case AddressRole::address:
    case AddressRole::street:
    case AddressRole::house_number:
      return 0;
    case AddressRole::unit:
      return 1;
    case AddressRole::district:
      return 2;
    case AddressRole::city:
    case AddressRole::postcode:
    case AddressRole::region:
    case AddressRole::state:
      return 3;
    case AddressRole::country:
      return 4;
    case AddressRole::other:
      break;
  }
  return 5;
}

/// A state that stands before its city in the file goes behind it.
void put_state_behind_city(Candidates& chosen) {
  const auto is = [](AddressRole role) { return [role](const Candidate& c) { return c.word.role == role; }; };
  const auto city = std::find_if(chosen.begin(), chosen.end(), is(AddressRole::city));
  for (const AddressRole role : {AddressRole::state, AddressRole::region}) {
    const auto state = std::find_if(chosen.begin(), chosen.end(), is(role));
    if (city != chosen.end() && state < city) std::rotate(state, state + 1, city + 1);
  }
}

void put_in_order(Candidates& chosen) {
  std::sort(chosen.begin(), chosen.end(),
            [](const Candidate& a, const Candidate& b) { return a.index < b.index; });
  if (std::any_of(chosen.begin(), chosen.end(), [](const Candidate& c) { return c.word.large_first; }))
    return;
  std::stable_sort(chosen.begin(), chosen.end(), [](const Candidate& a, const Candidate& b) {
    return place_in_text(a.word.role) < place_in_text(b.word.role);
  });
  put_state_behind_city(chosen);
}

// ---- messages

Error nothing_found(std::span<const std::string> header) {
  return refused("no address column was recognised among: " + joined(header) +
                 ". Name the column, or the columns in their order, with --address");
}

Error two_addresses(std::span<const std::string> header, const Candidates& all) {
  std::vector<std::string> names;
  for (const Candidate& candidate : all) {
    if (is_locating(candidate)) names.push_back(header[candidate.index]);
  }
  return refused("the header has more than one address (" + joined(names) +
                 "). Name the columns of the one that is meant, in their order, with --address");
}

/// An error if the name of column `index` stands for two columns.
std::optional<Error> used_twice(std::span<const std::string> header, std::size_t index) {
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (i == index || header[i] != header[index]) continue;
    const auto [first, second] = std::minmax(i, index);
    return refused("columns " + std::to_string(first + 1) + " and " + std::to_string(second + 1) +
                   " are both called " + config::in_quotes(header[index]) +
                   ". Name the one that is meant by its number: --address '#" + std::to_string(first + 1) +
                   "'");
  }
  return std::nullopt;
}

std::string unused_names(std::span<const std::string> header, const Candidates& all,
                         const std::vector<AddressColumn>& chosen) {
  std::vector<std::string> names;
  for (const Candidate& candidate : all) {
    const bool used = std::any_of(chosen.begin(), chosen.end(), [&](const AddressColumn& column) {
      return column.index == candidate.index;
    });
    const AddressRole role = candidate.word.role;
    const bool vague =
        candidate.word.weak && role != AddressRole::region && role != AddressRole::house_number;
    if (!used && !vague) names.push_back(header[candidate.index]);
  }
  return names.empty() ? "" : "; not used: " + joined(names);
}

// ---- names that the user gave

std::string nearest_names(std::span<const std::string> header, const std::string& wanted) {
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& name : header) {
    if (name.size() > 64 || wanted.size() > 64 || name.empty()) continue;
    const std::size_t distance = config::edit_distance(wanted, name);
    if (distance <= (wanted.size() + 2) / 3) near.emplace_back(distance, name);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  if (near.size() > 3) near.resize(3);
  std::string text;
  for (const auto& [distance, name] : near) text += (text.empty() ? "" : " or ") + config::in_quotes(name);
  return text;
}

Error unknown_name(std::span<const std::string> header, const std::string& wanted) {
  const std::string near = nearest_names(header, wanted);
  return refused("--address " + config::in_quotes(wanted) + ": the header has no such column" +
                 (near.empty() ? "" : "; did you mean " + near + "?") + " (it has: " + joined(header) +
                 "; '#1' to '#" + std::to_string(header.size()) + "' name a column by its number)");
}

std::optional<std::size_t> by_number(std::size_t columns, std::string_view wanted) {
  std::size_t number = 0;
  if (!wanted.starts_with('#')) return std::nullopt;
  const auto [end, error] = std::from_chars(wanted.data() + 1, wanted.data() + wanted.size(), number);
  const bool whole = error == std::errc{} && end == wanted.data() + wanted.size();
  return whole && number >= 1 && number <= columns ? std::optional(number - 1) : std::nullopt;
}

Result<std::size_t> find_column(std::span<const std::string> header, const std::string& wanted) {
  const auto exact = std::find(header.begin(), header.end(), wanted);
  if (exact != header.end()) {
    const auto index = static_cast<std::size_t>(exact - header.begin());
    if (auto twice = used_twice(header, index)) return *twice;
    return index;
  }
  if (const auto index = by_number(header.size(), wanted)) return *index;
  const std::string folded = folded_name(wanted);
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (folded.empty() || folded_name(header[i]) != folded) continue;
    if (found) {
      return refused("--address " + config::in_quotes(wanted) + " may be " +
                     config::in_quotes(header[*found]) + " or " + config::in_quotes(header[i]) +
                     ": write it as the header does, or '#" + std::to_string(*found + 1) + "'");
    }
    found = i;
  }
  if (!found) return unknown_name(header, wanted);
  return *found;
}

}  // namespace

std::string AddressColumns::fingerprint() const {
  std::string text;
  for (const AddressColumn& column : columns) {
    text += (text.empty() ? "#" : ", #") + std::to_string(column.index + 1) + " " + shown(column.name);
  }
  return text;
}

std::vector<std::string> header_names(const CsvRecord& header) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < header.size(); ++i) names.emplace_back(header.cell(i));
  return names;
}

Result<AddressColumns> recognise_address_columns(std::span<const std::string> header) {
  Candidates all;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (auto candidate = candidate_for(header[i], i)) all.push_back(std::move(*candidate));
  }
  const Candidates pool = of_one_address(all);
  if (pool.empty() && qualifiers_with(all, is_locating).size() > 1) return two_addresses(header, all);
  Candidates chosen = Choice(pool).choose();
  if (chosen.empty()) return nothing_found(header);
  put_in_order(chosen);
  AddressColumns result;
  for (const Candidate& candidate : chosen) {
    if (auto twice = used_twice(header, candidate.index)) return *twice;
    result.columns.push_back({candidate.index, candidate.word.role, header[candidate.index]});
  }
  result.sentence = "address columns: " + joined(result.columns) + " (found by their names" +
                    unused_names(header, all, result.columns) + ")";
  return result;
}

Result<AddressColumns> name_address_columns(std::span<const std::string> header,
                                            std::span<const std::string> wanted) {
  if (wanted.empty()) return refused("--address names no column");
  AddressColumns result;
  for (const std::string& name : wanted) {
    const auto index = find_column(header, name);
    if (!index) return index.error();
    for (const AddressColumn& column : result.columns) {
      if (column.index == *index)
        return refused("--address names the column " + config::in_quotes(column.name) + " twice");
    }
    const auto candidate = candidate_for(header[*index], *index);
    result.columns.push_back({*index, candidate ? candidate->word.role : AddressRole::other, header[*index]});
  }
  result.sentence = "address columns: " + joined(result.columns) + " (as given by --address)";
  return result;
}

}  // namespace geobreaker
