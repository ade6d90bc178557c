#include "provider/gazetteer/lookup.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

// Postcodes with letters, codes and columns that exclude the larger namesake, and what is no address at all.
namespace geobreaker {
namespace {

using test::label_of;
using Case = std::pair<const char*, const char*>;  // address, label

class Evidence : public testing::TestWithParam<Case> {};
TEST_P(Evidence, DecidesBetweenNamesakes) { EXPECT_EQ(label_of(GetParam().first), GetParam().second); }

INSTANTIATE_TEST_SUITE_P(CanadianPostcodes, Evidence,
                         testing::Values(Case{"123 Main St, London, ON N6A3N7", "London, Ontario, Canada"},
                                         Case{"Kingston, ON K7L 1A1", "Kingston, Ontario, Canada"},
                                         Case{"Kingston ON K7L 1A1", "Kingston, Ontario, Canada"},
                                         Case{"kingston, on k7l 1a1", "Kingston, Ontario, Canada"},
                                         Case{"Kingston K7L 1A1", "Kingston, Ontario, Canada"},
                                         Case{"Sudbury, ON P3E 1A1", "Greater Sudbury, Ontario, Canada"},
                                         Case{"Victoria, BC V8W 1P6", "Victoria, British Columbia, Canada"},
                                         Case{"Sydney, NS B1P 1A1", "Sydney, Nova Scotia, Canada"},
                                         Case{"Brandon, MB R7A 1A1", "Brandon, Manitoba, Canada"},
                                         Case{"Paris, ON N3L 2M3", "Paris, Ontario, Canada"},
                                         Case{"Cambridge, ON N1R 1A1", "Cambridge, Ontario, Canada"},
                                         Case{"Waterloo, ON N2L 3G1", "Waterloo, Ontario, Canada"},
                                         Case{"St. John's, NL A1C 5M3",
                                              "St. John's, Newfoundland and Labrador, Canada"},
                                         Case{"Gatineau, QC K1A 0H4", "Gatineau, Quebec, Canada"}));

INSTANTIATE_TEST_SUITE_P(BritishPostcodes, Evidence,
                         testing::Values(Case{"Boston PE21 6AA", "Boston, England, United Kingdom"},
                                         Case{"Boston, PE21 6AA", "Boston, England, United Kingdom"},
                                         Case{"Boston PE216AA", "Boston, England, United Kingdom"},
                                         Case{"Durham DH1 3AA", "Durham, England, United Kingdom"},
                                         Case{"Perth PH1 5UF", "Perth, Scotland, United Kingdom"},
                                         Case{"Halifax HX1 1AA", "Halifax, England, United Kingdom"},
                                         Case{"Lincoln LN1 1AA", "Lincoln, England, United Kingdom"},
                                         Case{"Cambridge CB2 1TN", "Cambridge, England, United Kingdom"},
                                         Case{"Worcester WR1 2NT", "Worcester, England, United Kingdom"},
                                         Case{"10 Downing Street, London SW1A 2AA",
                                              "London, England, United Kingdom"},
                                         Case{"Douglas IM1 1AA", "Douglas, Isle of Man"},
                                         Case{"1 Main St, Unit E1 2nd Floor, Boston, MA",
                                              "Boston, Massachusetts, United States"}));

INSTANTIATE_TEST_SUITE_P(
    NetAddresses, Evidence,
    testing::Values(Case{"info@paris.fr", "no-match"}, Case{"https://www.berlin.de/", "no-match"},
                    Case{"www.paris.fr", "no-match"}, Case{"(WWW.Berlin.de)", "no-match"},
                    Case{"info@paris.fr, Lyon", "Lyon, Auvergne-Rhône-Alpes, France"},
                    Case{"see http://berlin.de/London Lyon", "Lyon, Auvergne-Rhône-Alpes, France"}));

INSTANTIATE_TEST_SUITE_P(StateCodes, Evidence,
                         testing::Values(Case{"Berlin, CT", "no-match"}, Case{"Berlin, CT 06037", "no-match"},
                                         Case{"Munich, DE", "Munich, Bavaria, Germany"},
                                         Case{"Toronto, CA", "Toronto, Ontario, Canada"},
                                         Case{"Milano, MI", "Milan, Lombardy, Italy"},
                                         Case{"Chennai, TN", "Chennai, Tamil Nadu, India"},
                                         Case{"Durango 5, Roma Norte, CDMX", "no-match"},
                                         Case{"New York or Boston", "no-match"}));

std::string by_cells(const char* city, const char* state, const char* postcode, const char* country) {
  return test::label_of_columns(city, state, postcode, country);
}

TEST(EvidenceInColumns, TakesAStateCellForAState) {
  EXPECT_EQ(by_cells("Paris", "CA", "", ""), "no-match");
  EXPECT_EQ(by_cells("Lima", "PE", "", ""), "no-match");
  EXPECT_EQ(by_cells("Paris", "Bavaria", "", ""), "no-match");
  EXPECT_EQ(by_cells("Paris", "FR", "", ""), "Paris, Île-de-France, France");
  EXPECT_EQ(by_cells("Milano", "MI", "", ""), "Milan, Lombardy, Italy");
}

TEST(EvidenceInColumns, LetsTheCountryCellSayTheCountry) {
  EXPECT_EQ(by_cells("Torino", "TO", "", "Italy"), "Turin, Piedmont, Italy");
  EXPECT_EQ(by_cells("Toronto", "CA", "", "Canada"), "Toronto, Ontario, Canada");
  EXPECT_EQ(by_cells("Toronto", "TX", "", "Canada"), "no-match");
}

TEST(EvidenceInColumns, ReadsHalfAPostcode) {
  EXPECT_EQ(by_cells("London", "", "N6A", ""), "London, Ontario, Canada");
  EXPECT_EQ(by_cells("London", "", "N6A 3N7", ""), "London, Ontario, Canada");
  EXPECT_EQ(by_cells("London", "", "W1A", ""), "London, England, United Kingdom");
  EXPECT_EQ(by_cells("Boston", "", "PE21", ""), "Boston, England, United Kingdom");
  EXPECT_EQ(by_cells("Boston", "MA", "PE21 6AA", ""), "no-match");
}

}  // namespace
}  // namespace geobreaker
