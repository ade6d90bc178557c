#include "http/client_fixture.hpp"
#include "support/fake_nominatim.hpp"

#include <geobreaker/provider/nominatim.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace geobreaker::test {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

NominatimOptions options_for(const std::string& url) {
  NominatimOptions options;
  options.base_url = url;
  return options;
}

/// A provider that talks to the fake.
class NominatimProviderTest : public testing::Test {
 protected:
  NominatimProvider& provider(NominatimOptions options = {}) {
    if (options.base_url.empty()) options.base_url = server.url();
    auto created = NominatimProvider::create(std::move(options), *fixture.client, clock);
    if (!created) throw std::runtime_error(created.error().detail);
    made = std::move(created).value();
    return *made;
  }

  ProviderReply run(boost::asio::awaitable<ProviderReply> call) {
    std::optional<ProviderReply> reply;
    boost::asio::co_spawn(fixture.io, std::move(call),
                          [&reply](const std::exception_ptr& fault, ProviderReply got) {
                            if (!fault) reply = std::move(got);
                          });
    fixture.io.restart();
    fixture.io.run();
    if (!reply) throw std::runtime_error("the call threw");
    return *std::move(reply);
  }

  ProviderReply look_up(const std::string& text) {
    if (!made) provider();
    AddressQuery query;
    query.text = text;
    return run(made->forward(query));
  }

  FakeNominatim server;
  ClientFixture fixture;
  SystemClock clock;
  std::unique_ptr<NominatimProvider> made;
};

TEST_F(NominatimProviderTest, AsksForOneResultAndTakesItsAnswer) {
  const std::string text = "7 Musterweg, Beispielstadt";
  const auto reply = look_up(text);
  ASSERT_EQ(reply.outcome, Outcome::ok) << reply.detail;
  const auto place = FakeNominatim::place_of(text);
  EXPECT_NEAR(reply.answer->at.lat_deg, place.lat_deg, 1e-7);
  EXPECT_NEAR(reply.answer->at.lon_deg, place.lon_deg, 1e-7);
  EXPECT_EQ(reply.answer->label, text);
  const auto log = server.log();
  ASSERT_EQ(log.size(), 1U);
  EXPECT_EQ(log[0].target,
            "/search?q=7%20Musterweg%2C%20Beispielstadt&format=jsonv2&addressdetails=1&limit=1");
  EXPECT_THAT(log[0].user_agent, testing::StartsWith("geobreaker/"));
}

class ExactText : public NominatimProviderTest, public testing::WithParamInterface<const char*> {};

TEST_P(ExactText, ArrivesAtTheServer) {
  const auto reply = look_up(GetParam());
  EXPECT_EQ(reply.outcome, Outcome::ok) << reply.detail;
  ASSERT_EQ(server.log().size(), 1U);
  EXPECT_EQ(server.log()[0].q, GetParam());
  EXPECT_EQ(reply.answer->label, GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, ExactText,
                         testing::Values("100 Main St Suite #5", "12/14 Rue & Cie; Paris?", "50% + 'a' \"b\"",
                                         "Champagne au Mont d'Or", "q=x&format=xml&limit=50",
                                         "%20%23 already encoded", "東京都千代田区丸の内1-9-1",
                                         "서울특별시 중구 세종대로 110", "שדרות רוטשילד 1, תל אביב",
                                         "شارع محمد بن راشد، دبي", "🏠 1 Emoji Lane 👨‍👩‍👧",
                                         "Straße ÄÖÜ ß İ ı", "Ελλάδα, Αθήνα", "улица Тверская, 13",
                                         "\\ ^ ` { | } < > [ ] ~ * ( ) ! @ $ , : ="));

TEST_F(NominatimProviderTest, NormalisesButNeverLowerCases) {
  look_up("  Zu\xCC\x88RICH \t\r\n Bahnhofstrasse   1\xC2\xA0 ");
  ASSERT_EQ(server.log().size(), 1U);
  EXPECT_EQ(server.log()[0].q, "Z\xC3\xBCRICH Bahnhofstrasse 1");
}

TEST_F(NominatimProviderTest, WhatCannotBeAskedIsABadRequestAndIsNotSent) {
  EXPECT_EQ(look_up("").outcome, Outcome::bad_request);
  EXPECT_EQ(look_up(" \t\n").outcome, Outcome::bad_request);
  EXPECT_EQ(look_up("M\xFCnchen").outcome, Outcome::bad_request);
  const auto over_long = look_up(std::string(10'000, 'x'));
  EXPECT_EQ(over_long.outcome, Outcome::bad_request);
  EXPECT_THAT(over_long.detail, AllOf(HasSubstr("10000 characters"), HasSubstr("allowed are 1000")));
  EXPECT_EQ(server.stats().requests, 0U);
}

TEST_F(NominatimProviderTest, TheLengthLimitCountsCharactersAndIsConfigurable) {
  auto options = options_for(server.url());
  options.query_chars_max = 4;
  provider(options);
  EXPECT_EQ(look_up("東京都千").outcome, Outcome::ok);
  EXPECT_EQ(look_up("東京都千代").outcome, Outcome::bad_request);
}

TEST_F(NominatimProviderTest, NothingFoundAndCoarseAnswers) {
  EXPECT_EQ(look_up("nowhere at all").outcome, Outcome::no_match);
  const auto city = look_up("cityonly");
  ASSERT_EQ(city.outcome, Outcome::ok);
  EXPECT_EQ(city.answer->precision, Precision::locality);
}

TEST_F(NominatimProviderTest, AMatchInAnotherCountryIsNoMatch) {
  provider();
  AddressQuery query;  // the fake's houses stand in Germany
  query.text = "7 Musterweg";
  for (const char* country : {"", "Deutschland", "DE", "DEU", "Atlantis"}) {
    query.country = country;
    EXPECT_EQ(run(made->forward(query)).outcome, Outcome::ok) << country;
  }
  query.country = "France";
  const auto reply = run(made->forward(query));
  EXPECT_EQ(reply.outcome, Outcome::no_match);
  EXPECT_FALSE(reply.answer);
  EXPECT_THAT(reply.detail, AllOf(HasSubstr("asked for fr"), HasSubstr("lies in de")));
}

TEST_F(NominatimProviderTest, ReverseSendsLatitudeAsLatitude) {
  const auto reply = run(provider().reverse({-33.8688, 151.2093}));
  ASSERT_EQ(reply.outcome, Outcome::ok) << reply.detail;
  EXPECT_EQ(reply.answer->at, (Coordinates{-33.8688, 151.2093}));
  ASSERT_EQ(server.log().size(), 1U);
  EXPECT_EQ(server.log()[0].target,
            "/reverse?lat=-33.8688000&lon=151.2093000&format=jsonv2&addressdetails=1");
}

TEST_F(NominatimProviderTest, ReverseOfNullIslandIsAnAnswer) {
  EXPECT_EQ(run(provider().reverse({0, 0})).outcome, Outcome::ok);
}

TEST_F(NominatimProviderTest, ReverseOfAPointThatIsNotOnTheGlobeIsNotSent) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Coordinates at :
       {Coordinates{90.1, 0}, {-91, 0}, {0, 180.1}, {0, -200}, {nan, 0}, {0, nan}, {infinity, 0}}) {
    EXPECT_EQ(run(provider().reverse(at)).outcome, Outcome::bad_request);
  }
  EXPECT_EQ(server.stats().requests, 0U);
}

TEST_F(NominatimProviderTest, EveryModeOfTheServerHasItsOutcome) {
  const std::vector<std::pair<const char*, Outcome>> modes{{"http500", Outcome::provider_error},
                                                           {"html200", Outcome::provider_error},
                                                           {"garbage", Outcome::provider_error},
                                                           {"empty", Outcome::no_match},
                                                           {"429:7", Outcome::rate_limited},
                                                           {"429:0", Outcome::rate_limited},
                                                           {"truncate", Outcome::network},
                                                           {"reset", Outcome::network},
                                                           {"hang", Outcome::timeout},
                                                           {"refuse", Outcome::network},
                                                           {"ok", Outcome::ok}};
  for (const auto& [mode, expected] : modes) {
    ASSERT_TRUE(server.set_mode(mode));
    auto options = options_for(server.url());
    options.timeout = expected == Outcome::timeout ? 100ms : 60s;
    provider(options);
    const auto reply = look_up("7 Musterweg");
    EXPECT_EQ(reply.outcome, expected) << mode << ": " << reply.detail;
    EXPECT_EQ(reply.outcome == Outcome::ok, reply.detail.empty()) << mode;
  }
}

TEST_F(NominatimProviderTest, TheServersRetryAfterIsItsPause) {
  ASSERT_TRUE(server.set_mode("429:7"));
  EXPECT_EQ(look_up("x").pause, std::chrono::milliseconds{7s});
  ASSERT_TRUE(server.set_mode("429:0"));
  EXPECT_EQ(look_up("x").pause, std::chrono::milliseconds{5s});
}

TEST_F(NominatimProviderTest, ContactLanguageAndCountriesAreSent) {
  auto options = options_for(server.url() + "/");
  options.contact = "ops@example.org";
  options.user_agent = "mytool/2";
  options.language = "de,en;q=0.5";
  options.countrycodes = "de,FR";
  provider(options);
  look_up("x");
  ASSERT_EQ(server.log().size(), 1U);
  EXPECT_EQ(server.log()[0].user_agent, "mytool/2 (ops@example.org)");
  EXPECT_EQ(server.log()[0].target,
            "/search?q=x&format=jsonv2&addressdetails=1&limit=1&countrycodes=de%2CFR&"
            "accept-language=de%2Cen%3Bq%3D0.5");
}

TEST_F(NominatimProviderTest, FaultyOptionsAreAllNamedAtOnce) {
  auto options = options_for("ftp://x");
  options.contact = "a\r\nb";
  options.countrycodes = "de,fra";
  options.throttle_pause = 0ms;
  options.timeout = -1ms;
  const auto created = NominatimProvider::create(options, *fixture.client, clock);
  ASSERT_FALSE(created);
  EXPECT_EQ(created.error().code, Errc::invalid_config);
  EXPECT_THAT(created.error().detail,
              AllOf(HasSubstr("\"ftp://x\""), HasSubstr("contact"), HasSubstr("\"fra\""),
                    HasSubstr("throttle_pause (ms) = 0"), HasSubstr("timeout (ms) = -1")));
}

// --- the public host
// --------------------------------------------------------------------------------------------

class PublicHost : public NominatimProviderTest, public testing::WithParamInterface<const char*> {};

TEST_P(PublicHost, WantsAContactAndOneRequestASecond) {
  EXPECT_TRUE(is_public_nominatim(GetParam()));
  EXPECT_EQ(nominatim_default_rate(GetParam()), 1.0);
  auto options = options_for(GetParam());
  options.contact = "  ";
  const auto refused = NominatimProvider::create(options, *fixture.client, clock);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::invalid_config);
  EXPECT_THAT(refused.error().detail, AllOf(HasSubstr("--contact"), HasSubstr("contact = ")));
  options.contact = "me@example.org";
  EXPECT_TRUE(NominatimProvider::create(options, *fixture.client, clock));
}

INSTANTIATE_TEST_SUITE_P(
    All, PublicHost,
    testing::Values("https://nominatim.openstreetmap.org", "http://nominatim.openstreetmap.org/",
                    "https://NOMINATIM.OpenStreetMap.ORG", "https://nominatim.openstreetmap.org:443",
                    "http://nominatim.openstreetmap.org.:8080/x", "https://nominatim.osm.org"));

TEST_F(NominatimProviderTest, OnesOwnServerNeedsNoContactAndHasNoRate) {
  for (const char* url : {"http://localhost:8080", "https://nominatim.openstreetmap.org.example.com",
                          "https://notopenstreetmap.org", "http://10.0.0.1/nominatim.openstreetmap.org"}) {
    EXPECT_FALSE(is_public_nominatim(url)) << url;
    EXPECT_EQ(nominatim_default_rate(url), std::nullopt) << url;
    EXPECT_TRUE(NominatimProvider::create(options_for(url), *fixture.client, clock)) << url;
  }
  EXPECT_EQ(nominatim_default_rate("not a url"), std::nullopt);
}

}  // namespace
}  // namespace geobreaker::test
