#include <geobreaker/http/retry_after.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace geobreaker {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

// 1994-11-06 08:49:37 UTC, the date of RFC 9110's examples.
const SharedTime rfc_date{784111777s};
constexpr milliseconds hour = 1h;

TEST(HttpDate, IsReadInAllThreeForms) {
  EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT", rfc_date), rfc_date);
  EXPECT_EQ(parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT", rfc_date), rfc_date);
  EXPECT_EQ(parse_http_date("Sun Nov  6 08:49:37 1994", rfc_date), rfc_date);
  EXPECT_EQ(parse_http_date("Wed Nov 16 08:49:37 1994", rfc_date), rfc_date + 240h);
  EXPECT_EQ(parse_http_date("  Sun, 06 Nov 1994 08:49:37 GMT ", rfc_date), rfc_date);
}

TEST(HttpDate, TwoDigitYearsMeanTheNearestPastWhenMoreThanFiftyYearsAhead) {
  const SharedTime in_2026{std::chrono::seconds{1780000000}};
  EXPECT_EQ(parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT", in_2026), rfc_date);
  EXPECT_EQ(parse_http_date("Friday, 06-Nov-26 08:49:37 GMT", in_2026),
            parse_http_date("Fri, 06 Nov 2026 08:49:37 GMT", in_2026));
  EXPECT_EQ(parse_http_date("Friday, 06-Nov-76 08:49:37 GMT", in_2026),
            parse_http_date("Fri, 06 Nov 2076 08:49:37 GMT", in_2026));
}

TEST(HttpDate, WhatIsNoDateIsNone) {
  for (const char* text :
       {"", "tomorrow", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
        "Sun, 06 Nov 1994 08:61:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 08:49:37",
        "Sun, 6 Nov 1994 08:49:37 GMT", "sun, 06 nov 1994 08:49:37 gmt", "Sun, 06 Nov 1994 08:49:37 GMT+1"}) {
    EXPECT_EQ(parse_http_date(text, rfc_date), std::nullopt) << text;
  }
}

TEST(RetryAfter, ReadsWholeSeconds) {
  EXPECT_EQ(parse_retry_after("120", rfc_date, hour), milliseconds{120s});
  EXPECT_EQ(parse_retry_after(" 1 ", rfc_date, hour), milliseconds{1s});
}

TEST(RetryAfter, ReadsADateAgainstTheGivenNow) {
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", rfc_date - 90s, hour), milliseconds{90s});
  EXPECT_EQ(parse_retry_after("Sunday, 06-Nov-94 08:49:37 GMT", rfc_date - 90s, hour), milliseconds{90s});
  EXPECT_EQ(parse_retry_after("Sun Nov  6 08:49:37 1994", rfc_date - 90s, hour), milliseconds{90s});
  EXPECT_EQ(parse_retry_after("Sun Nov  6 08:49:37 1994", rfc_date - 1us, hour), 1ms) << "never too short";
}

TEST(RetryAfter, ZeroAndPastDatesSayNothing) {
  EXPECT_EQ(parse_retry_after("0", rfc_date, hour), std::nullopt);
  EXPECT_EQ(parse_retry_after("000", rfc_date, hour), std::nullopt);
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", rfc_date, hour), std::nullopt);
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", rfc_date + 1h, hour), std::nullopt);
}

TEST(RetryAfter, NegativesAndUnparsableTextAreIgnored) {
  for (const char* text : {"", " ", "-5", "+5", "5.5", "1e3", "5s", "soon", "5, 6", "0x10"}) {
    EXPECT_EQ(parse_retry_after(text, rfc_date, hour), std::nullopt) << text;
  }
}

TEST(RetryAfter, IsCapped) {
  EXPECT_EQ(parse_retry_after("3600", rfc_date, hour), hour);
  EXPECT_EQ(parse_retry_after("3601", rfc_date, hour), hour);
  EXPECT_EQ(parse_retry_after("99999999999999999999999999", rfc_date, hour), hour);
  EXPECT_EQ(parse_retry_after("Fri, 31 Dec 9999 23:59:59 GMT", rfc_date, hour), hour);
  EXPECT_EQ(parse_retry_after("5", rfc_date, 0ms), std::nullopt);
}

}  // namespace
}  // namespace geobreaker
