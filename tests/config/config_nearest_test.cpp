#include "config/nearest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace geobreaker::config {
namespace {

constexpr std::array<std::string_view, 6> keys{"window",        "threshold",    "short_window",
                                               "base_cooldown", "max_cooldown", "url"};

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("window", "window"), 0U);
  EXPECT_EQ(edit_distance("windw", "window"), 1U);
  EXPECT_EQ(edit_distance("windoww", "window"), 1U);
  EXPECT_EQ(edit_distance("winbow", "window"), 1U);
  EXPECT_EQ(edit_distance("widnow", "window"), 1U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(EditDistance, TakesCaseAndDashesForNothing) {
  EXPECT_EQ(edit_distance("Max-Cooldown", "max_cooldown"), 0U);
}

TEST(Nearest, FindsTheMisspeltKey) {
  EXPECT_EQ(nearest("windw", keys), "window");
  EXPECT_EQ(nearest("treshhold", keys), "threshold");
  EXPECT_EQ(nearest("max-cooldown", keys), "max_cooldown");
  EXPECT_EQ(nearest("MaxCooldown", keys), "max_cooldown");
  EXPECT_EQ(nearest("ulr", keys), "url");
}

TEST(Nearest, MakesNoWildGuess) {
  EXPECT_EQ(nearest("password", keys), "");
  EXPECT_EQ(nearest("abc", keys), "");
  EXPECT_EQ(nearest("x", keys), "");
  EXPECT_EQ(nearest("", keys), "");
  EXPECT_EQ(nearest(std::string(100'000, 'w'), keys), "");
  EXPECT_EQ(nearest("window", {}), "");
}

}  // namespace
}  // namespace geobreaker::config
