#pragma once

#include "provider/gazetteer/analysis.hpp"

#include <cstdint>
#include <optional>

namespace geobreaker::gazetteer {

struct Choice {
  std::uint32_t place = 0;
  float score = 0;
  float lead = 0;  // over the best place elsewhere; large if there is none
};

/// Below this score nothing is answered.
inline constexpr float least_score = 6.0F;

/// The place that the text most likely means; none if nothing is likely enough or two are as likely.
[[nodiscard]] std::optional<Choice> choose(const DataFile& data, const Analysis& analysis) noexcept;

/// Great-circle distance.
[[nodiscard]] double distance_km(double lat1_deg, double lon1_deg, double lat2_deg, double lon2_deg) noexcept;

}  // namespace geobreaker::gazetteer
