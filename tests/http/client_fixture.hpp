#pragma once

#include <geobreaker/http/http_client.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace geobreaker::test {

/// A client on an io_context that ends by itself when nothing is left to do.
class ClientFixture {
 public:
  explicit ClientFixture(HttpClientOptions options = {}) {
    auto created = HttpClient::create(io.get_executor(), std::move(options));
    if (!created) throw std::runtime_error(created.error().detail);
    client = std::move(created).value();
  }

  HttpResult get(HttpRequest request) {
    std::optional<HttpResult> result;
    boost::asio::co_spawn(io, client->get(std::move(request)),
                          [&result](const std::exception_ptr& fault, HttpResult got) {
                            if (!fault) result = std::move(got);
                          });
    io.restart();
    io.run();
    if (!result) throw std::runtime_error("the request ended without a result");
    return *std::move(result);
  }

  HttpResult get(const std::string& url) {
    HttpRequest request;
    request.url = url;
    return get(std::move(request));
  }

  boost::asio::io_context io{1};
  std::unique_ptr<HttpClient> client;  // after io: it goes first
};

/// The answer, or the test has failed and this is an empty one.
inline HttpResponse response_of(const HttpResult& result) {
  if (const auto* response = std::get_if<HttpResponse>(&result)) return *response;
  ADD_FAILURE() << "no answer: " << std::get<HttpFailure>(result).text;
  return {};
}

/// The failure, or the test has failed.
inline HttpFailure failure_of(const HttpResult& result) {
  if (const auto* failure = std::get_if<HttpFailure>(&result)) return *failure;
  ADD_FAILURE() << "an answer, where a failure was expected: HTTP " << std::get<HttpResponse>(result).status;
  return {};
}

/// An environment variable, for as long as the object lives.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) {
    ::setenv(name_, value.c_str(), 1);
  }
  ~ScopedVariable() { ::unsetenv(name_); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
};

}  // namespace geobreaker::test
