#include "batch/street_hint.hpp"

#include <gtest/gtest.h>

namespace geobreaker {
namespace {

AddressQuery free_text(const char* text) {
  AddressQuery query;
  query.text = text;
  return query;
}

TEST(StreetHint, SeesTheStreetInFreeText) {
  for (const char* text :
       {"1745 T Street Southeast, Washington, DC, 20020, US", "Graben 7, Wien", "10 Downing Street, London",
        "Hauptstra\u00dfe 5b, 10115 Berlin", "12-14 rue de Rivoli, 75001 Paris", "Via Roma 3/5, Torino",
        "Paris, 4 place Jussieu"})
    EXPECT_TRUE(names_street(free_text(text))) << text;
}

TEST(StreetHint, TakesATownForATown) {
  for (const char* text :
       {"", "Paris", "Paris, France", "75001 Paris", "8001 Z\u00fcrich, Switzerland", "10115 Berlin, Germany",
        "London SW1A 2AA", "New York 10001", "20020", "Washington, DC, 20020"})
    EXPECT_FALSE(names_street(free_text(text))) << text;
}

TEST(StreetHint, BelievesTheColumns) {
  AddressQuery query = free_text("Graben 7, Wien");
  query.city = "Graben 7, Wien";
  EXPECT_FALSE(names_street(query));
  query.street = "Graben";
  EXPECT_TRUE(names_street(query));
}

}  // namespace
}  // namespace geobreaker
