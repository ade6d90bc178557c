#include "http/canned_server.hpp"
#include "http/client_fixture.hpp"
#include "support/fake_nominatim.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

namespace geobreaker::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

/// A port on which nobody listens.
std::uint16_t closed_port() {
  boost::asio::io_context io;
  const boost::asio::ip::tcp::acceptor acceptor(
      io, boost::asio::ip::tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
  return acceptor.local_endpoint().port();
}

std::string closed_url() { return "http://127.0.0.1:" + std::to_string(closed_port()); }

std::size_t peak_memory_kb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss);
}

/// A gzip stream that unpacks to `repeats` * 2064 zero bytes: eight times "the same again, 258 times" are 13
/// bytes.
std::string zip_bomb(std::size_t repeats) {
  std::string bits;
  const auto put = [&bits](std::string_view code) { bits.append(code); };
  put("1");                                                            // last block
  put("10");                                                           // fixed codes, low bit first
  put("00110000");                                                     // the literal 0
  for (std::size_t i = 0; i < repeats * 8; ++i) put("1100010100000");  // length 258, distance 1
  put("0000000");                                                      // end of the block
  bits.resize((bits.size() + 7) / 8 * 8, '0');
  std::string stream("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
  for (std::size_t i = 0; i < bits.size(); i += 8) {
    unsigned byte = 0;
    for (std::size_t bit = 0; bit < 8; ++bit) byte |= (bits[i + bit] == '1' ? 1U : 0U) << bit;
    stream += static_cast<char>(byte);
  }
  return stream;
}

TEST(HttpFaults, ConnectionRefused) {
  ClientFixture fixture;
  const auto url = closed_url();
  const auto failure = failure_of(fixture.get(url + "/?key=s3cret"));
  EXPECT_EQ(failure.kind, HttpFault::connect);
  EXPECT_THAT(failure.text, HasSubstr(url.substr(7)));
  EXPECT_THAT(failure.text, Not(HasSubstr("s3cret")));
}

TEST(HttpFaults, NameWithoutAddress) {
  ClientFixture fixture;
  HttpRequest request;
  request.url = "http://geobreaker-test.invalid/search?q=x";
  const auto failure = failure_of(fixture.get(request));
  EXPECT_EQ(failure.kind, HttpFault::dns);
  EXPECT_THAT(failure.text, HasSubstr("geobreaker-test.invalid"));
}

TEST(HttpFaults, ConnectionResetBeforeTheAnswer) {
  FakeNominatim::Options resetting;
  resetting.mode = "reset";
  const FakeNominatim server(resetting);
  ClientFixture fixture;
  EXPECT_EQ(failure_of(fixture.get(server.url() + "/search?q=x")).kind, HttpFault::reset);
}

TEST(HttpFaults, ConnectionClosedWithoutAnAnswer) {
  const CannedServer server([](Connection& connection) { connection.read_head(); });
  ClientFixture fixture;
  EXPECT_EQ(failure_of(fixture.get(server.url())).kind, HttpFault::reset);
}

TEST(HttpFaults, BodyShorterThanPromised) {
  FakeNominatim::Options truncating;
  truncating.mode = "truncate";
  const FakeNominatim server(truncating);
  ClientFixture fixture;
  EXPECT_EQ(failure_of(fixture.get(server.url() + "/search?q=x")).kind, HttpFault::truncated);
}

TEST(HttpFaults, ChunkedBodyWithoutItsEnd) {
  const CannedServer server([](Connection& connection) {
    connection.read_head();
    connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nabc");
  });
  ClientFixture fixture;
  EXPECT_EQ(failure_of(fixture.get(server.url())).kind, HttpFault::truncated);
}

TEST(HttpFaults, ResetInTheMiddleOfTheBody) {
  const CannedServer server([](Connection& connection) {
    connection.read_head();
    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc");
    connection.reset_at_close();
  });
  ClientFixture fixture;
  const auto kind = failure_of(fixture.get(server.url())).kind;
  EXPECT_TRUE(kind == HttpFault::reset || kind == HttpFault::truncated) << to_string(kind);
}

TEST(HttpFaults, ABodyOf200MegabytesIsRefusedByItsLength) {
  const CannedServer server([](Connection& connection) {
    connection.read_head();
    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 209715200\r\n\r\n");
    connection.wait_for_close();
  });
  ClientFixture fixture;
  EXPECT_EQ(failure_of(fixture.get(server.url())).kind, HttpFault::body_too_large);
}

TEST(HttpFaults, ABodyOf200MegabytesWithoutALengthIsCutAtTheBound) {
  std::atomic<std::size_t> sent{0};
  const CannedServer server([&sent](Connection& connection) {
    connection.read_head();
    connection.write("HTTP/1.1 200 OK\r\n\r\n");
    const std::string block(1 << 16, ' ');
    while (sent < 209715200 && connection.write(block)) sent += block.size();
  });
  ClientFixture fixture;
  const auto before_kb = peak_memory_kb();
  const auto failure = failure_of(fixture.get(server.url()));
  EXPECT_EQ(failure.kind, HttpFault::body_too_large);
  EXPECT_THAT(failure.text, HasSubstr("1048576 bytes allowed"));
  EXPECT_LT(peak_memory_kb() - before_kb, 20000U);
}

TEST(HttpFaults, AZipBombIsCutAtTheBound) {
  const std::string bomb = zip_bomb(100'000);  // 1.3 MB that want to be 206 MB
  HttpClientOptions options;
  options.body_bytes_max = std::size_t{4} << 20U;
  ClientFixture fixture(options);
  const CannedServer server(CannedServer::always(
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + std::to_string(bomb.size()) +
      "\r\n\r\n" + bomb));
  const auto before_kb = peak_memory_kb();
  EXPECT_EQ(failure_of(fixture.get(server.url())).kind, HttpFault::body_too_large);
  EXPECT_LT(peak_memory_kb() - before_kb, 40000U);
}

TEST(HttpFaults, TheBoundItselfIsAllowed) {
  const CannedServer server(CannedServer::always("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12345"));
  ClientFixture fixture;
  HttpRequest request;
  request.url = server.url();
  request.body_bytes_max = 5;
  EXPECT_EQ(response_of(fixture.get(request)).body, "12345");
  request.body_bytes_max = 4;
  EXPECT_EQ(failure_of(fixture.get(request)).kind, HttpFault::body_too_large);
}

TEST(HttpFaults, HeadersWithoutEnd) {
  const CannedServer server([](Connection& connection) {
    connection.read_head();
    connection.write("HTTP/1.1 200 OK\r\n");
    const std::string line = "X-Filler: " + std::string(1000, 'x') + "\r\n";
    while (connection.write(line)) {
    }
  });
  ClientFixture fixture;
  const auto failure = failure_of(fixture.get(server.url()));
  EXPECT_EQ(failure.kind, HttpFault::body_too_large);
  EXPECT_THAT(failure.text, HasSubstr("headers"));
}

TEST(HttpFaults, AnAnswerThatIsNoHttp) {
  const CannedServer server([](Connection& connection) {
    connection.read_head();
    connection.write("SSH-2.0-OpenSSH_9.2\r\n");
  });
  ClientFixture fixture;
  EXPECT_EQ(failure_of(fixture.get(server.url())).kind, HttpFault::protocol);
}

TEST(HttpFaults, BrokenCompression) {
  const CannedServer server(CannedServer::always(
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 10\r\n\r\nnot zipped"));
  ClientFixture fixture;
  EXPECT_EQ(failure_of(fixture.get(server.url())).kind, HttpFault::protocol);
}

TEST(HttpFaults, HttpsProxyThatIsNotThere) {
  const ScopedVariable proxy("HTTPS_PROXY", closed_url());
  ClientFixture fixture;
  const auto failure = failure_of(fixture.get(std::string("https://geobreaker-test.invalid/?key=s3cret")));
  EXPECT_EQ(failure.kind, HttpFault::proxy);
  EXPECT_THAT(failure.text, Not(HasSubstr("s3cret")));
}

TEST(HttpFaults, HttpsProxyThatRefusesTheTunnel) {
  const CannedServer server(CannedServer::always(
      "HTTP/1.1 407 Proxy Authentication Required\r\nRetry-After: 9\r\nContent-Length: 0\r\n\r\n"));
  const ScopedVariable proxy("https_proxy", "http://me:s3cret@127.0.0.1:" + std::to_string(server.port()));
  ClientFixture fixture;
  const auto failure = failure_of(fixture.get(std::string("https://geobreaker-test.invalid/")));
  EXPECT_EQ(failure.kind, HttpFault::proxy);
  EXPECT_THAT(failure.text, HasSubstr("407"));
  EXPECT_THAT(failure.text, Not(HasSubstr("s3cret")));
  ASSERT_FALSE(server.heads().empty());
  EXPECT_THAT(server.heads()[0], HasSubstr("CONNECT geobreaker-test.invalid:443"));
}

TEST(HttpFaults, PlainHttpGoesThroughItsProxyAndNoProxyIsHonoured) {
  const CannedServer proxy_server(CannedServer::always("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nproxy"));
  const CannedServer server(CannedServer::always("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\ndirect"));
  const ScopedVariable proxy("http_proxy", proxy_server.url());
  {
    ClientFixture fixture;
    EXPECT_EQ(response_of(fixture.get(server.url() + "/x")).body, "proxy");
    ASSERT_FALSE(proxy_server.heads().empty());
    EXPECT_THAT(proxy_server.heads()[0], HasSubstr("GET " + server.url() + "/x HTTP/1.1"));
  }
  const ScopedVariable none("no_proxy", "127.0.0.1");
  ClientFixture fixture;
  EXPECT_EQ(response_of(fixture.get(server.url() + "/x")).body, "direct");
}

}  // namespace
}  // namespace geobreaker::test
