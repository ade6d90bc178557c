#pragma once

#include <geobreaker/clock.hpp>
#include <geobreaker/geocode/answer.hpp>
#include <geobreaker/http/http_client.hpp>
#include <geobreaker/provider/provider.hpp>
#include <geobreaker/result.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace geobreaker {

struct NominatimOptions {
  std::string base_url;  ///< as in http://localhost:8080 or https://host/nominatim
  std::string
      contact;  ///< an address or page by which the operator reaches the user; the public host wants one
  std::string user_agent;    ///< the product part; empty: geobreaker/VERSION
  std::string language;      ///< `accept-language`; empty: none is sent, the server answers in local names
  std::string countrycodes;  ///< ISO alpha-2, comma separated; empty: the whole world
  std::chrono::milliseconds timeout{0};            ///< for one request, beside the caller's own; 0: none
  std::chrono::milliseconds throttle_pause{5000};  ///< after a 429 that names no time; the public host: 60 s
  std::chrono::milliseconds pause_max{std::chrono::hours{1}};  ///< no Retry-After counts for more
  std::size_t query_chars_max = 1000;  ///< a longer address is a bad request and is not sent
};

/// openstreetmap.org's own server, in any way to write it. Its policy asks for a contact and for 1 request a
/// second.
[[nodiscard]] bool is_public_nominatim(std::string_view base_url) noexcept;

/// The rate, in requests per second, that holds unless the user sets one: 1 for the public host, else none.
[[nodiscard]] std::optional<double> nominatim_default_rate(std::string_view base_url) noexcept;

/// What classify() must know beside the answer.
struct NominatimContext {
  bool public_host = false;
  std::chrono::milliseconds throttle_pause{5000};
  std::chrono::milliseconds pause_max{std::chrono::hours{1}};
  std::optional<Coordinates> asked;  ///< the query was this very point: then 0,0 may be the answer
  SharedTime now{};                  ///< for a Retry-After date, where the answer itself is not dated
};

/// What an answer of Nominatim, or the lack of one, comes to: exactly one outcome. Pure.
/// Threads: any.
[[nodiscard]] ProviderReply classify(const HttpResult& result, const NominatimContext& context);

/// A Nominatim server, public or one's own.
/// Threads: those of the HttpClient, which must outlive it, as must the clock.
class NominatimProvider final : public Provider {
 public:
  /// Errors: invalid_config, naming every faulty option; also where the public host is used without a
  /// contact.
  [[nodiscard]] static Result<std::unique_ptr<NominatimProvider>> create(NominatimOptions options,
                                                                         HttpClient& http, Clock& clock);

  [[nodiscard]] const ProviderTraits& traits() const noexcept override { return traits_; }
  [[nodiscard]] boost::asio::awaitable<ProviderReply> forward(const AddressQuery& query) override;
  [[nodiscard]] boost::asio::awaitable<ProviderReply> reverse(Coordinates at) override;

 private:
  NominatimProvider(NominatimOptions options, std::string base, HttpClient& http, Clock& clock);
  [[nodiscard]] boost::asio::awaitable<ProviderReply> ask(std::string url, std::optional<Coordinates> asked);

  NominatimOptions options_;
  std::string base_;
  std::string user_agent_;
  bool public_host_;
  ProviderTraits traits_;
  HttpClient& http_;
  Clock& clock_;
};

}  // namespace geobreaker
