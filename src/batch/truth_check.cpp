#include "batch/truth_check.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace geobreaker {

namespace {

double radians(double degrees) noexcept { return degrees * std::numbers::pi / 180.0; }

std::optional<double> degrees_from(std::string_view text, double limit) noexcept {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || !(std::abs(value) <= limit))
    return std::nullopt;
  return value;
}

double percent(std::uint64_t part, std::uint64_t whole) noexcept {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double distance_km(Coordinates a, Coordinates b) noexcept {
  constexpr double radius_km = 6371.0088;
  const double half_lat = std::sin(radians(b.lat_deg - a.lat_deg) / 2);
  const double half_lon = std::sin(radians(b.lon_deg - a.lon_deg) / 2);
  const double h =
      half_lat * half_lat + std::cos(radians(a.lat_deg)) * std::cos(radians(b.lat_deg)) * half_lon * half_lon;
  return 2 * radius_km * std::asin(std::min(1.0, std::sqrt(h)));
}

void TruthCheck::add(Coordinates truth, std::optional<Coordinates> answer) noexcept {
  ++rows_;
  if (!answer) return;
  ++answered_;
  const double km = distance_km(truth, *answer);
  if (km <= 1) ++within_1_km_;
  if (km <= 25) ++within_25_km_;
  if (km <= 40) ++within_40_km_;
}

std::string TruthCheck::describe() const {
  char text[200];
  std::snprintf(text, sizeof text,
                "%.1f %% of %llu rows answered; of the answers %.1f %% lie within 1 km,\n"
                "           %.1f %% within 25 km, %.1f %% within 40 km of true_lat, true_lon",
                percent(answered_, rows_), static_cast<unsigned long long>(rows_),
                percent(within_1_km_, answered_), percent(within_25_km_, answered_),
                percent(within_40_km_, answered_));
  return text;
}

std::optional<Coordinates> coordinates_from(std::string_view lat, std::string_view lon) noexcept {
  const auto lat_deg = degrees_from(lat, 90);
  const auto lon_deg = degrees_from(lon, 180);
  if (!lat_deg || !lon_deg) return std::nullopt;
  return Coordinates{*lat_deg, *lon_deg};
}

}  // namespace geobreaker
