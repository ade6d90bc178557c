#include "config/values.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace geobreaker::config {
namespace {

rc::Gen<Micros> any_duration() {
  // All sizes alike: a uniform draw would give almost only centuries.
  return rc::gen::map(
      rc::gen::pair(rc::gen::inRange<std::int64_t>(0, longest_duration.count() + 1), rc::gen::inRange(0, 53)),
      [](const std::pair<std::int64_t, int>& drawn) { return Micros{drawn.first >> drawn.second}; });
}

RC_GTEST_PROP(DurationProperty, EveryDurationSurvivesFormatAndParse, ()) {
  const Micros duration = *any_duration();
  const auto read = parse_duration(format_duration(duration));
  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == duration);
}

RC_GTEST_PROP(DurationProperty, FormatIsAFixedPoint, ()) {
  const std::string text = format_duration(*any_duration());
  RC_ASSERT(format_duration(*parse_duration(text)) == text);
}

RC_GTEST_PROP(DurationProperty, AFractionOfSecondsIsItsMicroseconds, ()) {
  const auto whole = *rc::gen::inRange<std::int64_t>(0, 1'000'000);
  const auto fraction = *rc::gen::inRange<std::int64_t>(0, 1'000'000);
  std::string digits = std::to_string(fraction);
  digits.insert(0, 6 - digits.size(), '0');
  const auto read = parse_duration(std::to_string(whole) + "." + digits + "s");
  RC_ASSERT(read.has_value());
  RC_ASSERT(read->count() == whole * 1'000'000 + fraction);
}

RC_GTEST_PROP(DurationProperty, AnyTextIsReadOrRefusedWithAReason, ()) {
  const auto text =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("0123456789.-+smhdunae /\xC2\xB5")));
  const auto read = parse_duration(text);
  if (read) {
    RC_ASSERT(*read >= Micros{0});
    RC_ASSERT(*read <= longest_duration);
  } else {
    RC_ASSERT(read.error().detail.find("allowed is") != std::string::npos);
  }
}

RC_GTEST_PROP(RateProperty, EveryRateSurvivesFormatAndParse, ()) {
  const auto count = *rc::gen::inRange<std::int64_t>(1, 1'000'000'000);
  const auto decimals = *rc::gen::inRange(0, 4);
  const auto unit = *rc::gen::elementOf(std::string("smhd"));
  std::string text = std::to_string(count);
  if (decimals > 0) text += "." + std::to_string(decimals);
  text.append("/").push_back(unit);
  const auto read = parse_rate(text);
  if (!read) return;  // beyond a million a second
  RC_ASSERT(*parse_rate(format_rate(*read)) == *read);
  RC_ASSERT(format_rate(*read) == text);
}

RC_GTEST_PROP(RateProperty, AnyTextIsReadAsAUsableRateOrRefused, ()) {
  const auto text =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("0123456789./smhdane-+")));
  const auto read = parse_rate(text);
  if (!read) return;
  RC_ASSERT(read->count > 0);
  RC_ASSERT(read->per_second() <= 1e6);
  RC_ASSERT(read->interval() >= Micros{1});
}

}  // namespace
}  // namespace geobreaker::config
