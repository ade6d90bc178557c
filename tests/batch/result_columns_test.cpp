#include "batch/result_columns.hpp"

#include <gmock/gmock.h>

namespace geobreaker {
namespace {

using Names = std::vector<std::string>;

TEST(ResultColumns, StandInTheirFixedOrderAndFitTenCharacters) {
  const auto columns = result_columns(default_result_prefix);
  EXPECT_THAT(columns, ::testing::ElementsAre("geo_status", "geo_lat", "geo_lon", "geo_label", "geo_prec",
                                              "geo_conf", "geo_source", "geo_tried"));
  for (const auto& column : columns) EXPECT_LE(column.size(), 10U);
}

TEST(ResultColumns, AHeaderThatHasOneIsRefusedWithTheHint) {
  EXPECT_TRUE(check_result_columns(Names{"id", "lat", "status"}, "geo_"));
  EXPECT_TRUE(check_result_columns(Names{"geo_lat"}, "g2_"));
  const Status refused = check_result_columns(Names{"id", "Geo_Lat"}, "geo_");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().detail,
            "the input has a column \"Geo_Lat\" already, which a result column would repeat; give another "
            "prefix than "
            "\"geo_\" with --prefix");
  EXPECT_FALSE(check_result_columns(Names{"status"}, ""));
}

}  // namespace
}  // namespace geobreaker
