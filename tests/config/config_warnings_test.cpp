#include "config/check.hpp"
#include "config/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace geobreaker::config {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> warned(const std::string& provider_keys, const std::string& before = "") {
  const auto read = parse_settings(before + "\n[[provider]]\nkind = \"nominatim\"\nurl = \"http://h\"\n" +
                                       provider_keys + "\n[[provider]]\nkind = \"gazetteer\"\n",
                                   "f");
  EXPECT_TRUE(read) << (read ? "" : read.error().detail);
  return read ? warnings(*read) : std::vector<std::string>{"unreadable"};
}

TEST(Warnings, ThereAreNoneForTheDefaults) {
  EXPECT_THAT(warned(""), IsEmpty());
  EXPECT_THAT(warned("timeout = \"29s\""), IsEmpty());
}

TEST(Warnings, ACallLongerThanTheWindow) {
  EXPECT_THAT(
      warned("timeout = \"30s\""),
      ElementsAre(AllOf(HasSubstr("provider \"nominatim\": a call may take 1m0.2s (2 x `timeout` 30s"),
                        HasSubstr("longer than `window` (1m)"), HasSubstr("raise `window`"))));
  EXPECT_THAT(warned("timeout = \"30s\"\nretry = { attempts = 1 }"), IsEmpty());
  EXPECT_THAT(warned("timeout = \"30s\"", "[breaker]\nwindow = \"2m\""), IsEmpty());
}

// Case F16 of the breaker: one worker whose protected call takes 18 s, 5 failures in 60 s.
TEST(Warnings, TooFewCallsForTheThreshold) {
  const std::string slow = "timeout = \"18s\"\nretry = { attempts = 1 }\n";
  EXPECT_THAT(warned(slow + "max_concurrency = 1"),
              ElementsAre(AllOf(HasSubstr("5 failures (`threshold`)"), HasSubstr("18s"),
                                HasSubstr("with 1 at once"), HasSubstr("do not fit into `window` (1m)"))));
  EXPECT_THAT(warned(slow + "max_concurrency = 2"), IsEmpty());
  EXPECT_THAT(warned(slow, "[batch]\nconcurrency = 1"), ElementsAre(HasSubstr("with 1 at once")));
  EXPECT_THAT(warned(slow + "max_concurrency = 1\nbreaker = { threshold = 3 }"), IsEmpty());
}

TEST(Warnings, ALeaseThatEndsBeforeTheProbeMay) {
  const std::string paced = "rate = \"1/s\"\nmax_concurrency = 5\n";
  EXPECT_THAT(warned(paced), IsEmpty()) << "unset, it covers the wait";
  EXPECT_THAT(warned(paced + "breaker = { probe_lease = \"15s\" }"),
              ElementsAre(AllOf(HasSubstr("`probe_lease` (15s)"), HasSubstr("may wait 5s"),
                                HasSubstr("leave it out"))));
  EXPECT_THAT(warned(paced + "breaker = { probe_lease = \"15001ms\" }"), IsEmpty());
  EXPECT_THAT(warned("breaker = { probe_lease = \"11s\" }"), IsEmpty()) << "without a rate there is no wait";
}

TEST(Warnings, AWaitThatIsOverBeforeTheFirstCoolDown) {
  EXPECT_THAT(warned("", "[batch]\nmax_wait = \"30s\""),
              ElementsAre(AllOf(HasSubstr("`max_wait` (30s)"), HasSubstr("`base_cooldown` 30s"))));
  EXPECT_THAT(warned("", "[batch]\nmax_wait = \"31s\""), IsEmpty());
  EXPECT_THAT(warned("", "[batch]\nmax_wait = \"30s\"\non_skip = \"next\""), IsEmpty());
}

}  // namespace
}  // namespace geobreaker::config
