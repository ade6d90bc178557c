#pragma once

#include <string>

namespace geobreaker {

/// One address to look up. `text` is always set: the whole address in one line, as the user wrote it,
/// parts joined with ", ". The other fields repeat parts of it where the input's columns told them apart;
/// each may be empty.
struct AddressQuery {
  std::string text;
  std::string street;
  std::string city;
  std::string postcode;
  std::string state;
  std::string country;
};

}  // namespace geobreaker
