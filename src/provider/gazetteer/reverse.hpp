#pragma once

#include "provider/gazetteer/data_file.hpp"

#include <geobreaker/geocode/answer.hpp>

#include <cstdint>
#include <optional>

namespace geobreaker::gazetteer {

struct Nearest {
  std::uint32_t place = 0;
  double distance_km = 0;
};

/// The place nearest to a point, within `reach_km`.
[[nodiscard]] std::optional<Nearest> nearest_place(const DataFile& data, Coordinates at,
                                                   double reach_km) noexcept;

}  // namespace geobreaker::gazetteer
