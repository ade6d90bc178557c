#include "provider/gazetteer/scoring.hpp"

#include "provider/gazetteer/names.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

namespace geobreaker::gazetteer {
namespace {

// The unit of all weights: a factor of ten in population. Set by hand on addresses of many countries and held
// by the accuracy tests; see docs/gazetteer.md.
namespace weight {
constexpr float unknown_population = 2.6F;  // the source lists places from about 500 inhabitants on
constexpr std::array<float, 4> quality{0, -0.3F, -1.2F, -1.2F};
constexpr float capital = 0.3F;
constexpr float section = -0.6F;
constexpr float more_tokens = 0.5F;
constexpr float more_characters = 0.25F;  // of a script without spaces
constexpr float inner = -2.0F;
constexpr float inner_unspaced = -5.0F;
constexpr float near_street = -4.0F;
constexpr float street_segment = -3.0F;
constexpr float fills_segment = 3.0F;
constexpr float ends_text = 2.0F;
constexpr float starts_text = 1.0F;
constexpr float city_column = 2.0F;
constexpr float state_column = -2.0F;
constexpr float among_words = -1.5F;  // other words around it, and nothing that makes the whole an address
constexpr float generic_word = -4.0F;
constexpr float short_word = -2.0F;
constexpr float postcode = 2.0F;
constexpr float foreign_postcode = -3.0F;
constexpr float hyphened = -4.0F;
constexpr float department = 4.0F;
constexpr float other_department = -5.0F;
constexpr float language = 1.5F;
constexpr float one_of_languages = 0.8F;
constexpr float other_language = -0.5F;
constexpr float other_language_beside = -4.0F;  // in the very part that has the street word
constexpr float unknown_language_beside = -2.5F;
constexpr float after_genitive = -4.0F;
constexpr float rather_code = -4.0F;  // "US" is a village near Paris, too
constexpr float country = 4.0F;
constexpr float admin1 = 5.0F;
constexpr float admin2 = 2.0F;
constexpr float next_to_region = 1.5F;
constexpr float other_country = -8.0F;
constexpr float maybe_other_country = -2.0F;
constexpr float other_region = -6.0F;
constexpr float region_elsewhere = -3.0F;
constexpr float rival_name = -1.0F;
constexpr float rather_country = -8.0F;
constexpr float rather_region = -8.0F;
constexpr float maybe_region = -4.0F;
}  // namespace weight

constexpr float same_likelihood = 0.2F;  // populations within a factor of 1.6
constexpr double same_area_km = 40;
constexpr float no_rival = 99;

/// What is the same for all namesakes of a match.
struct Setting {
  float score = 0;
  unsigned postcode = 0;
  bool region_column = false;
  bool beside_street = false;
  bool among_words = false;
};

/// What the text says about a candidate's country and region.
struct Agreement {
  bool country = false;
  bool admin1 = false;
  bool admin2 = false;
  bool adjacent = false;
  bool impossible = false;
  float conflict = 0;
};

class Chooser {
 public:
  Chooser(const DataFile& data, const Analysis& analysis) noexcept : data_(data), analysis_(analysis) {}

  std::optional<Choice> run() noexcept {
    if (analysis_.names_alternatives()) return std::nullopt;
    for (const Match& match : analysis_.matches()) {
      if (match.place) weigh(match);
    }
    return decide();
  }

 private:
  struct Candidate {
    std::uint32_t place = 0;
    float score = 0;
  };
  static constexpr std::size_t kept = 12;

  void weigh(const Match& match) noexcept {
    Setting setting;
    if (!may_hold_place(match, setting)) return;
    if (in_text(match) && analysis_.trap_of(match) == Trap::street)
      return;  // a street's name, whatever else it is
    set(match, setting);
    each_meaning(match.meanings, [&](const Posting& meaning) {
      if (meaning.kind() != Posting::Kind::place) return;
      if (setting.region_column && data_.admin1[meaning.admin1()].one_town == 0) return;
      if (const auto score = score_of(match, meaning, setting)) keep({meaning.ref(), *score});
    });
  }

  bool in_text(const Match& match) const noexcept {
    return analysis_.tokens()[match.first].field == Field::text;
  }

  bool may_hold_place(const Match& match, Setting& setting) const noexcept {
    const Field field = analysis_.tokens()[match.first].field;
    setting.region_column = field == Field::state;
    return field != Field::country && field != Field::postcode;
  }

  void set(const Match& match, Setting& setting) const noexcept {
    const TokenList& tokens = analysis_.tokens();
    const Token& first = tokens[match.first];
    const auto length = static_cast<float>(match.end - match.first - 1);
    float score = length * (first.single ? weight::more_characters : weight::more_tokens);
    if (match.inner) score += first.single ? weight::inner_unspaced : weight::inner;
    const bool near_street = in_text(match) && analysis_.trap_of(match) == Trap::near_street;
    if (near_street) score += weight::near_street;
    const bool house = analysis_.looks_like_house(match);
    const bool fills = !house && analysis_.fills_segment(match);
    if (house) score += weight::street_segment;
    setting.beside_street = first.field == Field::text && !fills && analysis_.beside_street_word(match);
    if (fills)
      score += weight::fills_segment;
    else if (setting.beside_street && tokens.segments() > 1 && !near_street)
      score += weight::street_segment;
    if (setting.beside_street && !near_street && analysis_.follows_genitive(match))
      score += weight::after_genitive;
    if (analysis_.ends_text(match))
      score += weight::ends_text;
    else if (match.first == 0)
      score += weight::starts_text;
    if (first.field == Field::city) score += weight::city_column;
    if (first.field == Field::state) score += weight::state_column;
    setting.among_words =
        in_text(match) && !fills && !first.single && analysis_.postcode_digits_at(match) == 0;
    if (analysis_.part_of_hyphened(match)) score += weight::hyphened;
    if (match.code && tokens.size() > 1) score += weight::rather_code;
    if (match.end == match.first + 1 && !first.single) {
      if ((match.roles & (role::generic | role::direction | role::street_after | role::street_before)) != 0)
        score += weight::generic_word;
      if (first.length < 3 && !fills) score += weight::short_word;
    }
    setting.score = score;
    setting.postcode = analysis_.postcode_digits_at(match);
  }

  std::optional<float> score_of(const Match& match, const Posting& meaning,
                                const Setting& setting) const noexcept {
    const std::uint16_t country = data_.admin1[meaning.admin1()].country;
    const Agreement agreement = agreement_of(match, meaning, country);
    if (agreement.impossible) return std::nullopt;
    float score = setting.score + agreement.conflict;
    score += meaning.magnitude() > 0 ? meaning.magnitude() : weight::unknown_population;
    score += weight::quality[meaning.quality()];
    if (meaning.capital()) score += weight::capital;
    if (meaning.section()) score += weight::section;
    if (agreement.country) score += weight::country;
    if (agreement.admin1) score += weight::admin1;
    if (agreement.admin2) score += weight::admin2;
    if (agreement.adjacent) score += weight::next_to_region;
    const float language = language_score(country, agreement, setting);
    float post = postcode_score(meaning, country, setting);
    if (post == weight::postcode && language <= 0 && !agreement.country && !agreement.admin1)
      post /= 2;  // any five digits
    score += post + language;
    if (setting.among_words && language <= 0 && !agreement.country && !agreement.admin1)
      score += weight::among_words;
    score += rather_region_score(match, meaning, country, agreement, post > 0);
    return score;
  }

  float postcode_score(const Posting& meaning, std::uint16_t country, const Setting& setting) const noexcept {
    const CountryRecord& record = data_.countries[country];
    float score = 0;
    if (setting.postcode != 0) {
      const unsigned usual = record.postcode_digits;
      if (usual == 255)
        score += setting.postcode >= 4 ? weight::postcode / 2 : 0;
      else
        score += setting.postcode == usual || setting.postcode == usual + 4 ? weight::postcode
                                                                            : weight::foreign_postcode;
    }
    if (analysis_.department() != 0 && record.code[0] == 'f' && record.code[1] == 'r') {
      const unsigned department = data_.admin2[data_.places[meaning.ref()].admin2].department;
      if (department != 0)
        score += department == analysis_.department() ? weight::department : weight::other_department;
    }
    return score;
  }

  float language_score(std::uint16_t country, const Agreement& agreement,
                       const Setting& setting) const noexcept {
    if (agreement.country || agreement.admin1) return 0;
    if (analysis_.languages() == 0) return setting.beside_street ? weight::unknown_language_beside : 0;
    const unsigned spoken = data_.countries[country].languages;
    if ((spoken & analysis_.languages()) != 0)
      return std::has_single_bit(spoken) ? weight::language : weight::one_of_languages;
    return setting.beside_street ? weight::other_language_beside : weight::other_language;
  }

  /// "Mexico" and "California" are places too, but hardly meant.
  float rather_region_score(const Match& match, const Posting& meaning, std::uint16_t country,
                            const Agreement& agreement, bool postcode) const noexcept {
    if (!match.region || agreement.country || agreement.admin1 || agreement.admin2 || postcode) return 0;
    if (match.country && data_.countries[country].one_town == 0) return weight::rather_country;
    if (meaning.capital() || meaning.magnitude() == 0) return meaning.capital() ? 0 : weight::rather_region;
    const float smaller = match.region_magnitude - meaning.magnitude();
    if (smaller > 1.7F) return weight::rather_region;
    return smaller > 0.7F ? weight::maybe_region : 0;
  }

  Agreement agreement_of(const Match& match, const Posting& meaning, std::uint16_t country) const noexcept {
    Agreement agreement;
    float conflict = 0;
    for (const Evidence& evidence : analysis_.evidence()) {
      const bool overlaps = evidence.first < match.end && match.first < evidence.end;
      if (!overlaps) conflict = std::min(conflict, hear(evidence, match, meaning, country, agreement));
    }
    agreement.conflict = agreement.admin1 ? std::max(conflict, weight::rival_name) : conflict;
    return agreement;
  }

  /// Adds what one piece of evidence confirms; returns the penalty for what it denies.
  float hear(const Evidence& evidence, const Match& match, const Posting& meaning, std::uint16_t country,
             Agreement& agreement) const noexcept {
    bool agrees = false;
    bool names_region_here = false;
    bool names_country = false;
    bool names_region = false;
    bool repeats_country = false;  // "Toronto", "CA", "Canada"
    each_meaning(evidence.meanings, [&](const Posting& other) {
      if (other.code() && !evidence.code) return;
      if (evidence.no_country_code && other.code() && other.kind() == Posting::Kind::country) {
        repeats_country = repeats_country || (analysis_.has_country_column() && other.ref() == country);
        return;
      }
      switch (other.kind()) {
        case Posting::Kind::country:
          names_country = true;
          if (other.ref() == country || other.ref() == data_.countries[country].parent)
            agreement.country = agrees = true;
          break;
        case Posting::Kind::admin1:
          names_region = true;
          if (other.ref() == meaning.admin1())
            agreement.admin1 = agrees = true;
          else
            names_region_here = names_region_here || data_.admin1[other.ref()].country == country;
          break;
        case Posting::Kind::admin2:
          if (other.admin1() == meaning.admin1() && data_.places[meaning.ref()].admin2 == other.ref())
            agreement.admin2 = agrees = true;
          break;
        default:
          break;
      }
    });
    if (agrees) {
      agreement.adjacent = agreement.adjacent || evidence.first == match.end;
      return 0;
    }
    if (repeats_country || (!names_country && !names_region)) return 0;
    if (evidence.rival && !evidence.structured) return weight::rival_name;
    if (names_country && !names_region) {
      if (evidence.structured) agreement.impossible = true;
      return evidence.strong ? weight::other_country : weight::maybe_other_country;
    }
    if (!evidence.strong) return weight::rival_name;
    if (!names_region_here) {
      if (evidence.code && (agreement.country || writes_state_codes(data_.countries[country])))
        agreement.impossible = true;  // a state's code that is none of this country
      if (evidence.closing || (evidence.state && !analysis_.has_country_column()))
        agreement.impossible = true;
      return names_country && evidence.structured ? weight::other_country : weight::region_elsewhere;
    }
    if (evidence.structured || evidence.code)
      agreement.impossible = true;  // never a namesake in another state
    return weight::other_region;
  }

  void keep(Candidate candidate) noexcept {
    std::size_t at = std::min(count_, kept - 1);
    if (count_ == kept && best_[kept - 1].score >= candidate.score) return;
    if (count_ < kept) ++count_;
    for (; at > 0 && best_[at - 1].score < candidate.score; --at) best_[at] = best_[at - 1];
    best_[at] = candidate;
  }

  std::optional<Choice> decide() const noexcept {
    if (count_ == 0 || best_[0].score < least_score) return std::nullopt;
    const PlaceRecord& place = data_.places[best_[0].place];
    Choice choice{best_[0].place, best_[0].score, no_rival};
    for (std::size_t i = 1; i < count_; ++i) {
      const PlaceRecord& other = data_.places[best_[i].place];
      const double apart =
          distance_km(place.lat_1e5 * 1e-5, place.lon_1e5 * 1e-5, other.lat_1e5 * 1e-5, other.lon_1e5 * 1e-5);
      if (apart <= same_area_km) continue;
      choice.lead = best_[0].score - best_[i].score;
      break;
    }
    if (choice.lead < same_likelihood) return std::nullopt;
    return choice;
  }

  const DataFile& data_;
  const Analysis& analysis_;
  std::array<Candidate, kept> best_{};
  std::size_t count_ = 0;
};

}  // namespace

std::optional<Choice> choose(const DataFile& data, const Analysis& analysis) noexcept {
  return Chooser(data, analysis).run();
}

double distance_km(double lat1_deg, double lon1_deg, double lat2_deg, double lon2_deg) noexcept {
  constexpr double earth_diameter_km = 12742;
  constexpr double radian = std::numbers::pi / 180;
  const double lat = std::sin((lat2_deg - lat1_deg) * radian / 2);
  const double lon = std::sin((lon2_deg - lon1_deg) * radian / 2);
  const double h = lat * lat + std::cos(lat1_deg * radian) * std::cos(lat2_deg * radian) * lon * lon;
  return earth_diameter_km * std::asin(std::min(1.0, std::sqrt(h)));
}

}  // namespace geobreaker::gazetteer
