#include <geobreaker/http/url.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

namespace geobreaker {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(PercentEncode, LeavesTheUnreservedAndNothingElse) {
  EXPECT_EQ(percent_encode("AZaz09-._~"), "AZaz09-._~");
  EXPECT_EQ(percent_encode("# / & ; ? % + ' \""), "%23%20%2F%20%26%20%3B%20%3F%20%25%20%2B%20%27%20%22");
  EXPECT_EQ(percent_encode("Zürich"), "Z%C3%BCrich");
  EXPECT_EQ(percent_encode("東京"), "%E6%9D%B1%E4%BA%AC");
  EXPECT_EQ(percent_encode(std::string("\0\n", 2)), "%00%0A");
  EXPECT_EQ(percent_encode(""), "");
}

TEST(PercentEncode, AnyBytesComeBackByDecoding) {
  const bool held =
      rc::check("encoded text is plain ASCII and decodes to what it was", [](const std::string& text) {
        const std::string encoded = percent_encode(text);
        RC_ASSERT(encoded.find_first_not_of(
                      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%") ==
                  std::string::npos);
        std::string decoded;
        for (std::size_t i = 0; i < encoded.size(); ++i) {
          if (encoded[i] == '%') {
            decoded += static_cast<char>(std::stoi(encoded.substr(i + 1, 2), nullptr, 16));
            i += 2;
          } else {
            decoded += encoded[i];
          }
        }
        RC_ASSERT(decoded == text);
      });
  EXPECT_TRUE(held);
}

TEST(UrlBuilder, EncodesSegmentsNamesAndValues) {
  UrlBuilder url("http://host/base");
  url.path("a/b;c").query("q", "Suite #5 & more").query("k&", "x=y");
  EXPECT_EQ(std::move(url).str(), "http://host/base/a%2Fb%3Bc?q=Suite%20%235%20%26%20more&k%26=x%3Dy");
}

TEST(BaseUrl, IsTakenApart) {
  const auto base = parse_base_url("HTTPS://Example.ORG.:8443/nominatim//");
  ASSERT_TRUE(base) << base.error().detail;
  EXPECT_EQ(base->scheme, "https");
  EXPECT_EQ(base->host, "example.org");
  EXPECT_EQ(base->port, 8443);
  EXPECT_EQ(base->text, "https://Example.ORG.:8443/nominatim");
}

TEST(BaseUrl, KnowsTheUsualPortsAndIpv6) {
  EXPECT_EQ(parse_base_url("http://h")->port, 80);
  EXPECT_EQ(parse_base_url("https://h/")->port, 443);
  const auto v6 = parse_base_url("http://[::1]:8080");
  ASSERT_TRUE(v6);
  EXPECT_EQ(v6->host, "[::1]");
  EXPECT_EQ(v6->port, 8080);
  EXPECT_EQ(parse_base_url("http://[::1]")->port, 80);
}

struct BadUrl {
  const char* url;
  const char* why;
};

class BadBaseUrl : public testing::TestWithParam<BadUrl> {};

TEST_P(BadBaseUrl, IsRefusedWithItsValueTheReasonAndWhatIsAllowed) {
  const auto base = parse_base_url(GetParam().url);
  ASSERT_FALSE(base);
  EXPECT_EQ(base.error().code, Errc::invalid_config);
  EXPECT_THAT(base.error().detail, HasSubstr(GetParam().why));
  EXPECT_THAT(base.error().detail, HasSubstr("allowed is http:// or https://"));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadBaseUrl,
    testing::Values(BadUrl{"", "is empty"}, BadUrl{"localhost:8080", "\"localhost:8080\": has no scheme"},
                    BadUrl{"ftp://host", "\"ftp://host\": its scheme"},
                    BadUrl{"file:///etc/passwd", "scheme"}, BadUrl{"http://a b", "space"},
                    BadUrl{"http://host\n", "control character"}, BadUrl{"http://müller.de", "xn--"},
                    BadUrl{"http://", "no valid host"}, BadUrl{"http://:80", "no valid host"},
                    BadUrl{"http://.", "no valid host"}, BadUrl{"http://a_b!c", "no valid host"},
                    BadUrl{"http://[::1", "host"}, BadUrl{"http://h:0", "port"},
                    BadUrl{"http://h:65536", "port"}, BadUrl{"http://h:", "port"},
                    BadUrl{"http://h:8o", "port"}, BadUrl{"http://h?q=1", "query"},
                    BadUrl{"http://h/#x", "fragment"}, BadUrl{"http://user:pass@host", "user or a password"},
                    BadUrl{"http://host\\@evil", "belongs into none"}));

TEST(BaseUrl, TheRefusalDoesNotRepeatThePassword) {
  const auto base = parse_base_url("https://me:s3cret@host/");
  ASSERT_FALSE(base);
  EXPECT_THAT(base.error().detail, Not(HasSubstr("s3cret")));
  EXPECT_THAT(base.error().detail, HasSubstr("https://host/"));
}

TEST(Redact, HidesTheValueOfEveryAuthParameter) {
  const std::vector<std::string> names{"key",   "apiKey", "api_key",  "access_token",     "access_key",
                                       "token", "app_id", "app_code", "subscription-key", "signature",
                                       "client"};
  for (const auto& name : names) {
    EXPECT_EQ(redact("https://h/p?q=a&" + name + "=s3cret%2F%2B&z=1"),
              "https://h/p?q=a&" + name + "=***&z=1");
    EXPECT_EQ(redact("GET failed: https://h/?" + name + "=s3cret"),
              "GET failed: https://h/?" + name + "=***");
  }
}

TEST(Redact, LeavesOtherParametersAlone) {
  EXPECT_EQ(redact("http://h/search?q=key&monkey=1&format=json"),
            "http://h/search?q=key&monkey=1&format=json");
  EXPECT_EQ(redact("no url = here"), "no url = here");
  EXPECT_EQ(redact(""), "");
}

TEST(Redact, HidesSeveralAndStopsAtTheWordsEnd) {
  EXPECT_EQ(redact("a?key=1#f b?TOKEN=2 c"), "a?key=***#f b?TOKEN=*** c");
  EXPECT_EQ(redact("?key=a=b=c&q=1"), "?key=***&q=1");
  EXPECT_EQ(redact("?key="), "?key=***");
}

TEST(Redact, TakesOutUserAndPassword) {
  EXPECT_EQ(redact("http://me:p@ss/w@rd@host/x"), "http://host/x");
  EXPECT_EQ(redact("proxy http://u:p@proxy:3128 failed, see https://h/?mail=a@b"),
            "proxy http://proxy:3128 failed, see https://h/?mail=a@b");
}

TEST(Redact, NeverLetsAKeyThrough) {
  const bool held = rc::check("the key is gone, whatever stands around it", [] {
    const auto around = rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab:/?&=# @.\"'%\n")));
    const std::string key =
        "S3CR3T" + *rc::gen::container<std::string>(rc::gen::elementOf(std::string("%/+=.;:@")));
    const std::string text = *around + "&key=" + key + '&' + *around;
    RC_ASSERT(redact(text).find("S3CR3T") == std::string::npos);
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace geobreaker
