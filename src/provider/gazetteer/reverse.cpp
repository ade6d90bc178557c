#include "provider/gazetteer/reverse.hpp"

#include "provider/gazetteer/scoring.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace geobreaker::gazetteer {
namespace {

constexpr double km_per_degree =
    111.19;  // of latitude, a little less than on the sphere that distance_km uses
constexpr int rows = static_cast<int>(grid_rows);
constexpr int columns = static_cast<int>(grid_columns);

class Search {
 public:
  Search(const DataFile& data, Coordinates at, double reach_km) noexcept
      : data_(data),
        at_(at),
        best_km_(reach_km),
        row_(std::clamp(static_cast<int>(std::floor(at.lat_deg + 90)), 0, rows - 1)),
        column_(std::clamp(static_cast<int>(std::floor(at.lon_deg + 180)), 0, columns - 1)) {}

  /// The point's own cell, then rings of rows around it, for as long as they lie nearer than the best found.
  std::optional<Nearest> run() noexcept {
    scan_cell(row_, column_);
    scan_row(row_);
    for (int away = 1; away < rows; ++away) {
      const bool north = row_ + away < rows && (row_ + away - 90 - at_.lat_deg) * km_per_degree <= best_km_;
      if (north) scan_row(row_ + away);
      const bool south =
          row_ - away >= 0 && (at_.lat_deg - (row_ - away + 1 - 90)) * km_per_degree <= best_km_;
      if (south) scan_row(row_ - away);
      if (!north && !south) break;
    }
    return found_;
  }

 private:
  void scan_row(int row) noexcept {
    if (row != row_) scan_cell(row, column_);
    bool east = true;
    bool west = true;
    for (int away = 1; away <= columns / 2 && (east || west); ++away) {
      const double own_west_edge = column_ - 180;
      east = east && meridian_km(own_west_edge + away - at_.lon_deg) <= best_km_;
      west = west && meridian_km(at_.lon_deg - (own_west_edge - away + 1)) <= best_km_;
      if (east) scan_cell(row, (column_ + away) % columns);  // the antimeridian is no border
      if (west) scan_cell(row, (column_ - away + columns) % columns);
    }
  }

  /// No point of the meridian so many degrees away is nearer than this.
  [[nodiscard]] double meridian_km(double away_deg) const noexcept {
    constexpr double radian = std::numbers::pi / 180;
    if (away_deg >= 90) return (90 - std::abs(at_.lat_deg)) * km_per_degree;  // then the pole is the nearest
    return std::asin(std::cos(at_.lat_deg * radian) * std::sin(away_deg * radian)) / radian * km_per_degree;
  }

  void scan_cell(int row, int column) noexcept {
    const auto cell = static_cast<std::size_t>(row * columns + column);
    for (std::uint32_t i = data_.grid[cell]; i < data_.grid[cell + 1]; ++i) {
      const PlaceRecord& place = data_.places[i];
      const double lat_deg = place.lat_1e5 * 1e-5;
      if (std::abs(lat_deg - at_.lat_deg) * km_per_degree > best_km_) continue;
      const double km = distance_km(at_.lat_deg, at_.lon_deg, lat_deg, place.lon_1e5 * 1e-5);
      if (km > best_km_ || (found_ && km == best_km_)) continue;
      best_km_ = km;
      found_ = Nearest{i, km};
    }
  }

  const DataFile& data_;
  Coordinates at_;
  double best_km_;
  int row_;
  int column_;
  std::optional<Nearest> found_;
};

}  // namespace

std::optional<Nearest> nearest_place(const DataFile& data, Coordinates at, double reach_km) noexcept {
  const bool on_earth = std::abs(at.lat_deg) <= 90 && std::abs(at.lon_deg) <= 180;  // false for NaN
  if (!on_earth) return std::nullopt;
  return Search(data, at, reach_km).run();
}

}  // namespace geobreaker::gazetteer
