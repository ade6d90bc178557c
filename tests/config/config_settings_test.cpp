#include "config/check.hpp"
#include "config/fingerprint.hpp"
#include "config/load.hpp"
#include "config/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace geobreaker::config {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

ProviderSettings flag(std::string_view text, std::span<const ProviderSettings> existing = {}) {
  auto read = provider_from_flag(text, existing);
  EXPECT_TRUE(read) << text << ": " << (read ? "" : read.error().detail);
  return read ? *std::move(read) : ProviderSettings{};
}

std::string refusal(std::string_view text) {
  const auto read = provider_from_flag(text);
  EXPECT_FALSE(read) << text;
  return read ? "" : read.error().detail;
}

TEST(DefaultSettings, AreTheGazetteerAloneInMemoryAndValid) {
  const Settings settings = default_settings();
  ASSERT_EQ(settings.providers.size(), 1U);
  EXPECT_EQ(settings.providers[0].kind, "gazetteer");
  EXPECT_EQ(settings.store.url, "memory:");
  EXPECT_THAT(faults(settings), IsEmpty());
  EXPECT_THAT(warnings(settings), IsEmpty());
}

TEST(ProviderFlag, IsAKindWithAUrlWhereItNeedsOne) {
  const ProviderSettings own = flag("nominatim=http://localhost:8080");
  EXPECT_EQ(own.kind, "nominatim");
  EXPECT_EQ(own.name, "nominatim");
  EXPECT_EQ(own.url, "http://localhost:8080");
  EXPECT_EQ(own.timeout, 10s);
  EXPECT_EQ(own.retry.attempts, 2);
  EXPECT_EQ(flag("gazetteer").name, "gazetteer");
}

TEST(ProviderFlag, ASecondOneOfAKindGetsANumber) {
  std::vector<ProviderSettings> chain;
  for (int i = 0; i < 3; ++i) chain.push_back(flag("nominatim=http://h", chain));
  EXPECT_EQ(chain[0].name, "nominatim");
  EXPECT_EQ(chain[1].name, "nominatim-2");
  EXPECT_EQ(chain[2].name, "nominatim-3");
  EXPECT_EQ(flag("gazetteer", chain).name, "gazetteer");
}

TEST(ProviderFlag, TakesTheBreakerThatItIsGiven) {
  BreakerConfig breaker;
  breaker.threshold = 9;
  EXPECT_EQ(provider_from_flag("gazetteer", {}, breaker)->breaker.threshold, 9);
}

TEST(ProviderFlag, RefusalsSayWhatIsAllowed) {
  EXPECT_THAT(refusal("nominatm=http://h"),
              AllOf(HasSubstr("unknown kind \"nominatm\""), HasSubstr("did you mean `nominatim`")));
  EXPECT_THAT(refusal(""), HasSubstr("allowed is `nominatim`, `gazetteer`"));
  EXPECT_THAT(refusal("http://h"), HasSubstr("allowed is `nominatim`, `gazetteer`"));
  EXPECT_THAT(refusal("nominatim"), HasSubstr("--provider nominatim=http://localhost:8080"));
  EXPECT_THAT(refusal("nominatim="), HasSubstr("needs the URL"));
  EXPECT_THAT(refusal("gazetteer=http://h"), HasSubstr("takes no URL; write --provider gazetteer"));
  EXPECT_THAT(refusal("gazetteer="), HasSubstr("takes no URL"));
  EXPECT_THAT(refusal("nominatim=localhost:8080"), HasSubstr("has no scheme"));
  EXPECT_THAT(refusal("nominatim=http://u:hunter2@h"),
              AllOf(HasSubstr("a user or a password"), Not(HasSubstr("hunter2"))));
  EXPECT_THAT(refusal("nominatm=http://u:hunter2@h"), Not(HasSubstr("hunter2")));
}

TEST(Lease, UnsetCoversTheWaitTheCallAndASecond) {
  ProviderSettings provider = flag("nominatim=http://h");
  EXPECT_EQ(effective_breaker(provider).probe_lease, 11s);
  provider.timeout = 2s;
  EXPECT_EQ(effective_breaker(provider).probe_lease, 10s) << "never under 10 s";
  provider.timeout = 30s;
  EXPECT_EQ(effective_breaker(provider).probe_lease, 31s);
  provider.rate = Rate{1, 1s};
  provider.max_concurrency = 4;
  EXPECT_EQ(limiter_wait(provider), 4s);
  EXPECT_EQ(effective_breaker(provider).probe_lease, 35s);
  provider.breaker.probe_lease = 60s;
  EXPECT_EQ(effective_breaker(provider).probe_lease, 60s) << "one that was set stays";
}

TEST(Lease, IsValidForTheSlowestRateToo) {
  ProviderSettings provider = flag("nominatim=http://h");
  provider.rate = Rate{0.0001, 24h};
  provider.max_concurrency = 10'000;
  provider.timeout = 1h;
  EXPECT_THAT(geobreaker::faults(effective_breaker(provider)), IsEmpty());
}

TEST(LongestCall, SumsAttemptsAndBackOffs) {
  ProviderSettings provider = flag("nominatim=http://h");
  EXPECT_EQ(longest_call(provider), 20s + 200ms);
  provider.retry.attempts = 1;
  EXPECT_EQ(longest_call(provider), 10s);
  provider.retry = {5, 1s, 3s};
  EXPECT_EQ(longest_call(provider), 50s + 1s + 2s + 3s + 3s);
  provider.timeout = longest_duration;
  provider.retry = {2'000'000'000, longest_duration, longest_duration};
  EXPECT_EQ(longest_call(provider), longest_duration) << "no overflow";
}

TEST(Faults, AreFoundInSettingsThatNoFileGave) {
  Settings settings = default_settings();
  settings.providers.push_back(flag("nominatim=http://h"));
  settings.providers.push_back(settings.providers.back());
  settings.providers[1].rate = Rate{std::numeric_limits<double>::quiet_NaN(), 1s};
  settings.batch.concurrency = 0;
  settings.batch.accept = Precision::unknown;
  settings.breaker.failure_rate = std::nan("");
  std::vector<std::string> keys;
  for (const Fault& fault : faults(settings)) keys.push_back(fault.at);
  EXPECT_THAT(keys, testing::UnorderedElementsAre("breaker.failure_rate", "batch.concurrency", "batch.accept",
                                                  "provider.2.rate", "provider.3.name"));
  settings.providers.clear();
  EXPECT_THAT(faults(settings), Contains(testing::Field(&Fault::text, HasSubstr("there is no provider"))));
}

TEST(Faults, ANameIsTakenOnce) {
  const auto read = parse_settings(
      "[[provider]]\nkind = \"gazetteer\"\n[[provider]]\nkind = \"nominatim\"\nurl = \"http://h\"\nname = "
      "\"gazetteer\"",
      "f");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().detail,
            "f:6:8: `name` in [[provider]] number 2 is \"gazetteer\", as an earlier one: allowed is a name "
            "that no other "
            "provider has");
}

TEST(Faults, AKindTakesOnlyWhatItUses) {
  const auto read = parse_settings(
      "[[provider]]\nkind = \"gazetteer\"\nurl = \"http://h\"\ncontact = \"x\"\nlanguage = \"de\"", "f");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().detail, AllOf(HasSubstr("f:3:7: `url` in provider \"gazetteer\" is not allowed"),
                                         HasSubstr("f:4:11: `contact`"), HasSubstr("f:5:12: `language`")));
}

std::string value_of(const std::vector<NamedValue>& values, std::string_view name) {
  const auto found =
      std::find_if(values.begin(), values.end(), [name](const auto& v) { return v.name == name; });
  return found == values.end() ? "(absent)" : found->value;
}

TEST(Fingerprint, NamesEveryEffectiveValueButNoSecretAndNoContact) {
  Settings settings = default_settings();
  settings.store.url = "redis://ann:hunter2@h:6379/1";
  settings.providers.insert(settings.providers.begin(), flag("nominatim=http://h"));
  settings.providers[0].contact = "ann@example.org";
  settings.providers[0].rate = Rate{50, 1s};
  const auto values = fingerprint(settings);
  EXPECT_EQ(value_of(values, "store.url"), "redis://***@h:6379/1");
  EXPECT_EQ(value_of(values, "provider.1.url"), "http://h");
  EXPECT_EQ(value_of(values, "provider.1.rate"), "50/s");
  EXPECT_EQ(value_of(values, "provider.1.accept"), "");
  EXPECT_EQ(value_of(values, "provider.1.retry.attempts"), "2");
  EXPECT_EQ(value_of(values, "provider.2.name"), "gazetteer");
  EXPECT_EQ(value_of(values, "provider.2.breaker.window"), "1m");
  EXPECT_EQ(value_of(values, "batch.on_skip"), "wait");
  for (const NamedValue& value : values) {
    EXPECT_THAT(value.value, AllOf(Not(HasSubstr("hunter2")), Not(HasSubstr("ann@example.org"))))
        << value.name;
  }
}

TEST(Fingerprint, IsStableAndSaysWhatChanged) {
  const Settings before = *parse_settings("[batch]\non_skip = \"wait\"", "f");
  const Settings after = *parse_settings("[batch]\non_skip = \"next\"\n[store]\ntimeout = \"20ms\"", "g");
  EXPECT_EQ(fingerprint(before), fingerprint(default_settings()));
  const auto a = fingerprint(before);
  const auto b = fingerprint(after);
  ASSERT_EQ(a.size(), b.size());
  std::vector<std::string> changed;
  std::vector<std::string> deciding;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].name, b[i].name);
    if (a[i] == b[i]) continue;
    changed.push_back(a[i].name);
    if (a[i].decides_answer) deciding.push_back(a[i].name);
  }
  EXPECT_THAT(changed, testing::UnorderedElementsAre("batch.on_skip", "store.timeout"));
  EXPECT_THAT(deciding, testing::ElementsAre("batch.on_skip"));
}

}  // namespace
}  // namespace geobreaker::config
