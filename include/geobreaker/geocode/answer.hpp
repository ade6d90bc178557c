#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace geobreaker {

/// WGS 84, degrees.
struct Coordinates {
  double lat_deg = 0;
  double lon_deg = 0;
  friend bool operator==(const Coordinates&, const Coordinates&) = default;
};

/// The common precision scale, by rank: a higher value is the better answer.
enum class Precision : std::uint8_t {
  unknown = 0,
  country = 1,
  region = 2,
  locality = 3,
  postcode = 4,
  street = 5,
  interpolated = 6,  ///< along the street between known numbers, or inside the parcel
  rooftop = 7,
};

[[nodiscard]] std::string_view to_string(Precision precision) noexcept;
[[nodiscard]] std::optional<Precision> precision_from(std::string_view word) noexcept;

/// One place that a provider gave for a query.
struct Answer {
  Coordinates at;
  std::string label;
  Precision precision = Precision::unknown;
  std::optional<double> confidence;  ///< 0 to 1; empty where the provider gives none
  std::string country_code;          ///< ISO 3166-1 alpha-2, lower case; empty if unknown
  friend bool operator==(const Answer&, const Answer&) = default;
};

}  // namespace geobreaker
