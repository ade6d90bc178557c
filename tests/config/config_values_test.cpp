#include "config/values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace geobreaker::config {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

Micros duration(std::string_view text) {
  const auto read = parse_duration(text);
  EXPECT_TRUE(read) << text << ": " << (read ? "" : read.error().detail);
  return read ? *read : Micros{-1};
}

std::string refusal(std::string_view text) {
  const auto read = parse_duration(text);
  EXPECT_FALSE(read) << text << " was read as " << (read ? format_duration(*read) : "");
  if (read) return "";
  EXPECT_EQ(read.error().code, Errc::invalid_config);
  return read.error().detail;
}

std::string rate_refusal(std::string_view text) {
  const auto read = parse_rate(text);
  EXPECT_FALSE(read) << text << " was read as " << (read ? format_rate(*read) : "");
  return read ? "" : read.error().detail;
}

TEST(Duration, HasOneOfSixUnits) {
  EXPECT_EQ(duration("100us"), 100us);
  EXPECT_EQ(duration("500ms"), 500ms);
  EXPECT_EQ(duration("2s"), 2s);
  EXPECT_EQ(duration("10m"), 10min);
  EXPECT_EQ(duration("1h"), 1h);
  EXPECT_EQ(duration("1d"), 24h);
}

TEST(Duration, MayHaveSeveralPartsAndAFractionInTheLast) {
  EXPECT_EQ(duration("1h30m"), 90min);
  EXPECT_EQ(duration("1d2h3m4s5ms6us"), 26h + 3min + 4s + 5ms + 6us);
  EXPECT_EQ(duration("1.5s"), 1500ms);
  EXPECT_EQ(duration("1m0.25s"), 60250ms);
  EXPECT_EQ(duration("1.25d"), 30h);
}

TEST(Duration, IsExactWhereABinaryFractionWouldNotBe) {
  EXPECT_EQ(duration("0.1s"), 100ms);
  EXPECT_EQ(duration("0.000001s"), 1us);
  EXPECT_EQ(duration("0.3ms"), 300us);
  EXPECT_EQ(duration("0.00001d"), 864ms);
  EXPECT_EQ(duration("1.100000000000000000000000000s"), 1100ms);
}

TEST(Duration, NeedsAUnitUnlessItIsZero) {
  EXPECT_EQ(duration("0"), 0us);
  EXPECT_EQ(duration("0s"), 0us);
  for (const char* bare : {"5", "00", "1.5", "0.0"}) {
    EXPECT_THAT(refusal(bare),
                AllOf(HasSubstr(bare), HasSubstr("has no unit"), HasSubstr("us, ms, s, m, h, d")));
  }
}

TEST(Duration, RefusesUnknownUnitsAndNamesTheKnownOnes) {
  for (const char* text : {"1min", "1S", "2 s", "1sec", "3w", "1e3s", "1µs", "1s "}) {
    EXPECT_THAT(refusal(text), AllOf(HasSubstr("unknown unit"), HasSubstr("us, ms, s, m, h, d"))) << text;
  }
}

TEST(Duration, RefusesWhatIsNoNumber) {
  for (const char* text : {"nan", "inf", "s", ".5s", "1.s", "+1s", " 1s", "0x1s", "1..5s", "NaNs"}) {
    EXPECT_THAT(refusal(text), HasSubstr("allowed is a number with one of the units")) << text;
  }
  EXPECT_THAT(refusal(""), HasSubstr("is empty"));
  EXPECT_THAT(refusal("-1s"), HasSubstr("\"-1s\" is negative"));
  EXPECT_THAT(refusal("-0"), HasSubstr("is negative"));
}

TEST(Duration, RefusesPartsOutOfOrder) {
  for (const char* text : {"30m1h", "1s1s", "1.5h30m", "1m1m"}) {
    EXPECT_THAT(refusal(text), HasSubstr("larger units first")) << text;
  }
}

TEST(Duration, RefusesWhatDoesNotFit) {
  EXPECT_EQ(duration("9007199254740992us"), longest_duration);
  for (const char* text : {"9007199254740993us", "104250d", "99999999999999999999999999d", "104249d24h",
                           "104249d23h47m34.740993s"}) {
    EXPECT_THAT(refusal(text), HasSubstr("too long")) << text;
  }
  for (const char* text : {"0.5us", "0.0000001s", "0.00000000000000000000001d"}) {
    EXPECT_THAT(refusal(text), HasSubstr("finer than a microsecond")) << text;
  }
}

TEST(Duration, IsWrittenAsShortlyAsItIsRead) {
  EXPECT_EQ(format_duration(0us), "0");
  EXPECT_EQ(format_duration(7us), "7us");
  EXPECT_EQ(format_duration(1500us), "1.5ms");
  EXPECT_EQ(format_duration(50ms), "50ms");
  EXPECT_EQ(format_duration(1500ms), "1.5s");
  EXPECT_EQ(format_duration(90s), "1m30s");
  EXPECT_EQ(format_duration(10min), "10m");
  EXPECT_EQ(format_duration(25h), "1d1h");
  EXPECT_EQ(format_duration(1h + 1us), "1h0.000001s");
}

TEST(Duration, IsShownEvenIfNegative) {
  EXPECT_EQ(format_duration(-1500ms), "-1.5s");
  EXPECT_TRUE(format_duration(Micros::min()).starts_with("-"));
}

TEST(Rate, IsCallsPerPeriod) {
  EXPECT_EQ(*parse_rate("50/s"), (Rate{50, 1s}));
  EXPECT_EQ(*parse_rate("3000/m"), (Rate{3000, 1min}));
  EXPECT_EQ(*parse_rate("100/h"), (Rate{100, 1h}));
  EXPECT_EQ(*parse_rate("2500/d"), (Rate{2500, 24h}));
  EXPECT_EQ(*parse_rate("0.5/s"), (Rate{0.5, 1s}));
  EXPECT_DOUBLE_EQ(parse_rate("3000/m")->per_second(), 50);
}

TEST(Rate, SpreadsCallsEvenly) {
  EXPECT_EQ(parse_rate("50/s")->interval(), 20ms);
  EXPECT_EQ(parse_rate("0.5/s")->interval(), 2s);
  EXPECT_EQ(parse_rate("2500/d")->interval(), 34560ms);
  EXPECT_EQ(parse_rate("1000000/s")->interval(), 1us);
  EXPECT_EQ(parse_rate("3/s")->interval(), 333334us) << "rounded up: never faster than asked for";
}

TEST(Rate, RefusesEverythingElse) {
  for (const char* text : {"", "5", "5/", "/s", "5/ms", "5/week", "5 /s", "-1/s", "+1/s", "nan/s", "inf/s",
                           "1e3/s", "5/s/s", "0x5/s", "5per s"}) {
    EXPECT_THAT(rate_refusal(text), HasSubstr("\"50/s\"")) << text;
  }
  for (const char* text : {"0/s", "0.0/d"})
    EXPECT_THAT(rate_refusal(text), HasSubstr("allows no call")) << text;
  for (const char* text : {"1000001/s", "99999999999999999999999999999/d"}) {
    EXPECT_THAT(rate_refusal(text), HasSubstr("at most 1000000/s")) << text;
  }
  EXPECT_THAT(rate_refusal(std::string(500, '9') + "/s"), HasSubstr("at most 1000000/s"));
  EXPECT_THAT(rate_refusal("0.00000000001/d"), HasSubstr("too slow"));
}

TEST(Rate, IsWrittenAsItIsRead) {
  for (const char* text : {"50/s", "0.5/s", "3000/m", "100/h", "2500/d"}) {
    EXPECT_EQ(format_rate(*parse_rate(text)), text);
  }
}

}  // namespace
}  // namespace geobreaker::config
