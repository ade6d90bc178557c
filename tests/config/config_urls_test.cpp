#include "config/quote.hpp"
#include "config/urls.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace geobreaker::config {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

StoreAddress address(std::string_view url) {
  const auto read = parse_store_url(url);
  EXPECT_TRUE(read) << url << ": " << (read ? "" : read.error().detail);
  return read ? *read : StoreAddress{};
}

std::string refusal(std::string_view url) {
  const auto read = parse_store_url(url);
  EXPECT_FALSE(read) << url;
  return read ? "" : read.error().detail;
}

TEST(StoreUrl, IsMemoryOrRedis) {
  EXPECT_EQ(address("memory:"), StoreAddress{});
  const StoreAddress plain = address("redis://localhost");
  EXPECT_FALSE(plain.memory);
  EXPECT_EQ(plain.host, "localhost");
  EXPECT_EQ(plain.port, 6379);
  EXPECT_EQ(plain.database, 0);
  EXPECT_TRUE(plain.user.empty() && plain.password.empty());
}

TEST(StoreUrl, MayHaveAPortADatabaseAndCredentials) {
  const StoreAddress full = address("redis://ann:s%40cr%2Fet%3A@10.0.0.7:7000/12");
  EXPECT_EQ(full.user, "ann");
  EXPECT_EQ(full.password, "s@cr/et:");
  EXPECT_EQ(full.host, "10.0.0.7");
  EXPECT_EQ(full.port, 7000);
  EXPECT_EQ(full.database, 12);
  const StoreAddress no_user = address("redis://:pass:word@h/");
  EXPECT_EQ(no_user.user, "");
  EXPECT_EQ(no_user.password, "pass:word");
  EXPECT_EQ(address("redis://[::1]:7000/3").host, "::1");
  EXPECT_EQ(address("redis://[fe80::1]").port, 6379);
}

TEST(StoreUrl, RefusesOthersAndSaysWhatIsAllowed) {
  for (const char* url : {"",
                          "memory",
                          "memory://",
                          "Memory:",
                          "localhost:6379",
                          "http://localhost",
                          "rediss://h",
                          "unix:///run/redis.sock",
                          "redis+sentinel://h",
                          "redis:localhost",
                          "redis://",
                          "redis://:6379",
                          "redis://h:0",
                          "redis://h:65536",
                          "redis://h:port",
                          "redis://h:",
                          "redis://h/x",
                          "redis://h/-1",
                          "redis://h/0/1",
                          "redis://h/65536",
                          "redis://h?db=1",
                          "redis://h#1",
                          "redis:// h",
                          "redis://h\n",
                          "redis://[::1",
                          "redis://[zz::1]",
                          "redis://::1",
                          "redis://[::1]x",
                          "redis://user@h",
                          "redis://user:@h",
                          "redis://u:%zz@h",
                          "redis://u:%4@h"}) {
    EXPECT_THAT(refusal(url), AllOf(HasSubstr("allowed is `memory:` or `redis://"))) << url;
  }
}

TEST(StoreUrl, NeverShowsASecret) {
  for (const char* url :
       {"redis://ann:hunter2@h/x", "redis://:hunter2@h:99999", "redis://ann:hunt@hunter2@h",
        "redis://ann:x/hunter2@h", "redis://ann:hunter2", "redis://:hunter2", "rediss://ann:hunter2@h",
        "ann:hunter2@h:6379", "redis:ann:hunter2@h", "redis://ann:%zzhunter2@h", "redis://h?password=hunter2",
        "redis://h/0#hunter2", "http://ann:hunter2@h", "redis://ann:hunter2@ h"}) {
    EXPECT_THAT(refusal(url), Not(HasSubstr("hunter2"))) << url;
  }
}

TEST(ServerUrl, IsHttpOrHttps) {
  for (const char* url : {"http://localhost:8080", "https://nominatim.example.org", "HTTP://Host/path/",
                          "http://[::1]:80/x", "http://10.0.0.1/nominatim"}) {
    EXPECT_EQ(fault_of_server_url(url), "") << url;
  }
}

TEST(ServerUrl, RefusesOthersWithoutShowingSecrets) {
  for (const char* url :
       {"", "localhost:8080", "ftp://h", "http://", "http:///path", "http://h:0", "http://h:x/y",
        "http://h /", "http://h\t", "http://ann:hunter2@h", "http://h/?key=hunter2", "http://h/#hunter2",
        "ann:hunter2@h", "file:///etc/passwd", "http://a,b"}) {
    EXPECT_THAT(fault_of_server_url(url),
                AllOf(HasSubstr("allowed is `http://host"), Not(HasSubstr("hunter2"))))
        << url;
  }
}

TEST(RedactedUrl, KeepsWhatIsNoSecret) {
  EXPECT_EQ(redacted_url("redis://localhost:6379/0"), "redis://localhost:6379/0");
  EXPECT_EQ(redacted_url("redis://u:p@localhost:6379/0"), "redis://***@localhost:6379/0");
  EXPECT_EQ(redacted_url("http://h:8080/path?key=k"), "http://h:8080/path?***");
  EXPECT_EQ(redacted_url("redis://[::1]:6379"), "redis://[::1]:6379");
  EXPECT_EQ(redacted_url("memory:"), "memory:");
}

TEST(Quoted, StaysOnOneLineAndIsShort) {
  EXPECT_EQ(in_quotes("a\nb\t\x01\"\\"), R"("a\nb\t\x01\"\\")");
  EXPECT_EQ(in_quotes("Zürich"), "\"Zürich\"");
  EXPECT_LE(in_quotes(std::string(10'000, 'x')).size(), 130U);
  const std::string cut = in_quotes(std::string(119, 'x') + "ü and more");
  EXPECT_EQ(cut, "\"" + std::string(119, 'x') + "...\"") << "no character is cut in half";
  EXPECT_THAT(in_quotes("see redis://u:hunter2@h"), Not(HasSubstr("hunter2")));
}

}  // namespace
}  // namespace geobreaker::config
