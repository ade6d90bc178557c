#include "batch/address_choice.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

namespace geobreaker {

namespace {

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

bool is_street_level(const AddressCandidate& candidate) noexcept {
  const AddressRole role = candidate.word.role;
  return role == AddressRole::full || role == AddressRole::address || role == AddressRole::street;
}

/// The qualifiers, each once, of the candidates that `counts` accepts.
std::vector<std::string> qualifiers_with(const AddressCandidates& all,
                                         bool (*counts)(const AddressCandidate&) noexcept) {
  std::vector<std::string> found;
  for (const AddressCandidate& candidate : all) {
    if (!counts(candidate) || std::find(found.begin(), found.end(), candidate.qualifier) != found.end())
      continue;
    found.push_back(candidate.qualifier);
  }
  return found;
}

AddressCandidates with_qualifier(const AddressCandidates& all, const std::string& qualifier) {
  AddressCandidates some;
  for (const AddressCandidate& candidate : all) {
    if (candidate.qualifier.empty() || candidate.qualifier == qualifier) some.push_back(candidate);
  }
  return some;
}

class Choice {
 public:
  explicit Choice(const AddressCandidates& pool) : pool_(pool) {}

  AddressCandidates choose() {
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
                       [&](const AddressCandidate& c) { return c.word.role == role && !c.word.weak; });
  }
  [[nodiscard]] bool has(AddressRole role) const {
    return std::any_of(chosen_.begin(), chosen_.end(),
                       [&](const AddressCandidate& c) { return c.word.role == role; });
  }

  /// The plain name before the qualified one, then the better known word, then no number; the first of
  /// equals.
  [[nodiscard]] const AddressCandidate* best(AddressRole role) const {
    const AddressCandidate* found = nullptr;
    const auto order = [](const AddressCandidate& c) {
      return std::tuple(!c.qualifier.empty(), c.word.rank, c.numbered);
    };
    for (const AddressCandidate& candidate : pool_) {
      if (candidate.word.role == role && (found == nullptr || order(candidate) < order(*found)))
        found = &candidate;
    }
    return found;
  }

  bool take_best(AddressRole role) { return take(best(role)); }
  bool take(const AddressCandidate* candidate) {
    if (candidate != nullptr) chosen_.push_back(*candidate);
    return candidate != nullptr;
  }

  void choose_street() {
    const bool locality = offers(AddressRole::city) || offers(AddressRole::postcode);
    const bool street = offers(AddressRole::street) && (locality || !offers(AddressRole::address));
    const AddressRole role = street ? AddressRole::street : AddressRole::address;
    const AddressCandidate* first = best(role);
    if (!take(first)) return;
    for (const AddressCandidate& candidate : pool_) {
      const bool more = candidate.word.role == role && candidate.numbered && candidate.index != first->index;
      if (more && candidate.qualifier == first->qualifier) take(&candidate);
    }
  }

  void take_city(bool line) {
    const AddressCandidate* city = best(AddressRole::city);
    if (city != nullptr && (!city->word.weak || line || has(AddressRole::postcode))) take(city);
  }

  /// "house number" belongs to any first line; a mere "number" only to a street that it stands beside.
  void take_number() {
    const AddressCandidate* number = best(AddressRole::house_number);
    if (number != nullptr && (!number->word.weak || numbers_the_street(*number))) take(number);
  }
  [[nodiscard]] bool numbers_the_street(const AddressCandidate& number) const {
    // "no", "nr" and "num" in the first column number the rows.
    if (number.index == 0 && number.word.short_name) return false;
    return std::any_of(chosen_.begin(), chosen_.end(), [&](const AddressCandidate& c) {
      const bool beside = c.index + 1 == number.index || number.index + 1 == c.index;
      return beside && c.word.role == AddressRole::street;
    });
  }

  const AddressCandidates& pool_;
  AddressCandidates chosen_;
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
void put_state_behind_city(AddressCandidates& chosen) {
  const auto is = [](AddressRole role) {
    return [role](const AddressCandidate& c) { return c.word.role == role; };
  };
  const auto city = std::find_if(chosen.begin(), chosen.end(), is(AddressRole::city));
  for (const AddressRole role : {AddressRole::state, AddressRole::region}) {
    const auto state = std::find_if(chosen.begin(), chosen.end(), is(role));
    if (city != chosen.end() && state < city) std::rotate(state, state + 1, city + 1);
  }
}

void put_in_order(AddressCandidates& chosen) {
  std::sort(chosen.begin(), chosen.end(),
            [](const AddressCandidate& a, const AddressCandidate& b) { return a.index < b.index; });
  if (std::any_of(chosen.begin(), chosen.end(), [](const AddressCandidate& c) { return c.word.large_first; }))
    return;
  std::stable_sort(chosen.begin(), chosen.end(), [](const AddressCandidate& a, const AddressCandidate& b) {
    return place_in_text(a.word.role) < place_in_text(b.word.role);
  });
  put_state_behind_city(chosen);
}

}  // namespace

std::optional<AddressCandidate> candidate_for(const std::string& name, std::size_t index) {
  if (const Meaning whole = meaning_of(folded_name(name)); whole.word != nullptr) {
    return AddressCandidate{index, *whole.word, whole.numbered, ""};
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
    return AddressCandidate{index, *meaning.word, meaning.numbered, qualifier};
  }
  return std::nullopt;
}

bool is_locating(const AddressCandidate& candidate) noexcept {
  const AddressRole role = candidate.word.role;
  const bool place = role == AddressRole::city || role == AddressRole::postcode;
  return !candidate.word.weak && (place || is_street_level(candidate));
}

std::size_t count_addresses(const AddressCandidates& all) { return qualifiers_with(all, is_locating).size(); }

AddressCandidates of_one_address(const AddressCandidates& all) {
  std::vector<std::string> groups = qualifiers_with(all, is_street_level);
  const auto plain = [](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), "") != names.end();
  };
  if (plain(groups)) return with_qualifier(all, "");
  if (groups.empty()) groups = qualifiers_with(all, is_locating);
  if (plain(groups)) return with_qualifier(all, "");
  return groups.size() == 1 ? with_qualifier(all, groups.front()) : AddressCandidates{};
}

AddressCandidates choose_address(const AddressCandidates& pool) {
  AddressCandidates chosen = Choice(pool).choose();
  put_in_order(chosen);
  return chosen;
}

}  // namespace geobreaker
