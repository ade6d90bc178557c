// The example is valid, as it is and with everything switched on that is off in it; it and the manual name
// every key.
#include "config/check.hpp"
#include "config/keys.hpp"
#include "config/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace geobreaker::config {
namespace {

std::string contents(const char* path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// With every "#key = value" in force: "#" without a space after it marks a setting that is off.
std::string switched_on(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line); out += line + "\n") {
    if (line.size() > 1 && line[0] == '#' && std::islower(static_cast<unsigned char>(line[1])) != 0)
      line.erase(0, 1);
  }
  return out;
}

/// The keys of a file that is known to be valid, in full: its lines are headers, `key = value` or comments.
std::set<std::string> keys_of(const std::string& text) {
  std::set<std::string> keys;
  std::istringstream lines(text);
  std::string table;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('[')) {
      table = line.substr(line.find_first_not_of('['), line.find(']') - line.find_first_not_of('['));
      continue;
    }
    const auto equals = line.find(" = ");
    if (line.empty() || line[0] == '#' || equals == std::string::npos) continue;
    const std::string key = table + "." + line.substr(0, equals);
    const auto brace = line.find('{', equals);
    if (brace == std::string::npos) {
      keys.insert(key);
      continue;
    }
    std::istringstream parts(line.substr(brace + 1));
    for (std::string part; std::getline(parts, part, ',');) {
      const auto start = part.find_first_not_of(' ');
      keys.insert(key + "." + part.substr(start, part.find(" = ") - start));
    }
  }
  return keys;
}

TEST(Example, IsValidAndWarnsOfNothing) {
  const auto read = load_settings(GEOBREAKER_EXAMPLE);
  ASSERT_TRUE(read) << read.error().detail;
  EXPECT_THAT(warnings(*read), testing::IsEmpty());
  EXPECT_EQ(read->providers.size(), 2U);
}

TEST(Example, IsValidWithEverySettingSwitchedOn) {
  const auto read = parse_settings(switched_on(contents(GEOBREAKER_EXAMPLE)), "all on");
  ASSERT_TRUE(read) << read.error().detail;
  // Of all settings only this one has nothing to do in this version.
  EXPECT_THAT(warnings(*read), testing::Each(testing::HasSubstr("flush_interval has no effect")));
}

TEST(Example, HasEveryKeyAndNoOther) {
  const auto known = known_keys();
  EXPECT_EQ(keys_of(switched_on(contents(GEOBREAKER_EXAMPLE))),
            std::set<std::string>(known.begin(), known.end()));
}

TEST(Example, ShowsTheDefaults) {
  const auto read = load_settings(GEOBREAKER_EXAMPLE);
  ASSERT_TRUE(read);
  const Settings defaults = default_settings();
  EXPECT_EQ(read->store, defaults.store);
  EXPECT_EQ(read->batch, defaults.batch);
  BreakerConfig breaker = defaults.breaker;
  breaker.short_window = breaker.short_window_or_default();
  EXPECT_EQ(read->breaker, breaker);
  EXPECT_EQ(read->providers[0].timeout, ProviderSettings{}.timeout);
  EXPECT_EQ(read->providers[0].max_concurrency, ProviderSettings{}.max_concurrency);
  EXPECT_EQ(read->providers[0].retry, RetrySettings{});
}

TEST(Manual, NamesEveryKey) {
  const std::string manual = contents(GEOBREAKER_MANUAL);
  for (const std::string& key : known_keys()) {
    const std::string row = "| `" + key.substr(key.rfind('.') + 1) + "` |";
    EXPECT_THAT(manual, testing::HasSubstr(row)) << key;
  }
}

}  // namespace
}  // namespace geobreaker::config
