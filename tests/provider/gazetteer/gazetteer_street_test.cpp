#include "provider/gazetteer/lookup.hpp"

#include <gtest/gtest.h>

#include <utility>

// Streets are named after towns everywhere; the town that is meant stands elsewhere in the address, or
// nowhere.
namespace geobreaker {
namespace {

using test::label_of;

using Case = std::pair<const char*, const char*>;

class StreetTrap : public testing::TestWithParam<Case> {};
TEST_P(StreetTrap, DoesNotWinOverTheTown) { EXPECT_EQ(label_of(GetParam().first), GetParam().second); }

INSTANTIATE_TEST_SUITE_P(
    Streets, StreetTrap,
    testing::Values(Case{"12 Rue de Lyon, 75012 Paris", "Paris, Île-de-France, France"},
                    Case{"7 Rue de Bournois 25000 Besançon", "Besançon, Bourgogne-Franche-Comté, France"},
                    Case{"Berliner Straße 12, 60311 Frankfurt am Main", "Frankfurt am Main, Hesse, Germany"},
                    Case{"350 Washington Ave Albany NY 12203", "Albany, New York, United States"},
                    Case{"1559 Alabama Avenue Southeast, Washington, DC, 20032, US",
                         "Washington, District of Columbia, United States"},
                    Case{"Lyon Street, Grand Rapids, MI", "Grand Rapids, Michigan, United States"},
                    Case{"5 Paris Avenue Springfield MA", "Springfield, Massachusetts, United States"},
                    Case{"1803 Hickory Avenue UNIT C Panama City FL 32405 US",
                         "Panama City, Florida, United States"},
                    Case{"Via Firenze 3, 10124 Torino, Italia", "Turin, Piedmont, Italy"},
                    Case{"Calle Londres 40, Ciudad de México", "Mexico City, Mexico"},
                    Case{"Carrer de Mallorca 401, 08013 Barcelona", "Barcelona, Catalonia, Spain"},
                    Case{"Rua de Lisboa 7, Porto, Portugal", "Porto, Portugal"},
                    Case{"London Road, Leicester, UK", "Leicester, England, United Kingdom"},
                    Case{"ул. Московская 5, Казань", "Kazan, Tatarstan Republic, Russia"},
                    Case{"南京东路100号, 上海市", "Shanghai, China"},
                    Case{"شارع القاهرة، الإسكندرية، مصر", "Alexandria, Egypt"},
                    Case{"Avenue de Nantes 113 86000 Poitiers", "Poitiers, New Aquitaine, France"}));

INSTANTIATE_TEST_SUITE_P(NothingElse, StreetTrap,
                         testing::Values(Case{"Paris Street", "no-match"}, Case{"Rue de Lyon", "no-match"},
                                         Case{"7 Rue de Rome 08300", "no-match"},
                                         Case{"Berliner Straße 12", "no-match"},
                                         Case{"24 Lincoln Street, VT, 05443, US", "no-match"}));

}  // namespace
}  // namespace geobreaker
