#pragma once

#include "provider/gazetteer/data_file.hpp"
#include "provider/gazetteer/postcodes.hpp"
#include "provider/gazetteer/tokens.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// What the words of an address may mean, before any candidate is weighed: names in it, street words, evidence
// of country and region, postcodes.
namespace geobreaker::gazetteer {

/// Roles of a word, the lowest bits of a word posting's ref; above them one bit per language of a street
/// word.
namespace role {
inline constexpr std::uint32_t street_after = 1;
inline constexpr std::uint32_t street_before = 2;
inline constexpr std::uint32_t connector = 4;
inline constexpr std::uint32_t direction = 8;
inline constexpr std::uint32_t generic = 16;
inline constexpr std::uint32_t quiet = 32;     // may stand beside a town's name without meaning anything
inline constexpr std::uint32_t genitive = 64;  // what follows belongs to the name before
inline constexpr unsigned language_shift = 7;
}  // namespace role

/// A run of tokens that is a name of something. (No initial values, as with Token.)
struct Match {
  std::uint8_t first;
  std::uint8_t end;
  bool place;
  bool region;   // by name, not by code
  bool country;  // by name
  bool code;     // an abbreviation that may stand here as one
  bool inner;    // inside a longer name
  float region_magnitude;
  float place_magnitude;
  std::uint32_t roles;
  const Posting* meanings;
};

enum class Trap : std::uint8_t { none, near_street, street };

/// Something in the text that tells country or region.
struct Evidence {
  std::uint8_t first;
  std::uint8_t end;
  bool strong;      // where an address has its region or country, not somewhere in the middle
  bool structured;  // from a column of its own
  bool code;
  bool country;          // a country by its name
  bool rival;            // may as well be a town's name
  bool state;            // from the state column
  bool no_country_code;  // its code is a state's, whichever country has the same
  bool closing;          // "..., CT": a code that leaves no doubt, where an address has its state
  const Posting* meanings;
};

class Analysis {
 public:
  Analysis(const DataFile& data, const TokenList& tokens) noexcept;

  [[nodiscard]] std::span<const Match> matches() const noexcept { return {matches_.data(), match_count_}; }
  [[nodiscard]] std::span<const Evidence> evidence() const noexcept {
    return {evidence_.data(), evidence_count_};
  }
  [[nodiscard]] std::uint32_t languages() const noexcept { return languages_; }
  /// A French department (the first two of five digits), or 0.
  [[nodiscard]] unsigned department() const noexcept { return department_; }
  [[nodiscard]] bool has_country_column() const noexcept { return has_country_column_; }

  [[nodiscard]] Trap trap_of(const Match& match) const noexcept;
  /// The match and nothing but postcode, region and country fill their comma-separated part.
  [[nodiscard]] bool fills_segment(const Match& match) const noexcept;
  /// "Balcarce 50, Buenos Aires": a street without a street word, with its house number.
  [[nodiscard]] bool looks_like_house(const Match& match) const noexcept;
  /// Nothing but numbers, regions and countries follow.
  [[nodiscard]] bool ends_text(const Match& match) const noexcept;
  /// "Rue Raimbaud d'Orange": hangs on the name before.
  [[nodiscard]] bool follows_genitive(const Match& match) const noexcept;
  /// "Mer" in "Argelès-sur-Mer".
  [[nodiscard]] bool part_of_hyphened(const Match& match) const noexcept;
  [[nodiscard]] bool beside_street_word(const Match& match) const noexcept;
  /// Digits of the postcode right before or behind the match; 0 if there is none.
  [[nodiscard]] unsigned postcode_digits_at(const Match& match) const noexcept;
  /// "New York or Boston": two large towns to choose from.
  [[nodiscard]] bool names_alternatives() const noexcept;
  [[nodiscard]] const TokenList& tokens() const noexcept { return tokens_; }

 private:
  static constexpr std::size_t max_matches = 192;
  static constexpr std::size_t max_evidence = 24;

  void find_matches() noexcept;
  void record(std::size_t first, std::size_t end, const Posting* meanings) noexcept;
  void mark_inner() noexcept;
  void settle_codes() noexcept;
  void gather_evidence() noexcept;
  void strengthen_evidence() noexcept;
  void read_postcodes() noexcept;
  void hear_postcode() noexcept;
  void add_postcode_evidence(std::string_view name, bool country) noexcept;
  [[nodiscard]] bool has_state_code(const Match& match) const noexcept;
  [[nodiscard]] bool is_closing_code(const Match& match) const noexcept;
  [[nodiscard]] bool postcode_follows(const Match& match) const noexcept;
  [[nodiscard]] bool hangul_may_end(std::size_t end) const noexcept;
  [[nodiscard]] bool code_may_stand(const Match& match) const noexcept;
  static constexpr std::size_t none = ~std::size_t{0};
  [[nodiscard]] std::size_t street_word_before(std::size_t first) const noexcept;
  [[nodiscard]] bool street_before(std::size_t first) const noexcept;
  [[nodiscard]] bool name_before(std::size_t word) const noexcept;
  [[nodiscard]] std::uint32_t languages_of(const Match& match) const noexcept;
  [[nodiscard]] bool quiet(std::size_t i) const noexcept;
  [[nodiscard]] bool letters_before(std::size_t i) const noexcept;

  const DataFile& data_;
  const TokenList& tokens_;
  std::array<Match, max_matches> matches_;
  std::array<Evidence, max_evidence> evidence_;
  std::array<std::uint32_t, TokenList::capacity + 1> role_from_{};  // of the word phrase that begins here
  std::array<std::uint32_t, TokenList::capacity + 1> role_to_{};    // of the one that ends here
  std::array<bool, TokenList::capacity + 1> evident_{};             // part of a country's or region's name
  std::size_t match_count_ = 0;
  std::size_t evidence_count_ = 0;
  std::uint32_t languages_ = 0;
  unsigned department_ = 0;
  bool has_country_column_ = false;
  std::optional<LetteredPostcode> postcode_;
};

}  // namespace geobreaker::gazetteer
