// Every knob, by the tables that the reader itself uses: no number or duration gets through unchecked.
#include "config/keys.hpp"
#include "config/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace geobreaker::config {
namespace {

using testing::AllOf;
using testing::HasSubstr;

enum class Type { whole, share, duration, rate, word };

struct Knob {
  std::string path;  // as in known_keys()
  Type type;
};

template <class Values>
void append(std::vector<Knob>& knobs, const std::string& table, std::span<const Key<Values>> keys) {
  for (const auto& key : keys) {
    const Type type = std::visit(
        [](auto member) {
          using Value = std::remove_cvref_t<decltype(std::declval<Values>().*member)>;
          if constexpr (std::is_same_v<Value, int>) return Type::whole;
          if constexpr (std::is_same_v<Value, double>) return Type::share;
          if constexpr (std::is_same_v<Value, Micros> || std::is_same_v<Value, std::optional<Micros>>)
            return Type::duration;
          if constexpr (std::is_same_v<Value, std::optional<Rate>>) return Type::rate;
          return Type::word;
        },
        key.member);
    knobs.push_back({table + "." + std::string(key.name), type});
  }
}

std::vector<Knob> all_knobs() {
  std::vector<Knob> knobs;
  append(knobs, "store", store_keys());
  append(knobs, "breaker", breaker_keys());
  append(knobs, "batch", batch_keys());
  append(knobs, "provider", provider_keys());
  append(knobs, "provider.retry", retry_keys());
  append(knobs, "provider.breaker", breaker_keys());
  return knobs;
}

std::string file_with(const std::string& path, const std::string& value) {
  const auto dot = path.rfind('.');
  const std::string table = path.substr(0, dot);
  const std::string line = path.substr(dot + 1) + " = " + value;
  std::string provider = "[[provider]]\n";
  for (const char* needed : {"kind = \"nominatim\"\n", "url = \"http://h\"\n"}) {
    if (!std::string_view(needed).starts_with(path.substr(dot + 1) + " =")) provider += needed;
  }
  if (table == "provider") return provider + line + "\n";
  if (table.starts_with("provider.")) return provider + table.substr(9) + " = { " + line + " }\n";
  return "[" + table + "]\n" + line + "\n";
}

void expect_refused(const Knob& knob, const std::string& value) {
  const auto read = parse_settings(file_with(knob.path, value), "f");
  EXPECT_FALSE(read) << knob.path << " = " << value << " was accepted";
  if (read) return;
  EXPECT_THAT(read.error().detail,
              AllOf(HasSubstr("`" + knob.path.substr(knob.path.rfind('.') + 1) + "`"), HasSubstr("f:"),
                    testing::AnyOf(HasSubstr("allowed is"), HasSubstr("expected"))))
      << knob.path << " = " << value;
}

void expect_accepted(const Knob& knob, const std::string& value) {
  const auto read = parse_settings(file_with(knob.path, value), "f");
  EXPECT_TRUE(read) << knob.path << " = " << value << ": " << (read ? "" : read.error().detail);
}

const std::set<std::string>& zero_means_something() {
  static const std::set<std::string> names{"failure_rate", "slow_call", "flap_guard", "flush_interval",
                                           "max_wait"};
  return names;
}

bool may_be_zero(const Knob& knob) {
  return zero_means_something().contains(knob.path.substr(knob.path.rfind('.') + 1));
}

TEST(Limits, EveryWholeNumberRefusesWhatIsNone) {
  for (const Knob& knob : all_knobs()) {
    if (knob.type != Type::whole) continue;
    for (const char* value :
         {"0", "-1", "nan", "inf", "-inf", "1.5", "\"5\"", "-9223372036854775808", "9223372036854775807"}) {
      expect_refused(knob, value);
    }
    expect_accepted(knob, "3");
  }
}

TEST(Limits, EveryDurationRefusesWhatIsNone) {
  for (const Knob& knob : all_knobs()) {
    if (knob.type != Type::duration) continue;
    for (const char* value : {"\"-1s\"", "\"nan\"", "\"inf\"", "nan", "inf", "-inf", "5", "-1", "0", "\"5\"",
                              "\"\"", "\"9000d\"", "\"999999999999999999999d\""}) {
      expect_refused(knob, value);
    }
    if (may_be_zero(knob)) {
      expect_accepted(knob, "\"0\"");
    } else {
      expect_refused(knob, "\"0\"");
      expect_refused(knob, "\"1us\"");
    }
  }
}

TEST(Limits, TheShareIsFromZeroToOne) {
  for (const Knob& knob : all_knobs()) {
    if (knob.type != Type::share) continue;
    for (const char* value : {"-0.1", "1.1", "nan", "-nan", "inf", "-inf", "-1", "2", "\"0.5\"", "20"}) {
      expect_refused(knob, value);
    }
    for (const char* value : {"0", "0.0", "1", "1.0", "0.2"}) expect_accepted(knob, value);
  }
}

TEST(Limits, EveryRateRefusesWhatIsNone) {
  for (const Knob& knob : all_knobs()) {
    if (knob.type != Type::rate) continue;
    for (const char* value : {"\"0/s\"", "\"-1/s\"", "\"nan/s\"", "\"inf/s\"", "nan", "inf", "0", "50",
                              "\"50\"", "\"\"", "\"2000000/s\""}) {
      expect_refused(knob, value);
    }
    expect_accepted(knob, "\"50/s\"");
  }
}

TEST(Limits, EveryWordRefusesEmptinessOrControlCharacters) {
  for (const Knob& knob : all_knobs()) {
    if (knob.type != Type::word) continue;
    for (const char* value : {"\"a\\u0000b\"", "\"a\\nb\"", "\"a\\u007Fb\"", "7", "nan"})
      expect_refused(knob, value);
  }
}

TEST(Limits, NamesAreFitForTheOutput) {
  const Knob name{"provider.name", Type::word};
  for (const char* bad : {"", "a|b", "a:b", "a=b", " a", "a ", "a\\tb", "a\\u0085b"}) {
    expect_refused(name, "\"" + std::string(bad) + "\"");
  }
  expect_refused(name, "\"" + std::string(65, 'a') + "\"");
  for (const char* good : {"a", "own server", "{a}", "Südost", "名"}) {
    const std::string file = "[[provider]]\nkind = \"gazetteer\"\nname = \"" + std::string(good) + "\"\n";
    const auto read = parse_settings(file, "f");
    ASSERT_TRUE(read) << good << ": " << read.error().detail;
    EXPECT_EQ(read->providers.front().name, good);
  }
}

TEST(Limits, ThePrefixIsVisibleAsciiWithoutBraces) {
  const Knob prefix{"store.prefix", Type::word};
  for (const char* bad : {"", "a b", "{a}", "ü"}) expect_refused(prefix, "\"" + std::string(bad) + "\"");
  expect_refused(prefix, "\"" + std::string(65, 'a') + "\"");
  expect_accepted(prefix, "\"team:cb\"");
}

TEST(Limits, TheLeaseIsLongerThanTheCall) {
  const std::string provider = "[[provider]]\nkind = \"nominatim\"\nurl = \"http://h\"\ntimeout = \"3s\"\n";
  for (const char* lease : {"1s", "3s"}) {
    const auto read = parse_settings(provider + "breaker = { probe_lease = \"" + lease + "\" }", "f");
    ASSERT_FALSE(read) << lease;
    EXPECT_THAT(read.error().detail,
                AllOf(testing::StartsWith("f:5:27: `probe_lease` in provider \"nominatim\", breaker is "),
                      HasSubstr("longer than `timeout` (3s)")));
  }
  EXPECT_TRUE(parse_settings(provider + "breaker = { probe_lease = \"3001ms\" }", "f"));
  EXPECT_FALSE(parse_settings("[breaker]\nprobe_lease = \"2s\"\n" + provider, "f"))
      << "an inherited one as well";
  EXPECT_TRUE(parse_settings(
      "[breaker]\nprobe_lease = \"4s\"\n" + provider + "[[provider]]\nkind = \"gazetteer\"", "f"))
      << "the gazetteer makes no calls that could outlast a lease";
}

TEST(Limits, TheLongTimeOutAloneIsValid) {
  expect_accepted({"provider.timeout", Type::duration}, "\"30s\"");
  expect_accepted({"provider.timeout", Type::duration}, "\"1h\"");
}

}  // namespace
}  // namespace geobreaker::config
