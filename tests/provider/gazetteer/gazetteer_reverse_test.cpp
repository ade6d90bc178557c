#include "provider/gazetteer/data_file.hpp"
#include "provider/gazetteer/scoring.hpp"

#include <geobreaker/provider/gazetteer.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace geobreaker {
namespace {

std::string nearest_name(double lat_deg, double lon_deg) {
  const auto hit = Gazetteer::embedded().nearest({lat_deg, lon_deg});
  return hit ? hit->name : "no-match";
}

TEST(Nearest, GivesTheTownAtThePoint) {
  EXPECT_EQ(nearest_name(43.6044, 1.4437), "Toulouse");
  EXPECT_EQ(nearest_name(64.1417, -21.9266), "Reykjavík");
  EXPECT_EQ(nearest_name(-31.9523, 115.8613), "Perth");
}

TEST(Nearest, ReachesAcrossTheAntimeridian) {
  // Beringovskiy lies 33 km west of the antimeridian.
  EXPECT_EQ(nearest_name(63.06, 179.9), "Beringovskiy");
  EXPECT_EQ(nearest_name(63.06, -179.9), "Beringovskiy");
  EXPECT_EQ(nearest_name(63.06, -178.5), "no-match");
}

TEST(Nearest, TakesTheEdgesOfTheMap) {
  EXPECT_EQ(nearest_name(90, 0), "no-match");
  EXPECT_EQ(nearest_name(-90, 0), "no-match");
  EXPECT_EQ(nearest_name(89.9, 180), "no-match");
  EXPECT_EQ(nearest_name(78.22, 15.65), "Longyearbyen");
  EXPECT_EQ(nearest_name(0, 180), "no-match");
  EXPECT_EQ(nearest_name(0, -180), "no-match");
}

TEST(Nearest, FindsNothingOutAtSea) {
  EXPECT_EQ(nearest_name(0, 0), "no-match");
  EXPECT_EQ(nearest_name(-48.9, -123.4), "no-match");
}

TEST(Nearest, RefusesWhatIsNoPoint) {
  EXPECT_EQ(nearest_name(90.01, 0), "no-match");
  EXPECT_EQ(nearest_name(0, 180.01), "no-match");
  EXPECT_EQ(nearest_name(std::numeric_limits<double>::quiet_NaN(), 0), "no-match");
  EXPECT_EQ(nearest_name(0, std::numeric_limits<double>::infinity()), "no-match");
}

TEST(Nearest, SaysHowFarAndIsLessSureFartherAway) {
  const auto near = Gazetteer::embedded().nearest({48.8534, 2.3488});
  const auto far = Gazetteer::embedded().nearest({23.5, 12.0});
  ASSERT_TRUE(near);
  EXPECT_LT(near->distance_km, 1.5);
  EXPECT_GT(near->confidence, 0.95);
  EXPECT_TRUE(!far || far->confidence < near->confidence);
}

TEST(Nearest, EqualsASearchThroughAllPlaces) {
  const auto data = gazetteer::open_data_file(gazetteer::embedded_bytes()).value();
  std::mt19937 random(20240607);
  std::uniform_real_distribution<double> lat(-90, 90);
  std::uniform_real_distribution<double> lon(-180, 180);
  std::uniform_int_distribution<std::size_t> some_place(0, data.places.size() - 1);
  std::uniform_real_distribution<double> step(-0.6, 0.6);
  for (int i = 0; i < 120; ++i) {
    const auto& place = data.places[some_place(random)];
    Coordinates at{place.lat_1e5 * 1e-5 + step(random), place.lon_1e5 * 1e-5 + step(random)};
    if (i % 4 == 0) at = {lat(random), lon(random)};
    if (std::abs(at.lat_deg) > 90 || std::abs(at.lon_deg) > 180) continue;
    double best_km = Gazetteer::reach_km;
    bool any = false;
    for (const auto& each : data.places) {
      if (std::abs(each.lat_1e5 * 1e-5 - at.lat_deg) > 0.5)
        continue;  // 55 km: out of reach, and quicker told
      const double km =
          gazetteer::distance_km(at.lat_deg, at.lon_deg, each.lat_1e5 * 1e-5, each.lon_1e5 * 1e-5);
      if (km <= best_km) {
        best_km = km;
        any = true;
      }
    }
    const auto hit = Gazetteer::embedded().nearest(at);
    ASSERT_EQ(hit.has_value(), any) << at.lat_deg << ' ' << at.lon_deg;
    EXPECT_DOUBLE_EQ(hit ? hit->distance_km : best_km, best_km) << at.lat_deg << ' ' << at.lon_deg;
  }
}

}  // namespace
}  // namespace geobreaker
