#include <geobreaker/provider/nominatim.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace geobreaker {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;

constexpr auto place_text =
    R"([{"place_id":1234,"licence":"ODbL","osm_type":"way","osm_id":55,"lat":"48.1000001","lon":"11.5000002",)"
    R"("category":"building","type":"house","place_rank":30,"importance":0.0001,)"
    R"("display_name":"7, Musterweg, Beispielstadt, 80000, Deutschland","address":{"house_number":"7",)"
    R"("road":"Musterweg","city":"Beispielstadt","postcode":"80000","country":"Deutschland","country_code":"DE"},)"
    R"("boundingbox":["48.0","48.2","11.4","11.6"]}])";

HttpResponse answer(int status, std::string body,
                    std::string content_type = "application/json; charset=utf-8") {
  HttpResponse response;
  response.status = status;
  response.content_type = std::move(content_type);
  response.body = std::move(body);
  return response;
}

ProviderReply outcome_of(HttpResponse response, const NominatimContext& context = {}) {
  auto reply = classify(HttpResult(std::move(response)), context);
  EXPECT_EQ(reply.outcome == Outcome::ok, reply.answer.has_value()) << "an answer if and only if ok";
  const bool may_pause = reply.outcome == Outcome::rate_limited || reply.outcome == Outcome::quota_exhausted;
  EXPECT_TRUE(may_pause || !reply.pause) << "a pause only where the provider throttles";
  return reply;
}

ProviderReply failed_with(HttpFault kind) { return classify(HttpFailure{kind, "host: why"}, {}); }

std::string place_with(std::string_view fields) { return "[{" + std::string(fields) + "}]"; }

// --- the table of answers
// ---------------------------------------------------------------------------------------

TEST(NominatimTable, APlace) {
  const auto reply = outcome_of(answer(200, place_text));
  ASSERT_EQ(reply.outcome, Outcome::ok);
  EXPECT_EQ(reply.answer->at, (Coordinates{48.1000001, 11.5000002}));
  EXPECT_EQ(reply.answer->label, "7, Musterweg, Beispielstadt, 80000, Deutschland");
  EXPECT_EQ(reply.answer->precision, Precision::rooftop);
  EXPECT_EQ(reply.answer->confidence, std::nullopt) << "importance is fame, not confidence";
  EXPECT_EQ(reply.answer->country_code, "de");
}

TEST(NominatimTable, AReversePlaceIsAnObject) {
  std::string object = place_text;
  object = object.substr(1, object.size() - 2);
  EXPECT_EQ(outcome_of(answer(200, object)).outcome, Outcome::ok);
}

TEST(NominatimTable, AnEmptyListIsNoMatch) {
  EXPECT_EQ(outcome_of(answer(200, "[]")).outcome, Outcome::no_match);
  EXPECT_EQ(outcome_of(answer(200, " [ ] \n")).outcome, Outcome::no_match);
}

TEST(NominatimTable, UnableToGeocodeIsNoMatchWhateverItsStatus) {
  EXPECT_EQ(outcome_of(answer(200, R"({"error":"Unable to geocode"})")).outcome, Outcome::no_match);
  EXPECT_EQ(outcome_of(answer(404, R"({"error":"Unable to geocode"})")).outcome, Outcome::no_match);
}

TEST(NominatimTable, AnErrorObjectWith400IsABadRequest) {
  const auto body = R"({"error":{"code":400,"message":"Parameter 'lat' must be a number."}})";
  for (const int status : {400, 200}) {
    const auto reply = outcome_of(answer(status, body));
    EXPECT_EQ(reply.outcome, Outcome::bad_request);
    EXPECT_THAT(reply.detail, HasSubstr("Parameter 'lat' must be a number."));
  }
}

TEST(NominatimTable, OverLongQueriesAreBadRequestsEvenAsWebPages) {
  for (const int status : {400, 413, 414, 422, 431}) {
    EXPECT_EQ(outcome_of(answer(status, "<html>too large</html>", "text/html")).outcome,
              Outcome::bad_request);
  }
}

TEST(NominatimTable, ForbiddenIsAuth) {
  EXPECT_EQ(outcome_of(answer(403, "<html><h1>Access blocked</h1></html>", "text/html")).outcome,
            Outcome::auth);
  EXPECT_EQ(outcome_of(answer(401, "")).outcome, Outcome::auth);
}

TEST(NominatimTable, AServerForReverseOnlyIsAuth) {
  EXPECT_EQ(outcome_of(answer(404, "Search not available", "text/plain")).outcome, Outcome::auth);
  EXPECT_EQ(outcome_of(answer(404, R"({"error":{"code":404,"message":"Search not available"}})")).outcome,
            Outcome::auth);
}

TEST(NominatimTable, AnyOther404IsAProviderError) {
  EXPECT_EQ(outcome_of(answer(404, "<html>not here</html>", "text/html")).outcome, Outcome::provider_error);
}

TEST(NominatimTable, SearchTemporarilyUnavailableIsAProviderError) {
  EXPECT_EQ(outcome_of(answer(503, "Search temporarily unavailable", "text/plain")).outcome,
            Outcome::provider_error);
  EXPECT_EQ(outcome_of(answer(503, "<html>This took too long, says the proxy</html>", "text/html")).outcome,
            Outcome::provider_error);
}

TEST(NominatimTable, ASlowQueryIsATimeout) {
  EXPECT_EQ(outcome_of(answer(503, "Query took too long to process.", "text/plain")).outcome,
            Outcome::timeout);
}

TEST(NominatimTable, TheOther5xxAreProviderErrors) {
  for (const int status : {500, 502, 504, 599}) {
    EXPECT_EQ(outcome_of(answer(status, "took too long", "text/plain")).outcome, Outcome::provider_error);
    EXPECT_EQ(outcome_of(answer(status, "[]")).outcome, Outcome::provider_error);
    EXPECT_EQ(outcome_of(answer(status, R"({"error":"Unable to geocode"})")).outcome,
              Outcome::provider_error);
  }
}

TEST(NominatimTable, BandwidthLimitPausesForAnHour) {
  const auto by_status = outcome_of(answer(509, "", "text/html"));
  EXPECT_EQ(by_status.outcome, Outcome::rate_limited);
  EXPECT_EQ(by_status.pause, milliseconds{1h});
  for (const int status : {200, 403, 429, 503}) {
    const auto by_mark =
        outcome_of(answer(status, "<html><title>509 Bandwidth Limit Exceeded</title>", "text/html"));
    EXPECT_EQ(by_mark.outcome, Outcome::rate_limited) << status;
    EXPECT_EQ(by_mark.pause, milliseconds{1h}) << status;
  }
}

TEST(NominatimTable, TheMarkCountsInTheFirst4KiBOnlyAndNotInsideOfJson) {
  const auto far = outcome_of(answer(200, std::string(4096, ' ') + "Bandwidth limit exceeded", "text/plain"));
  EXPECT_EQ(far.outcome, Outcome::provider_error);
  const auto named = outcome_of(answer(
      200,
      place_with(R"("lat":"1","lon":"2","place_rank":30,"display_name":"Bandwidth limit exceeded Pub")")));
  EXPECT_EQ(named.outcome, Outcome::ok);
}

// --- throttling
// -------------------------------------------------------------------------------------------------

HttpResponse throttled(std::string retry_after) {
  auto response = answer(429, "<html>Too many requests</html>", "text/html");
  response.retry_after = std::move(retry_after);
  return response;
}

TEST(NominatimThrottle, ASelfHostedServersRetryAfterIsKept) {
  const auto reply = outcome_of(throttled("17"));
  EXPECT_EQ(reply.outcome, Outcome::rate_limited);
  EXPECT_EQ(reply.pause, milliseconds{17s});
}

TEST(NominatimThrottle, ZeroOrNoRetryAfterGivesOurOwnPause) {
  NominatimContext context;
  context.throttle_pause = 8s;
  for (const char* header : {"0", "", "-1", "soon"}) {
    EXPECT_EQ(outcome_of(throttled(header), context).pause, milliseconds{8s}) << header;
    EXPECT_EQ(outcome_of(throttled(header)).pause, milliseconds{5s}) << header;
  }
}

TEST(NominatimThrottle, ThePublicHostGetsAtLeastAMinute) {
  NominatimContext context;
  context.public_host = true;
  EXPECT_EQ(outcome_of(throttled("0"), context).pause, milliseconds{60s});
  EXPECT_EQ(outcome_of(throttled(""), context).pause, milliseconds{60s});
  EXPECT_EQ(outcome_of(throttled("5"), context).pause, milliseconds{60s});
  EXPECT_EQ(outcome_of(throttled("90"), context).pause, milliseconds{90s});
}

TEST(NominatimThrottle, RetryAfterIsCapped) {
  EXPECT_EQ(outcome_of(throttled("86400")).pause, milliseconds{1h});
  NominatimContext context;
  context.pause_max = 10min;
  EXPECT_EQ(outcome_of(throttled("86400"), context).pause, milliseconds{10min});
}

TEST(NominatimThrottle, ADateIsSeenFromTheServersClockAndElseFromOurs) {
  auto response = throttled("Sun, 06 Nov 1994 08:50:37 GMT");
  NominatimContext context;
  context.now = SharedTime{784111777s};  // 08:49:37
  EXPECT_EQ(outcome_of(response, context).pause, milliseconds{60s});
  response.date = "Sun, 06 Nov 1994 08:50:07 GMT";
  EXPECT_EQ(outcome_of(response, context).pause, milliseconds{30s});
}

// --- 2xx that are not what was promised
// -------------------------------------------------------------------------

TEST(NominatimBody, WhatIsNotThePromisedJsonIsAProviderError) {
  const std::vector<std::string> bodies{"",
                                        " ",
                                        "null",
                                        "true",
                                        "7",
                                        "\"over the limit\"",
                                        "{}",
                                        "[[]]",
                                        "[null]",
                                        "[{}]",
                                        "[1]",
                                        "{\"lat\":\"1\"}",
                                        "[{\"lat\":\"1\",\"lon\":\"2\"}",
                                        "[{\"lat\":\"1\",\"lon\":\"2\"}] trailing",
                                        "not json",
                                        "[",
                                        "]",
                                        "\xEF\xBB\xBF",
                                        R"({"error":null})",
                                        R"({"error":"Something else"})",
                                        R"({"error":{"code":500,"message":"x"}})",
                                        R"({"places":[]})"};
  for (const auto& body : bodies) {
    EXPECT_EQ(outcome_of(answer(200, body)).outcome, Outcome::provider_error) << body;
  }
}

TEST(NominatimBody, AWebPageIsAProviderErrorEvenIfItSaysThatItIsJson) {
  EXPECT_EQ(outcome_of(answer(200, "<!DOCTYPE html><html>Log in to the Wi-Fi</html>")).outcome,
            Outcome::provider_error);
  EXPECT_EQ(outcome_of(answer(200, "[]", "text/html; charset=utf-8")).outcome, Outcome::provider_error);
}

TEST(NominatimBody, JsonWithoutAContentTypeIsStillJson) {
  EXPECT_EQ(outcome_of(answer(200, place_text, "")).outcome, Outcome::ok);
  EXPECT_EQ(outcome_of(answer(200, "[]", "text/plain")).outcome, Outcome::no_match);
}

TEST(NominatimBody, InvalidUtf8IsAProviderError) {
  EXPECT_EQ(outcome_of(answer(200, place_with("\"lat\":\"1\",\"lon\":\"2\",\"display_name\":\"M\xFCnchen\"")))
                .outcome,
            Outcome::provider_error);
}

TEST(NominatimBody, NestingBeyond64IsAProviderError) {
  const auto nested = [](std::size_t depth) {
    return place_with(R"("lat":"1","lon":"2","place_rank":30,"extra":)" + std::string(depth, '[') +
                      std::string(depth, ']'));
  };
  EXPECT_EQ(outcome_of(answer(200, nested(50))).outcome, Outcome::ok);
  EXPECT_EQ(outcome_of(answer(200, nested(80))).outcome, Outcome::provider_error);
  EXPECT_EQ(outcome_of(answer(200, std::string(500'000, '['))).outcome, Outcome::provider_error);
  // The bound stays when the reader's buffers have grown.
  const std::string large =
      place_with(R"("lat":"1","lon":"2","place_rank":30,"x":")" + std::string(200'000, 'x') + '"');
  EXPECT_EQ(outcome_of(answer(200, large)).outcome, Outcome::ok);
  EXPECT_EQ(outcome_of(answer(200, nested(80))).outcome, Outcome::provider_error);
}

TEST(NominatimBody, RedirectsAreProviderErrorsThatSayWhereTo) {
  auto response = answer(301, "", "text/html");
  response.location = "https://elsewhere.example/search?key=s3cret";
  const auto reply = outcome_of(response);
  EXPECT_EQ(reply.outcome, Outcome::provider_error);
  EXPECT_THAT(reply.detail, HasSubstr("https://elsewhere.example/search?key=***"));
}

TEST(NominatimBody, AServersMessageIsShownBoundedInOneLineAndWithoutSecrets) {
  const auto reply = outcome_of(
      answer(400, R"({"error":{"code":400,"message":"a\nb?key=s3cret )" + std::string(5000, 'x') + R"("}})"));
  EXPECT_EQ(reply.outcome, Outcome::bad_request);
  EXPECT_THAT(reply.detail, HasSubstr("a b?key=***"));
  EXPECT_THAT(reply.detail, Not(HasSubstr("\n")));
  EXPECT_LT(reply.detail.size(), 300U);
}

// --- coordinates
// ------------------------------------------------------------------------------------------------

TEST(NominatimCoordinates, NumbersAndTextAreRead) {
  const auto as_numbers = outcome_of(answer(200, place_with(R"("lat":-33.5,"lon":151,"place_rank":30)")));
  ASSERT_EQ(as_numbers.outcome, Outcome::ok);
  EXPECT_EQ(as_numbers.answer->at, (Coordinates{-33.5, 151.0}))
      << "latitude first, and not the other way round";
  const auto as_text = outcome_of(answer(200, place_with(R"("lat":"-33.5","lon":"151","place_rank":30)")));
  ASSERT_EQ(as_text.outcome, Outcome::ok);
  EXPECT_EQ(as_text.answer->at, (Coordinates{-33.5, 151.0}));
}

TEST(NominatimCoordinates, WhatIsNoPointOnTheGlobeIsAProviderError) {
  for (const char* fields :
       {R"("lat":"91","lon":"2")", R"("lat":"-90.001","lon":"2")", R"("lat":"1","lon":"180.5")",
        R"("lat":"1","lon":-181)", R"("lat":"nan","lon":"2")", R"("lat":"inf","lon":"2")",
        R"("lat":"1e999","lon":"2")", R"("lat":"","lon":"2")", R"("lat":"null","lon":"2")",
        R"("lat":null,"lon":"2")", R"("lat":"1,5","lon":"2")", R"("lat":"1 ","lon":"2")",
        R"("lat":"0x1","lon":"2")", R"("lat":[1],"lon":"2")", R"("lat":true,"lon":"2")", R"("lon":"2")",
        R"("lat":NaN,"lon":2)", R"("lat":1e999,"lon":2)"}) {
    EXPECT_EQ(outcome_of(answer(200, place_with(fields))).outcome, Outcome::provider_error) << fields;
  }
}

TEST(NominatimCoordinates, TheEdgesOfTheGlobeAreOnIt) {
  EXPECT_EQ(outcome_of(answer(200, place_with(R"("lat":"-90","lon":"180","place_rank":30)"))).outcome,
            Outcome::ok);
}

TEST(NominatimCoordinates, NullIslandIsNoMatchUnlessItWasAskedFor) {
  const auto body = place_with(R"("lat":"0.0","lon":"-0","place_rank":30)");
  const auto reply = outcome_of(answer(200, body));
  EXPECT_EQ(reply.outcome, Outcome::no_match);
  EXPECT_THAT(reply.detail, HasSubstr("null_island"));
  NominatimContext asked;
  asked.asked = Coordinates{0, 0};
  EXPECT_EQ(outcome_of(answer(200, body), asked).outcome, Outcome::ok);
  asked.asked = Coordinates{1, 0};
  EXPECT_EQ(outcome_of(answer(200, body), asked).outcome, Outcome::no_match);
  EXPECT_EQ(outcome_of(answer(200, place_with(R"("lat":"0","lon":"9.4","place_rank":30)"))).outcome,
            Outcome::ok);
}

TEST(NominatimCoordinates, APlaceBehindNullIslandIsTaken) {
  const auto reply = outcome_of(
      answer(200, R"([{"lat":"0","lon":"0","place_rank":30},{"lat":"48.1","lon":"11.5","place_rank":26}])"));
  ASSERT_EQ(reply.outcome, Outcome::ok);
  EXPECT_EQ(reply.answer->at, (Coordinates{48.1, 11.5}));
}

// --- precision
// --------------------------------------------------------------------------------------------------

Precision precision_of(std::string_view fields) {
  const auto reply = outcome_of(answer(200, place_with(R"("lat":"1","lon":"2",)" + std::string(fields))));
  return reply.answer ? reply.answer->precision : Precision::unknown;
}

TEST(NominatimPrecision, FollowsPlaceRank) {
  const std::vector<std::pair<int, Precision>> ranks{
      {30, Precision::rooftop},  {29, Precision::rooftop},  {28, Precision::street},
      {26, Precision::street},   {25, Precision::locality}, {22, Precision::locality},
      {17, Precision::locality}, {13, Precision::locality}, {12, Precision::region},
      {10, Precision::region},   {9, Precision::region},    {5, Precision::region},
      {4, Precision::country},   {3, Precision::unknown},   {0, Precision::unknown},
      {31, Precision::unknown},  {-1, Precision::unknown}};
  for (const auto& [rank, expected] : ranks) {
    EXPECT_EQ(precision_of("\"place_rank\":" + std::to_string(rank)), expected) << rank;
  }
}

TEST(NominatimPrecision, PostcodesAndInterpolationsComeBeforeTheRank) {
  EXPECT_EQ(precision_of(R"("type":"postcode","place_rank":21)"), Precision::postcode);
  EXPECT_EQ(precision_of(R"("type":"postcode","place_rank":30)"), Precision::postcode);
  EXPECT_EQ(precision_of(R"("category":"place","type":"houses","place_rank":30)"), Precision::interpolated);
}

TEST(NominatimPrecision, WithoutARankTheFinestPartOfTheAddressTells) {
  EXPECT_EQ(precision_of(R"("address":{"house_number":"7","road":"R","city":"C"})"), Precision::rooftop);
  EXPECT_EQ(precision_of(R"("address":{"road":"R","city":"C","country":"X"})"), Precision::street);
  EXPECT_EQ(precision_of(R"("address":{"town":"C","postcode":"1","country":"X"})"), Precision::locality);
  EXPECT_EQ(precision_of(R"("address":{"state":"S","country":"X"})"), Precision::region);
  EXPECT_EQ(precision_of(R"("address":{"country":"X"})"), Precision::country);
  EXPECT_EQ(precision_of(R"("display_name":"x")"), Precision::unknown);
}

TEST(NominatimPrecision, OddCountryCodesAreLeftOut) {
  for (const char* code : {"", "deu", "d1", "\\u00e4"}) {
    const auto reply = outcome_of(
        answer(200, place_with(R"("lat":"1","lon":"2","place_rank":4,"address":{"country_code":")" +
                               std::string(code) + R"("})")));
    ASSERT_EQ(reply.outcome, Outcome::ok);
    EXPECT_EQ(reply.answer->country_code, "") << code;
  }
}

// --- no answer at all
// -------------------------------------------------------------------------------------------

TEST(NominatimFailure, EveryFaultHasItsOutcome) {
  EXPECT_EQ(failed_with(HttpFault::timeout).outcome, Outcome::timeout);
  for (const auto kind : {HttpFault::dns, HttpFault::connect, HttpFault::tls, HttpFault::reset,
                          HttpFault::truncated, HttpFault::proxy}) {
    EXPECT_EQ(failed_with(kind).outcome, Outcome::network) << to_string(kind);
  }
  EXPECT_EQ(failed_with(HttpFault::body_too_large).outcome, Outcome::provider_error);
  EXPECT_EQ(failed_with(HttpFault::protocol).outcome, Outcome::provider_error);
  EXPECT_EQ(failed_with(HttpFault::cancelled).outcome, Outcome::cancelled);
  EXPECT_EQ(failed_with(HttpFault::unusable).outcome, Outcome::cancelled);
  EXPECT_EQ(failed_with(HttpFault::tls).detail, "host: why") << "the plain cause is handed on";
}

TEST(NominatimFailure, AProxysRefusalIsTheNetworks) {
  EXPECT_EQ(outcome_of(answer(407, "", "text/html")).outcome, Outcome::network);
  EXPECT_EQ(outcome_of(answer(408, "", "text/html")).outcome, Outcome::timeout);
}

TEST(NominatimFailure, StatusesThatAreNotInTheTableAreProviderErrors) {
  for (const int status : {201, 204, 206, 304, 402, 405, 406, 410, 418, 451}) {
    EXPECT_EQ(outcome_of(answer(status, "")).outcome, Outcome::provider_error) << status;
  }
}

}  // namespace
}  // namespace geobreaker
