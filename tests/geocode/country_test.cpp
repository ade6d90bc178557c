#include <geobreaker/geocode/country.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace geobreaker {
namespace {

TEST(Country, IsKnownByCodeAndByNameInManyLanguages) {
  const std::vector<std::pair<const char*, const char*>> expected{{"DE", "de"},
                                                                  {"de", "de"},
                                                                  {"DEU", "de"},
                                                                  {"Germany", "de"},
                                                                  {"deutschland", "de"},
                                                                  {"ALLEMAGNE", "de"},
                                                                  {" Alemania ", "de"},
                                                                  {"Niemcy", "de"},
                                                                  {"Германия", "de"},
                                                                  {"ドイツ", "de"},
                                                                  {"德国", "de"},
                                                                  {"ألمانيا", "de"},
                                                                  {"Γερμανία", "de"},
                                                                  {"독일", "de"},
                                                                  {"UK", "gb"},
                                                                  {"GBR", "gb"},
                                                                  {"England", "gb"},
                                                                  {"USA", "us"},
                                                                  {"U.S.A.", "us"},
                                                                  {"United States", "us"},
                                                                  {"Türkiye", "tr"},
                                                                  {"Turkey", "tr"},
                                                                  {"España", "es"},
                                                                  {"日本", "jp"},
                                                                  {"Czech Republic", "cz"},
                                                                  {"Côte d’Ivoire", "ci"},
                                                                  {"xk", "xk"},
                                                                  {"Österreich", "at"}};
  for (const auto& [text, code] : expected) {
    EXPECT_EQ(country_code_of(text), code) << text;
  }
}

TEST(Country, WhatIsNoneIsNone) {
  for (const char* text : {"", " ", "zz", "Atlantis", "Osterreich", "Bavaria", "\xFF\xFE", "12"}) {
    EXPECT_EQ(country_code_of(text), std::nullopt) << text;
  }
  EXPECT_EQ(country_code_of(std::string(100'000, 'x')), std::nullopt);
}

TEST(Country, TerritoriesAgreeWithTheirStateAndOthersDoNot) {
  EXPECT_TRUE(countries_agree("de", "de"));
  EXPECT_TRUE(countries_agree("pr", "us"));
  EXPECT_TRUE(countries_agree("fr", "re"));
  EXPECT_TRUE(countries_agree("hk", "cn"));
  EXPECT_FALSE(countries_agree("de", "fr"));
  EXPECT_FALSE(countries_agree("pr", "fr"));
  EXPECT_FALSE(countries_agree("us", "gb"));
}

}  // namespace
}  // namespace geobreaker
