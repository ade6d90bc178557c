#include "config/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace geobreaker::config {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Settings settings(std::string_view text) {
  auto read = parse_settings(text, "test.toml");
  EXPECT_TRUE(read) << (read ? "" : read.error().detail);
  return read ? *std::move(read) : Settings{};
}

std::string refusal(std::string_view text) {
  const auto read = parse_settings(text, "test.toml");
  EXPECT_FALSE(read) << text;
  if (read) return "";
  EXPECT_EQ(read.error().code, Errc::invalid_config);
  return read.error().detail;
}

std::string provider(std::string_view keys) {
  return "[[provider]]\nkind = \"nominatim\"\nurl = \"http://h\"\n" + std::string(keys);
}

TEST(Load, AnEmptyFileGivesTheDefaults) {
  EXPECT_EQ(settings(""), default_settings());
  EXPECT_EQ(settings("# nothing\n[breaker]\n"), default_settings());
}

TEST(Load, ReadsEverySection) {
  const Settings read = settings(R"(
[store]
url = "redis://:pw@redis.example.org:7000/2"
timeout = "20ms"
prefix = "geo"
[breaker]
window = "2m"
threshold = 7
failure_rate = 0.5
[batch]
concurrency = 5
on_skip = "next"
max_wait = "1m"
accept = "postcode"
[[provider]]
name = "own"
kind = "nominatim"
url = "http://localhost:8080"
contact = "me@example.org"
language = "de,en;q=0.8"
timeout = "3s"
max_concurrency = 4
rate = "50/s"
retry = { attempts = 3, base = "100ms", max = "1s" }
accept = "rooftop"
breaker = { threshold = 3, slow_call = "2s" }
[[provider]]
kind = "gazetteer"
)");
  EXPECT_EQ(read.store, (StoreSettings{"redis://:pw@redis.example.org:7000/2", 20ms, "geo"}));
  EXPECT_EQ(read.batch, (BatchSettings{5, OnSkip::next, 1min, Precision::postcode}));
  EXPECT_EQ(read.breaker.window, 2min);
  ASSERT_EQ(read.providers.size(), 2U);
  ProviderSettings own;
  own.name = "own";
  own.kind = "nominatim";
  own.url = "http://localhost:8080";
  own.contact = "me@example.org";
  own.language = "de,en;q=0.8";
  own.timeout = 3s;
  own.max_concurrency = 4;
  own.rate = Rate{50, 1s};
  own.retry = {3, 100ms, 1s};
  own.accept = Precision::rooftop;
  own.breaker = read.breaker;
  own.breaker.threshold = 3;
  own.breaker.slow_call = 2s;
  EXPECT_EQ(read.providers[0], own);
  EXPECT_EQ(read.providers[1].name, "gazetteer") << "the name defaults to the kind";
  EXPECT_EQ(read.providers[1].breaker, read.breaker);
}

TEST(Load, KeepsTheChainsOrderAndInheritsTheBreakerWhereverItStands) {
  const Settings read = settings(
      "[[provider]]\nname = \"b\"\nkind = \"gazetteer\"\n[provider.breaker]\nrun_threshold = 2\n"
      "[[provider]]\nname = \"a\"\nkind = \"gazetteer\"\n[breaker]\nthreshold = 9\n");
  ASSERT_EQ(read.providers.size(), 2U);
  EXPECT_EQ(read.providers[0].name, "b");
  EXPECT_EQ(read.providers[0].breaker.threshold, 9);
  EXPECT_EQ(read.providers[0].breaker.run_threshold, 2);
  EXPECT_EQ(read.providers[1].breaker.run_threshold, 10);
}

TEST(Load, AWholeNumberIsAShareToo) {
  EXPECT_EQ(settings("[breaker]\nfailure_rate = 1").breaker.failure_rate, 1.0);
  EXPECT_EQ(settings("[breaker]\nfailure_rate = 0").breaker.failure_rate, 0.0);
}

TEST(Load, UnknownKeysAreRefusedWithTheNearestValidOne) {
  EXPECT_EQ(refusal("[breaker]\nwindw = \"3s\""),
            "test.toml:2:1: unknown key `windw` in [breaker]: did you mean `window`?");
  EXPECT_THAT(refusal("[batch]\nmax-wait = \"3s\""), HasSubstr("did you mean `max_wait`?"));
  EXPECT_THAT(refusal("[store]\nUrl = \"memory:\""),
              HasSubstr("unknown key `Url` in [store]: did you mean `url`?"));
  EXPECT_THAT(
      refusal("[breker]\nwindow = \"3s\""),
      HasSubstr("test.toml:1:2: unknown table `breker` at the top of the file: did you mean `breaker`?"));
  EXPECT_THAT(refusal("[[providers]]\nkind = \"gazetteer\""),
              HasSubstr("unknown table `providers` at the top of the file: did you mean `provider`?"));
  EXPECT_THAT(
      refusal(provider("max_concurency = 3")),
      HasSubstr("unknown key `max_concurency` in provider \"nominatim\": did you mean `max_concurrency`?"));
  EXPECT_THAT(refusal(provider("retry = { atempts = 3 }")),
              HasSubstr("unknown key `atempts` in provider \"nominatim\", retry: did you mean `attempts`?"));
  EXPECT_THAT(
      refusal(provider("breaker = { treshold = 3 }")),
      HasSubstr("unknown key `treshold` in provider \"nominatim\", breaker: did you mean `threshold`?"));
  EXPECT_THAT(refusal(provider("brekaer = { threshold = 3 }")), HasSubstr("did you mean `breaker`?"));
}

TEST(Load, AKeyOfAnotherTableIsSentThere) {
  EXPECT_THAT(refusal(provider("attempts = 3")), HasSubstr("did you mean `provider.retry.attempts`?"));
  EXPECT_THAT(refusal("window = \"3s\""),
              HasSubstr("did you mean `breaker.window` or `provider.breaker.window`?"));
  EXPECT_THAT(refusal("wndow = \"3s\""), HasSubstr("did you mean `breaker.window`"));
}

TEST(Load, AKeyLikeNoneIsAnsweredWithTheList) {
  EXPECT_THAT(refusal("[store]\nxyzzy = 1"),
              HasSubstr("unknown key `xyzzy` in [store]: allowed is url, timeout, prefix"));
  EXPECT_THAT(refusal("xyzzy = 1"), HasSubstr("allowed is store, breaker, batch, provider"));
  EXPECT_THAT(refusal("[store]\n\"a\\nb\" = 1"), HasSubstr("unknown key `a\\nb` in [store]"));
}

TEST(Load, WrongTypesAreNamed) {
  EXPECT_EQ(
      refusal("[breaker]\nwindow = 5"),
      "test.toml:2:10: `window` in [breaker]: expected a string with a unit such as \"2s\", found integer 5");
  EXPECT_THAT(refusal("[breaker]\nwindow = 1.5"), HasSubstr("found number 1.5"));
  EXPECT_THAT(refusal("[breaker]\nwindow = true"), HasSubstr("found boolean true"));
  EXPECT_THAT(refusal("[breaker]\nwindow = []"), HasSubstr("found a list"));
  EXPECT_THAT(refusal("[breaker]\nwindow = {}"), HasSubstr("found a table"));
  EXPECT_THAT(refusal("[breaker]\nwindow = 2020-01-01"), HasSubstr("found a date or time"));
  EXPECT_THAT(refusal("[breaker]\nthreshold = \"5\""),
              HasSubstr("expected a whole number, found string \"5\""));
  EXPECT_THAT(refusal("[breaker]\nthreshold = 5.0"), HasSubstr("expected a whole number, found number 5.0"));
  EXPECT_THAT(refusal("[breaker]\nfailure_rate = \"20%\""),
              HasSubstr("expected a number, found string \"20%\""));
  EXPECT_THAT(refusal("[store]\nurl = 6379"), HasSubstr("expected a string, found integer 6379"));
  EXPECT_THAT(refusal(provider("rate = 50")),
              HasSubstr("expected a string such as \"50/s\", found integer 50"));
  EXPECT_THAT(refusal(provider("accept = 5")), HasSubstr("expected one of the strings rooftop, "));
  EXPECT_THAT(refusal(provider("retry = 2")),
              HasSubstr("test.toml:4:9: provider \"nominatim\", retry: expected a table"));
  EXPECT_THAT(refusal("store = \"memory:\""), HasSubstr("[store]: expected a table such as { url = ... }"));
  EXPECT_THAT(refusal("[provider]\nkind = \"gazetteer\""),
              HasSubstr("[provider] must be written [[provider]]"));
  EXPECT_THAT(refusal("provider = \"gazetteer\""),
              HasSubstr("expected tables headed [[provider]], found string"));
  EXPECT_THAT(refusal("provider = [\"gazetteer\"]"), HasSubstr("test.toml:1:13: "));
}

TEST(Load, WordsOutOfTheListAreRefusedWithTheNearest) {
  EXPECT_EQ(refusal("[batch]\non_skip = \"wiat\""),
            "test.toml:2:11: `on_skip` in [batch] is \"wiat\": allowed is one of wait, next; did you mean "
            "\"wait\"?");
  EXPECT_THAT(refusal("[batch]\naccept = \"stret\""), HasSubstr("did you mean \"street\"?"));
  EXPECT_THAT(refusal("[batch]\naccept = \"unknown\""),
              HasSubstr("is \"unknown\": allowed is one of rooftop"));
  EXPECT_THAT(
      refusal("[[provider]]\nkind = \"nominatm\""),
      HasSubstr("unknown kind \"nominatm\": allowed is `nominatim`, `gazetteer`; did you mean `nominatim`?"));
}

TEST(Load, AllFaultsAreToldAtOnceInTheOrderOfTheFile) {
  const std::string told = refusal(R"([store]
timeout = "0"
[breaker]
windw = "3s"
threshold = 0
base_cooldown = "10x"
[[provider]]
kind = "nominatim"
retry = { attempts = 0 }
rate = 5
)");
  EXPECT_EQ(
      told,
      "test.toml:2:11: `timeout` in [store] is 0: allowed is 1ms to 10s\n"
      "test.toml:4:1: unknown key `windw` in [breaker]: did you mean `window`?\n"
      "test.toml:5:13: `threshold` in [breaker] is 0: allowed is 1 or more\n"
      "test.toml:6:17: `base_cooldown` in [breaker]: \"10x\" has the unknown unit \"x\": allowed is a number "
      "with one of the units us, ms, s, m, h, d, such as \"500ms\"\n"
      "test.toml:7:1: `url` in provider \"nominatim\" is missing: kind `nominatim` needs the URL of its "
      "server, "
      "such as \"http://localhost:8080\"\n"
      "test.toml:9:22: `attempts` in provider \"nominatim\", retry is 0: allowed is 1 to 20\n"
      "test.toml:10:8: `rate` in provider \"nominatim\": expected a string such as \"50/s\", found integer "
      "5");
}

TEST(Load, AFaultOfTheSharedBreakerIsToldOnce) {
  const std::string told =
      refusal("[breaker]\nthreshold = 0\n" + provider("") + "[[provider]]\nkind = \"gazetteer\"");
  EXPECT_EQ(told, "test.toml:2:13: `threshold` in [breaker] is 0: allowed is 1 or more");
}

TEST(Load, AnOverrideThatContradictsWhatItInheritsIsAFault) {
  EXPECT_THAT(
      refusal("[breaker]\nbase_cooldown = \"2m\"\n" + provider("breaker = { max_cooldown = \"1m\" }")),
      AllOf(StartsWith("test.toml:6:28: `max_cooldown` in provider \"nominatim\", breaker is 60s"),
            HasSubstr("base_cooldown")));
}

TEST(Load, NoTomlIsToldWithItsPlace) {
  EXPECT_THAT(refusal("[store\n"), StartsWith("test.toml:1:"));
  EXPECT_THAT(refusal("[store]\nurl = \"memory:\"\nurl = \"memory:\"\n"), StartsWith("test.toml:3:"));
  EXPECT_THAT(refusal("[store]\nprefix = \"\xFF\"\n"), StartsWith("test.toml:2:"));
  EXPECT_THAT(refusal("[breaker]\nthreshold = 99999999999999999999999\n"), HasSubstr("no TOML"));
}

TEST(Load, HidesSecretsWhereverTheyStand) {
  for (const char* text :
       {"[store]\nurl = \"redis://ann:hunter2@h/x\"", "[store]\nurl = \"redis://:hunter2@h",
        "[store]\npassword = \"hunter2\"", "[store]\ntimeout = \"redis://ann:hunter2@h\"",
        "[store]\nurl = [\"redis://ann:hunter2@h\"]",
        "[[provider]]\nkind = \"nominatim\"\nurl = \"https://ann:hunter2@h\"",
        "[[provider]]\nkind = \"nominatim\"\nurl = \"https://h/?key=hunter2\"",
        "[[provider]]\nkind = \"https://ann:hunter2@h\""}) {
    EXPECT_THAT(refusal(text), Not(HasSubstr("hunter2"))) << text;
  }
}

TEST(Load, AByteOrderMarkAndCrLfAreNoFault) {
  EXPECT_EQ(settings("\xEF\xBB\xBF[breaker]\r\nthreshold = 6\r\n").breaker.threshold, 6);
}

TEST(Load, AMalformedHeaderIsASyntaxErrorWithItsPlace) {
  for (const char* text : {"\n[?store]", "\n[[[provider]]]", "\n[[=", "\n[[\"", "\n[ü]"}) {
    EXPECT_THAT(refusal(text), AllOf(StartsWith("test.toml:2:"), HasSubstr("no TOML"))) << text;
  }
}

TEST(Load, NoTextCrashesIt) {
  const std::string nested = "a = " + std::string(100'000, '[');
  EXPECT_THAT(refusal(nested), HasSubstr("no TOML"));
  EXPECT_THAT(refusal(std::string_view("\0\0\0", 3)), HasSubstr("no TOML"));
}

class LoadFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "geobreaker-config-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  std::filesystem::path folder_;
};

TEST_F(LoadFile, ReadsItAndNamesItInFaults) {
  const auto good = load_settings(file("good.toml", "[breaker]\nthreshold = 6\n"));
  ASSERT_TRUE(good);
  EXPECT_EQ(good->breaker.threshold, 6);
  const std::string path = file("bad.toml", "[breaker]\nthreshold = 0\n");
  const auto bad = load_settings(path);
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().detail, StartsWith(path + ":2:13: `threshold`"));
}

TEST_F(LoadFile, WhatCannotBeReadIsToldWithTheReason) {
  const auto none = load_settings((folder_ / "none.toml").string());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, Errc::unreadable);
  EXPECT_THAT(none.error().detail, AllOf(HasSubstr("none.toml"), HasSubstr("No such file")));
  const auto directory = load_settings(folder_.string());
  ASSERT_FALSE(directory);
  EXPECT_THAT(directory.error().detail, HasSubstr("Is a directory"));
  const auto huge = load_settings(file("huge.toml", std::string((1U << 20U) + 1, '#')));
  ASSERT_FALSE(huge);
  EXPECT_THAT(huge.error().detail, HasSubstr("larger than 1 MiB"));
}

}  // namespace
}  // namespace geobreaker::config
