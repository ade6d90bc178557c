#include "http/canned_server.hpp"
#include "http/client_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace geobreaker::test {
namespace {

using testing::HasSubstr;

constexpr auto hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

/// The certificate in a file, for as long as the object lives.
class CaFile {
 public:
  explicit CaFile(const TlsIdentity& identity)
      : path_(std::filesystem::temp_directory_path() /
              ("geobreaker-ca-" + std::to_string(::getpid()) + "-" + std::to_string(next_++) + ".pem")) {
    std::ofstream(path_) << identity.certificate;
  }
  ~CaFile() { std::filesystem::remove(path_); }
  CaFile(const CaFile&) = delete;
  CaFile& operator=(const CaFile&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  static inline int next_ = 0;
  std::filesystem::path path_;
};

HttpResult ask(const CannedServer& server, const std::string& ca_file) {
  HttpClientOptions options;
  options.ca_file = ca_file;
  ClientFixture fixture(options);
  return fixture.get(server.url() + "/?key=s3cret");
}

TEST(HttpTls, ASelfSignedCertificateIsRefusedWithAPlainCause) {
  const CannedServer server(CannedServer::always(hello), make_self_signed({}));
  const auto failure = failure_of(ask(server, {}));
  EXPECT_EQ(failure.kind, HttpFault::tls);
  EXPECT_THAT(failure.text, HasSubstr("localhost:" + std::to_string(server.port())));
  EXPECT_THAT(failure.text, HasSubstr("TLS failed"));
  EXPECT_THAT(failure.text, HasSubstr("self-signed certificate"));
  EXPECT_THAT(failure.text, HasSubstr("ca_file"));
  EXPECT_TRUE(server.heads().empty()) << "nothing was sent to a server that is not trusted";
}

TEST(HttpTls, TheCaFileMakesItTrusted) {
  const auto identity = make_self_signed({});
  const CannedServer server(CannedServer::always(hello), identity);
  const CaFile ca(identity);
  EXPECT_EQ(response_of(ask(server, ca.path())).body, "hello");
}

TEST(HttpTls, ACertificateOfAnotherHostIsRefused) {
  const auto identity = make_self_signed({.host = "other.example", .expired = false});
  const CannedServer server(CannedServer::always(hello), identity);
  const CaFile ca(identity);
  EXPECT_EQ(failure_of(ask(server, ca.path())).kind, HttpFault::tls);
}

TEST(HttpTls, AnExpiredCertificateIsRefused) {
  const auto identity = make_self_signed({.host = "localhost", .expired = true});
  const CannedServer server(CannedServer::always(hello), identity);
  const CaFile ca(identity);
  const auto failure = failure_of(ask(server, ca.path()));
  EXPECT_EQ(failure.kind, HttpFault::tls);
  EXPECT_THAT(failure.text, HasSubstr("expired"));
}

TEST(HttpTls, AServerThatSpeaksPlainHttpOnTheTlsPort) {
  const CannedServer server([](Connection& connection) {
    connection.write("HTTP/1.1 400 Bad Request\r\n\r\n");
    connection.wait_for_close();
  });
  ClientFixture fixture;
  const auto failure = failure_of(fixture.get("https://localhost:" + std::to_string(server.port())));
  EXPECT_EQ(failure.kind, HttpFault::tls);
}

}  // namespace
}  // namespace geobreaker::test
