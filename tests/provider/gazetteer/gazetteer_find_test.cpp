#include "provider/gazetteer/lookup.hpp"

#include <geobreaker/provider/gazetteer.hpp>

#include <gtest/gtest.h>

#include <utility>

namespace geobreaker {
namespace {

using test::label_of;
using test::label_of_columns;

using Case = std::pair<const char*, const char*>;  // address, label

class Finds : public testing::TestWithParam<Case> {};
TEST_P(Finds, TheTown) { EXPECT_EQ(label_of(GetParam().first), GetParam().second); }

INSTANTIATE_TEST_SUITE_P(
    Namesakes, Finds,
    testing::Values(
        Case{"Springfield, IL", "Springfield, Illinois, United States"},
        Case{"Springfield, MA 01103", "Springfield, Massachusetts, United States"},
        Case{"Paris, TX", "Paris, Texas, United States"}, Case{"Paris", "Paris, Île-de-France, France"},
        Case{"Paris, Ontario", "Paris, Ontario, Canada"}, Case{"London, ON", "London, Ontario, Canada"},
        Case{"London", "London, England, United Kingdom"},
        Case{"Cambridge, UK", "Cambridge, England, United Kingdom"},
        Case{"Cambridge, MA 02139, USA", "Cambridge, Massachusetts, United States"},
        Case{"Vienna, VA", "Vienna, Virginia, United States"}, Case{"Vienna, Austria", "Vienna, Austria"},
        Case{"Athens, GA 30601", "Athens, Georgia, United States"},
        Case{"Tbilisi, Georgia", "Tbilisi, Georgia"},
        Case{"Atlanta, Georgia", "Atlanta, Georgia, United States"},
        Case{"Birmingham, AL", "Birmingham, Alabama, United States"},
        Case{"Portland, ME 04101", "Portland, Maine, United States"},
        Case{"Perth, Scotland", "Perth, Scotland, United Kingdom"},
        Case{"Perth WA 6000, Australia", "Perth, Western Australia, Australia"},
        Case{"Hyderabad, Pakistan", "Hyderabad, Sindh, Pakistan"},
        Case{"Valencia, Venezuela", "Valencia, Carabobo, Venezuela"},
        Case{"Córdoba, España", "Córdoba, Andalusia, Spain"},
        Case{"San Jose, CA", "San Jose, California, United States"},
        Case{"San José, Costa Rica", "San José, Costa Rica"},
        Case{"Frankfurt (Oder)", "Frankfurt (Oder), Brandenburg, Germany"}));

INSTANTIATE_TEST_SUITE_P(
    WholeAddresses, Finds,
    testing::Values(
        Case{"1745 T Street Southeast, Washington, DC 20020, US",
             "Washington, District of Columbia, United States"},
        Case{"1745 T Street Southeast Washington DC 20020 US",
             "Washington, District of Columbia, United States"},
        Case{"6007 Applegate Lane, Louisville, KY, 40219, US", "Louisville, Kentucky, United States"},
        Case{"louisville, ky", "Louisville, Kentucky, United States"},
        Case{"123 MAIN CT HARTFORD CT 06103", "Hartford, Connecticut, United States"},
        Case{"2 Rue Jean Macé 42490 Fraisses", "Fraisses, Auvergne-Rhône-Alpes, France"},
        Case{"24 place Mozart 59000 Lille", "Lille, Hauts-de-France, France"},
        Case{"L-1341 Luxembourg", "Luxembourg"}, Case{"1010 Wien", "Vienna, Austria"},
        Case{"Dublin 2", "Dublin, Leinster, Ireland"},
        Case{"1 St Andrew's Road, Singapore 178957", "Singapore"},
        Case{"San Juan, PR 00901, US", "San Juan, Puerto Rico"},
        Case{"Balcarce 50, C1064AAB Buenos Aires, Argentina", "Buenos Aires, Buenos Aires F.D., Argentina"},
        Case{"Av. Paulista 1578, São Paulo - SP, 01310-200", "São Paulo, Brazil"}));

INSTANTIATE_TEST_SUITE_P(Spellings, Finds,
                         testing::Values(Case{"St. Louis, MO", "St. Louis, Missouri, United States"},
                                         Case{"Saint Louis, Missouri", "St. Louis, Missouri, United States"},
                                         Case{"MUENCHEN", "Munich, Bavaria, Germany"},
                                         Case{"Munchen", "Munich, Bavaria, Germany"},
                                         Case{"Warszawa", "Warsaw, Mazovia, Poland"},
                                         Case{"Den Haag", "The Hague, South Holland, Netherlands"},
                                         Case{"L’Haÿ-les-Roses", "L'Haÿ-les-Roses, Île-de-France, France"},
                                         Case{"L'HAY LES ROSES", "L'Haÿ-les-Roses, Île-de-France, France"}));

class FindsNothing : public testing::TestWithParam<const char*> {};
TEST_P(FindsNothing, RatherThanToGuess) { EXPECT_EQ(label_of(GetParam()), "no-match"); }

INSTANTIATE_TEST_SUITE_P(NoTown, FindsNothing,
                         testing::Values("asdf qwerty", "12", "12345", "PO Box 123", "Main Street 5",
                                         "123 Main St", "n/a", "unknown", "lorem ipsum dolor sit amet",
                                         "in or me", "?!", "388 East Main Street, VT, 05753, US",
                                         "388 East Main Street VT 05753 US", "2 Rue Victor Hugo 26800"));
INSTANTIATE_TEST_SUITE_P(OnlyARegion, FindsNothing,
                         testing::Values("Germany", "Deutschland", "Mexico", "California", "Georgia",
                                         "Texas, USA", "ประเทศไทย"));
INSTANTIATE_TEST_SUITE_P(EquallyLikely, FindsNothing, testing::Values("Springfield", "Cambridge"));
INSTANTIATE_TEST_SUITE_P(NoSuchTownInThatState, FindsNothing,
                         testing::Values("18 Densmore Drive, Sheffield, AL-nowhere, FL, 33547, US",
                                         "Vienna, HI, US", "9331 Edison Road, Lithia, FL, 33547, US"));

TEST(FindWithColumns, LooksForTheTownInItsColumnOnly) {
  EXPECT_EQ(label_of_columns("Louisville", "KY", "40219", "US"), "Louisville, Kentucky, United States");
  EXPECT_EQ(label_of_columns("Nantes", "", "44000", "France"), "Nantes, Pays de la Loire, France");
  EXPECT_EQ(label_of_columns("Paris 05", "", "75005", "FR"), "Paris, Île-de-France, France");
  EXPECT_EQ(label_of_columns("Xyzzyville", "KY", "40219", "US"), "no-match");
}

TEST(FindWithColumns, NeverCrossesTheStateOrCountryGiven) {
  EXPECT_EQ(label_of_columns("Richmond", "VT", "05477", "US"), "no-match");
  EXPECT_EQ(label_of_columns("London", "", "", "Canada"), "London, Ontario, Canada");
  EXPECT_EQ(label_of_columns("Marseille", "", "", "Japan"), "no-match");
}

TEST(FindWithColumns, TakesACityStateForItsDistrict) {
  EXPECT_EQ(label_of_columns("Nowhere-ku", "東京都", "", "日本"), "Tokyo, Japan");
  EXPECT_EQ(label_of_columns("Nowhere", "New York", "", "US"), "no-match");
}

TEST(FindWithColumns, ReadsTheTextWhenTheCityIsEmpty) {
  AddressQuery query;
  query.text = "10 Downing Street, London, United Kingdom";
  query.street = "10 Downing Street, London";
  query.country = "United Kingdom";
  const auto hit = Gazetteer::embedded().find(query);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->name, "London");
}

TEST(Find, FillsEveryPartOfTheHit) {
  AddressQuery query;
  query.text = "Louisville, KY";
  const auto hit = Gazetteer::embedded().find(query);
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->at.lat_deg, 38.25, 0.05);
  EXPECT_NEAR(hit->at.lon_deg, -85.76, 0.05);
  EXPECT_EQ(hit->country_code, "us");
  EXPECT_GT(hit->population, 200000U);
  EXPECT_EQ(hit->geonames_id, 4299276U);
}

TEST(Find, IsSurerTheMoreTheAddressSays) {
  const auto confidence = [](const char* text) {
    AddressQuery query;
    query.text = text;
    return Gazetteer::embedded().find(query)->confidence;
  };
  EXPECT_LT(confidence("Birmingham"), confidence("Birmingham, UK"));
  EXPECT_LE(confidence("Birmingham, UK"), 1.0);
  EXPECT_GT(confidence("Birmingham"), 0.3);
}

}  // namespace
}  // namespace geobreaker
