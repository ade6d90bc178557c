#pragma once

#include <geobreaker/provider/gazetteer.hpp>

#include <string>

namespace geobreaker::test {

/// The label found for an address in one line, or "no-match".
inline std::string label_of(const std::string& text) {
  AddressQuery query;
  query.text = text;
  const auto hit = Gazetteer::embedded().find(query);
  return hit ? hit->label : "no-match";
}

/// The same with columns.
inline std::string label_of_columns(const std::string& city, const std::string& state,
                                    const std::string& postcode, const std::string& country) {
  AddressQuery query;
  query.text = "1 Paris Street, " + city + ", " + state + ", " + postcode + ", " + country;
  query.street = "1 Paris Street";
  query.city = city;
  query.state = state;
  query.postcode = postcode;
  query.country = country;
  const auto hit = Gazetteer::embedded().find(query);
  return hit ? hit->label : "no-match";
}

}  // namespace geobreaker::test
