#include "http/canned_server.hpp"
#include "http/client_fixture.hpp"
#include "support/fake_nominatim.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <thread>

namespace geobreaker::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

constexpr auto patience = 60s;

HttpRequest request_to(const std::string& url) {
  HttpRequest request;
  request.url = url;
  return request;
}

TEST(HttpClient, BringsStatusHeadersAndBody) {
  const CannedServer server(
      CannedServer::always("HTTP/1.1 429 Slow Down\r\nContent-Type: text/html\r\nRETRY-AFTER:  7 \r\n"
                           "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 3\r\n\r\nabc"));
  ClientFixture fixture;
  const auto response = response_of(fixture.get(server.url() + "/x"));
  EXPECT_EQ(response.status, 429);
  EXPECT_EQ(response.content_type, "text/html");
  EXPECT_EQ(response.retry_after, "7");
  EXPECT_EQ(response.date, "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(response.body, "abc");
}

TEST(HttpClient, SendsUserAgentAndHeaders) {
  const CannedServer server(CannedServer::always("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
  HttpClientOptions options;
  options.user_agent = "client/1";
  ClientFixture fixture(options);
  auto request = request_to(server.url() + "/a?b=c");
  request.headers.emplace_back("X-Key", "v");
  response_of(fixture.get(request));
  request.user_agent = "mine/2 (me@example.org)";
  request.headers.clear();
  response_of(fixture.get(request));
  const auto heads = server.heads();
  ASSERT_EQ(heads.size(), 2U);
  EXPECT_THAT(heads[0], HasSubstr("GET /a?b=c HTTP/1.1\r\n"));
  EXPECT_THAT(heads[0], HasSubstr("User-Agent: client/1\r\n"));
  EXPECT_THAT(heads[0], HasSubstr("X-Key: v\r\n"));
  EXPECT_THAT(heads[0], HasSubstr("gzip"));
  EXPECT_THAT(heads[1], HasSubstr("User-Agent: mine/2 (me@example.org)\r\n"));
  EXPECT_THAT(heads[1], Not(HasSubstr("X-Key")));
}

TEST(HttpClient, KeepsConnections) {
  FakeNominatim server;
  ClientFixture fixture;
  for (int i = 0; i < 20; ++i) response_of(fixture.get(server.url() + "/search?q=x"));
  EXPECT_EQ(server.stats().requests, 20U);
  EXPECT_EQ(server.stats().connections, 1U);
}

TEST(HttpClient, OfManyRequestsEachGetsItsOwnAnswer) {
  FakeNominatim server;
  ClientFixture fixture;
  constexpr std::size_t count = 500;
  std::size_t good = 0;
  for (std::size_t i = 0; i < count; ++i) {
    boost::asio::co_spawn(fixture.io,
                          fixture.client->get(request_to(server.url() + "/search?q=" + std::to_string(i))),
                          [&good, i](const std::exception_ptr&, const HttpResult& result) {
                            const auto label = "\"display_name\":\"" + std::to_string(i) + '"';
                            good += response_of(result).body.find(label) != std::string::npos ? 1U : 0U;
                          });
  }
  fixture.io.run();
  EXPECT_EQ(good, count);
  EXPECT_EQ(fixture.client->in_flight(), 0U);
}

TEST(HttpClient, DoesNotFollowRedirects) {
  const CannedServer other(CannedServer::always("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
  const CannedServer server(CannedServer::always("HTTP/1.1 302 Found\r\nLocation: " + other.url() +
                                                 "/stolen\r\nContent-Length: 0\r\n\r\n"));
  ClientFixture fixture;
  const auto response = response_of(fixture.get(server.url() + "/?key=s3cret"));
  EXPECT_EQ(response.status, 302);
  EXPECT_EQ(response.location, other.url() + "/stolen");
  EXPECT_TRUE(other.heads().empty());
}

TEST(HttpClient, ReadsChunkedBodiesAndInterimAnswers) {
  const CannedServer server(CannedServer::always(
      "HTTP/1.1 103 Early Hints\r\nRetry-After: 99\r\n\r\n"
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"));
  ClientFixture fixture;
  const auto response = response_of(fixture.get(server.url()));
  EXPECT_EQ(response.body, "abcde");
  EXPECT_EQ(response.retry_after, "") << "an interim answer's headers are not the answer's";
}

TEST(HttpClient, UndoesCompression) {
  static constexpr unsigned char zipped[] = {0x1f, 0x8b, 0x08, 0,    0,    0,    0,    0, 0,
                                             0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0, 0x86,
                                             0xa6, 0x10, 0x36, 0x05, 0,    0,    0};
  const std::string body(std::begin(zipped), std::end(zipped));
  const CannedServer server(CannedServer::always(
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + std::to_string(body.size()) +
      "\r\n\r\n" + body));
  ClientFixture fixture;
  EXPECT_EQ(response_of(fixture.get(server.url())).body, "hello");
}

TEST(HttpClient, GivesUpAtTheTimeout) {
  FakeNominatim::Options hanging;
  hanging.mode = "hang";
  const FakeNominatim server(hanging);
  ClientFixture fixture;
  auto request = request_to(server.url() + "/search?q=x&key=s3cret");
  request.timeout = 60ms;
  const auto began = std::chrono::steady_clock::now();
  const auto failure = failure_of(fixture.get(request));
  const auto took = std::chrono::steady_clock::now() - began;
  EXPECT_EQ(failure.kind, HttpFault::timeout);
  EXPECT_THAT(failure.text, Not(HasSubstr("s3cret")));
  EXPECT_GE(took, 60ms);
  EXPECT_LT(took, patience);
  EXPECT_TRUE(server.wait_until_quiet(patience)) << "the connection was dropped";
}

TEST(HttpClient, CancellationTakesTheRequestOffTheWireAtOnce) {
  FakeNominatim::Options hanging;
  hanging.mode = "hang";
  const FakeNominatim server(hanging);
  ClientFixture fixture;
  boost::asio::cancellation_signal signal;
  std::optional<HttpResult> result;
  boost::asio::co_spawn(
      fixture.io, fixture.client->get(request_to(server.url() + "/search?q=x")),
      boost::asio::bind_cancellation_slot(
          signal.slot(), [&](const std::exception_ptr&, HttpResult got) { result = std::move(got); }));
  std::thread canceller([&] {
    EXPECT_TRUE(server.wait_for_requests(1, patience));
    boost::asio::post(fixture.io, [&] {
      EXPECT_EQ(fixture.client->in_flight(), 1U);
      signal.emit(boost::asio::cancellation_type::terminal);
      EXPECT_EQ(fixture.client->in_flight(), 0U);
    });
  });
  fixture.io.run();
  canceller.join();
  ASSERT_TRUE(result);
  EXPECT_EQ(failure_of(*result).kind, HttpFault::cancelled);
  EXPECT_TRUE(server.wait_until_quiet(patience)) << "the connection was closed";
}

TEST(HttpClient, ACancellationThatComesAfterTheEndHitsNobody) {
  FakeNominatim server;
  ClientFixture fixture;
  boost::asio::cancellation_signal signal;
  boost::asio::co_spawn(fixture.io, fixture.client->get(request_to(server.url() + "/search?q=first")),
                        boost::asio::bind_cancellation_slot(
                            signal.slot(), [](const std::exception_ptr&, const HttpResult&) {}));
  fixture.io.run();
  ASSERT_TRUE(server.set_mode("slow:100"));
  std::optional<HttpResult> second;  // runs in the slot that the first used
  boost::asio::co_spawn(fixture.io, fixture.client->get(request_to(server.url() + "/search?q=second")),
                        [&](const std::exception_ptr&, HttpResult got) { second = std::move(got); });
  fixture.io.restart();
  fixture.io.poll();
  signal.emit(boost::asio::cancellation_type::terminal);
  fixture.io.run();
  ASSERT_TRUE(second);
  EXPECT_EQ(response_of(*second).status, 200);
}

TEST(HttpClient, ManyAreInFlightAtOnceAndEndAsCancelledWhenTheClientIsDestroyed) {
  FakeNominatim::Options hanging;
  hanging.mode = "hang";
  const FakeNominatim server(hanging);
  ClientFixture fixture;
  constexpr std::size_t count = 300;
  std::size_t cancelled = 0;
  for (std::size_t i = 0; i < count; ++i) {
    boost::asio::co_spawn(fixture.io, fixture.client->get(request_to(server.url() + "/search?q=x")),
                          [&](const std::exception_ptr&, const HttpResult& result) {
                            cancelled += failure_of(result).kind == HttpFault::cancelled ? 1U : 0U;
                          });
  }
  std::thread closer([&] {
    EXPECT_TRUE(server.wait_for_requests(count, patience));
    EXPECT_EQ(server.stats().in_flight, count);
    boost::asio::post(fixture.io, [&] { fixture.client.reset(); });
  });
  fixture.io.run();
  closer.join();
  EXPECT_EQ(cancelled, count);
  EXPECT_TRUE(server.wait_until_quiet(patience)) << "the connections were closed";
}

TEST(HttpClient, AContextThatNeverRunsAgainLeaksNothing) {
  FakeNominatim::Options hanging;
  hanging.mode = "hang";
  const FakeNominatim server(hanging);
  ClientFixture fixture;
  bool told = false;
  boost::asio::co_spawn(fixture.io, fixture.client->get(request_to(server.url() + "/search?q=x")),
                        [&](const std::exception_ptr&, const HttpResult&) { told = true; });
  while (server.stats().requests == 0) fixture.io.run_one();
  fixture.client.reset();
  EXPECT_FALSE(told);
}

TEST(HttpClient, RecoversWhenTheServerClosesKeptConnectionsAndComesBack) {
  FakeNominatim server;
  ClientFixture fixture;
  const auto url = server.url() + "/search?q=x";
  EXPECT_EQ(response_of(fixture.get(url)).status, 200);
  ASSERT_TRUE(server.set_mode("refuse"));
  EXPECT_EQ(failure_of(fixture.get(url)).kind, HttpFault::connect);
  ASSERT_TRUE(server.set_mode("ok"));
  EXPECT_EQ(response_of(fixture.get(url)).status, 200);
  EXPECT_EQ(server.stats().requests, 2U);
}

TEST(HttpClient, RefusesARequestThatWouldSplitAHeader) {
  FakeNominatim server;
  ClientFixture fixture;
  auto request = request_to(server.url() + "/search?q=x");
  request.user_agent = "a\r\nX-Evil: 1";
  EXPECT_EQ(failure_of(fixture.get(request)).kind, HttpFault::unusable);
  request.user_agent.clear();
  request.headers.emplace_back("X", "a\nb");
  EXPECT_EQ(failure_of(fixture.get(request)).kind, HttpFault::unusable);
  EXPECT_EQ(failure_of(fixture.get(request_to(server.url() + "/a\r\nb"))).kind, HttpFault::unusable);
  EXPECT_EQ(server.stats().requests, 0U);
}

TEST(HttpClient, OptionsAreCheckedAtTheStart) {
  boost::asio::io_context io;
  HttpClientOptions options;
  options.ca_file = "/nonexistent/ca.pem";
  const auto no_file = HttpClient::create(io.get_executor(), options);
  ASSERT_FALSE(no_file);
  EXPECT_THAT(no_file.error().detail, HasSubstr("ca_file = \"/nonexistent/ca.pem\""));
  options.ca_file.clear();
  options.body_bytes_max = 0;
  const auto no_body = HttpClient::create(io.get_executor(), options);
  ASSERT_FALSE(no_body);
  EXPECT_THAT(no_body.error().detail, HasSubstr("body_bytes_max = 0"));
}

}  // namespace
}  // namespace geobreaker::test
