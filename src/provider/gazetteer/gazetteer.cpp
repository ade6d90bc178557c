#include "provider/gazetteer/analysis.hpp"
#include "provider/gazetteer/data_file.hpp"
#include "provider/gazetteer/reverse.hpp"
#include "provider/gazetteer/scoring.hpp"
#include "provider/gazetteer/tokens.hpp"

#include <geobreaker/provider/gazetteer.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace geobreaker {

struct Gazetteer::Data {
  gazetteer::DataFile file;
};

namespace {

using gazetteer::Field;

gazetteer::TokenList tokens_of(const gazetteer::DataFile& data, const AddressQuery& query) {
  gazetteer::TokenList tokens;
  if (!query.city.empty()) {
    tokens.append(data, query.city, Field::city);
    tokens.append(data, query.postcode, Field::postcode);
  }
  if (tokens.size() == 0) tokens.append(data, query.text, Field::text);
  tokens.append(data, query.state, Field::state);
  tokens.append(data, query.country, Field::country);
  return tokens;
}

double confidence_of(const gazetteer::Choice& choice) {
  const double support =
      std::clamp((static_cast<double>(choice.score) - gazetteer::least_score) / 10, 0.0, 1.0);
  const double lead = std::clamp(static_cast<double>(choice.lead) / 6, 0.0, 1.0);
  return std::round((0.3 + 0.4 * support + 0.3 * lead) * 100) / 100;
}

}  // namespace

Gazetteer::Gazetteer(std::shared_ptr<const Data> data) noexcept : data_(std::move(data)) {}

const Gazetteer& Gazetteer::embedded() {
  static const Gazetteer one = [] {
    auto opened = from(gazetteer::embedded_bytes());
    return std::move(opened).value();  // tested: the file in the source tree has a valid header
  }();
  return one;
}

Result<Gazetteer> Gazetteer::from(std::span<const std::byte> bytes) {
  auto file = gazetteer::open_data_file(bytes);
  if (!file) return file.error();
  return Gazetteer(std::make_shared<const Data>(Data{*file}));
}

Status Gazetteer::verify(std::span<const std::byte> bytes) { return gazetteer::verify_data_file(bytes); }

std::size_t Gazetteer::places() const noexcept { return data_->file.places.size(); }

std::optional<GazetteerHit> Gazetteer::find(const AddressQuery& query) const {
  const gazetteer::TokenList tokens = tokens_of(data_->file, query);
  const gazetteer::Analysis analysis(data_->file, tokens);
  const auto choice = gazetteer::choose(data_->file, analysis);
  if (!choice) return std::nullopt;
  return hit(choice->place, confidence_of(*choice));
}

std::optional<GazetteerHit> Gazetteer::nearest(Coordinates at) const {
  const auto found = gazetteer::nearest_place(data_->file, at, reach_km);
  if (!found) return std::nullopt;
  const double near = 1 - found->distance_km / reach_km;
  GazetteerHit nearest = hit(found->place, std::round((0.3 + 0.7 * near) * 100) / 100);
  nearest.distance_km = found->distance_km;
  return nearest;
}

GazetteerHit Gazetteer::hit(std::uint32_t place, double confidence) const {
  const gazetteer::DataFile& file = data_->file;
  const gazetteer::PlaceRecord& record = file.places[place];
  const gazetteer::CountryRecord& country = file.country_of(record.admin1);
  const std::string_view region = file.text(file.admin1[record.admin1].name);
  const std::string_view country_name = file.text(country.name);
  GazetteerHit out;
  out.at = {record.lat_1e5 * 1e-5, record.lon_1e5 * 1e-5};
  out.name = file.text(record.name);
  out.label.reserve(64);
  out.label = out.name;
  if (!region.empty() && region != out.name && region != country_name) out.label.append(", ").append(region);
  if (country_name != out.name) out.label.append(", ").append(country_name);
  out.country_code.assign(country.code, 2);
  out.confidence = confidence;
  out.population = record.population;
  out.geonames_id = record.geonames_id;
  return out;
}

}  // namespace geobreaker
