#pragma once

#include <geobreaker/geocode/answer.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace geobreaker {

/// Great-circle distance in kilometres, on a sphere of radius 6371.0088 km (the mean radius of the IUGG).
[[nodiscard]] double distance_km(Coordinates a, Coordinates b) noexcept;

/// How far answers lie from coordinates that the input already has (`true_lat`, `true_lon`). Kept as counts
/// per step of distance, so that its size does not depend on the number of rows.
class TruthCheck {
 public:
  /// One row with true coordinates; `answer` is empty if there was none.
  void add(Coordinates truth, std::optional<Coordinates> answer) noexcept;

  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::uint64_t answered() const noexcept { return answered_; }
  [[nodiscard]] std::uint64_t within_25_km() const noexcept { return within_25_km_; }
  [[nodiscard]] std::uint64_t within_40_km() const noexcept { return within_40_km_; }
  /// Two lines for people, without a newline at the end.
  [[nodiscard]] std::string describe() const;

 private:
  std::uint64_t rows_ = 0, answered_ = 0, within_1_km_ = 0, within_25_km_ = 0, within_40_km_ = 0;
};

/// Reads a pair of cells as degrees; empty if either is no number or out of range.
[[nodiscard]] std::optional<Coordinates> coordinates_from(std::string_view lat,
                                                          std::string_view lon) noexcept;

}  // namespace geobreaker
