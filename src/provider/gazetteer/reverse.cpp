#include "provider/gazetteer/reverse.hpp"

#include "provider/gazetteer/scoring.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace geobreaker::gazetteer {
namespace {

constexpr double km_per_degree = 111.19;  // of latitude, on the sphere that distance_km uses
constexpr int rows = static_cast<int>(grid_rows);
constexpr int columns = static_cast<int>(grid_columns);

class Search {
 public:
  Search(const DataFile& data, Coordinates at, double reach_km) noexcept
      : data_(data), at_(at), best_km_(reach_km) {}

  /// Rows of cells from the point's own outwards; a row that lies farther away than the best so far ends the
  /// search.
  std::optional<Nearest> run() noexcept {
    const int row = std::clamp(static_cast<int>(std::floor(at_.lat_deg + 90)), 0, rows - 1);
    scan_row(row);
    for (int away = 1; away < rows; ++away) {
      const double nearest_edge_deg = away - 1;  // at least: the point may lie on its own row's edge
      if (nearest_edge_deg * km_per_degree > best_km_) break;
      if (row + away < rows) scan_row(row + away);
      if (row - away >= 0) scan_row(row - away);
    }
    return found_;
  }

 private:
  void scan_row(int row) noexcept {
    const int reach = columns_within(row);
    const int column = static_cast<int>(std::floor(at_.lon_deg + 180));
    if (2 * reach + 1 >= columns) return scan_cells(row, 0, columns);
    for (int c = column - reach; c <= column + reach; ++c) {
      const int wrapped = ((c % columns) + columns) % columns;  // the antimeridian is no border
      scan_cells(row, wrapped, wrapped + 1);
    }
  }

  /// Columns to either side that the best distance can reach, at the row's edge nearest to the pole.
  [[nodiscard]] int columns_within(int row) const noexcept {
    const double edge = std::max(std::abs(row - 90), std::abs(row + 1 - 90));
    const double pole_side = std::min(89.99, std::max(edge, std::abs(at_.lat_deg)));
    const double width_km = km_per_degree * std::cos(pole_side * std::numbers::pi / 180);
    return static_cast<int>(std::min(best_km_ / width_km * 1.1 + 1, static_cast<double>(columns)));
  }

  void scan_cells(int row, int from, int to) noexcept {
    const auto cell = static_cast<std::size_t>(row * columns);
    const std::uint32_t begin = data_.grid[cell + static_cast<std::size_t>(from)];
    const std::uint32_t end = data_.grid[cell + static_cast<std::size_t>(to)];
    for (std::uint32_t i = begin; i < end; ++i) {
      const PlaceRecord& place = data_.places[i];
      const double km = distance_km(at_.lat_deg, at_.lon_deg, place.lat_1e5 * 1e-5, place.lon_1e5 * 1e-5);
      if (km > best_km_ || (found_ && km == best_km_)) continue;
      best_km_ = km;
      found_ = Nearest{i, km};
    }
  }

  const DataFile& data_;
  Coordinates at_;
  double best_km_;
  std::optional<Nearest> found_;
};

}  // namespace

std::optional<Nearest> nearest_place(const DataFile& data, Coordinates at, double reach_km) noexcept {
  const bool on_earth = std::abs(at.lat_deg) <= 90 && std::abs(at.lon_deg) <= 180;  // false for NaN
  if (!on_earth) return std::nullopt;
  return Search(data, at, reach_km).run();
}

}  // namespace geobreaker::gazetteer
