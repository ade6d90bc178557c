#pragma once

#include <geobreaker/result.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace geobreaker {

struct HttpRequest {
  std::string url;                       ///< complete and encoded (UrlBuilder); http or https
  std::string user_agent;                ///< empty: the client's
  std::chrono::milliseconds timeout{0};  ///< for the whole exchange; 0: none but the caller's cancellation
  std::size_t body_bytes_max = 0;        ///< 0: the client's
  std::vector<std::pair<std::string, std::string>> headers;  ///< further request headers
};

/// An answer of any status. Redirects are never followed: a 3xx is an answer too.
struct HttpResponse {
  int status = 0;
  std::string content_type;
  std::string retry_after;
  std::string date;
  std::string location;
  std::string body;  ///< decompressed
};

/// Why there is no answer.
enum class HttpFault : std::uint8_t {
  timeout,         ///< HttpRequest::timeout passed
  dns,             ///< the host's name has no address, or no resolver answered
  connect,         ///< refused, unreachable
  tls,             ///< no trusted TLS connection: certificate, host name, handshake
  reset,           ///< the connection broke, or was closed without an answer
  truncated,       ///< the body ended early
  body_too_large,  ///< the body, or the headers, passed the bound
  protocol,        ///< what came back is no HTTP, or its compression is broken
  proxy,           ///< the proxy from the environment was not there or refused
  cancelled,       ///< the caller gave up, or the client was destroyed
  unusable,        ///< nothing was sent: the request is not valid, or memory ran out
};

[[nodiscard]] std::string_view to_string(HttpFault fault) noexcept;

struct HttpFailure {
  HttpFault kind = HttpFault::unusable;
  std::string text;  ///< one sentence for people, without secrets
};

using HttpResult = std::variant<HttpResponse, HttpFailure>;

struct HttpClientOptions {
  std::string user_agent = "geobreaker";
  std::string ca_file;  ///< PEM file of trusted authorities; empty: the system's. Verification is always on.
  std::size_t body_bytes_max = std::size_t{1} << 20;
  std::size_t idle_connections_max = 256;
};

/// Makes HTTP requests, many at once, on one executor: keep-alive, HTTP/2 where the server offers it over
/// TLS, gzip, brotli and zstd; proxies from the environment (`https_proxy`, `no_proxy`, ...) as curl reads
/// them. A request on a kept connection that turns out to be dead is sent again on a new one, by curl.
///
/// Threads: the executor must be that of a single thread, or a strand; all calls come from it.
/// Lifetime: destroy the client before its execution context. Requests in flight then end as `cancelled`.
class HttpClient {
 public:
  /// Errors: invalid_config, if ca_file cannot be read or an option is out of range.
  [[nodiscard]] static Result<std::unique_ptr<HttpClient>> create(boost::asio::any_io_executor executor,
                                                                  HttpClientOptions options = {});
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  /// Never throws for what the network does. Cancelling the coroutine takes the request off the wire at once
  /// and ends it as HttpFault::cancelled.
  [[nodiscard]] boost::asio::awaitable<HttpResult> get(HttpRequest request);

  [[nodiscard]] std::size_t in_flight() const noexcept;

 private:
  class Impl;
  explicit HttpClient(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;  // shared, so that a late cancellation can see that the client is gone
};

}  // namespace geobreaker
