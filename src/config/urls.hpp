#pragma once

#include <geobreaker/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace geobreaker::config {

/// Where the breaker's state lives. `memory`: in this process, and then nothing else is set.
struct StoreAddress {
  bool memory = true;
  std::string user;      ///< empty: none
  std::string password;  ///< a secret: never into a message
  std::string host;      ///< an IPv6 address comes without its brackets
  std::uint16_t port = 0;
  int database = 0;
  friend bool operator==(const StoreAddress&, const StoreAddress&) = default;
};

/// Reads `memory:` or `redis://[user:password@]host[:port][/database]`; user and password are
/// percent-decoded. Errors:  invalid_config: anything else, with the URL redacted and what is allowed.
[[nodiscard]] Result<StoreAddress> parse_store_url(std::string_view url);

/// What is wrong with the base URL of a provider's server, with the URL redacted and what is allowed; empty:
/// nothing.
[[nodiscard]] std::string fault_of_server_url(std::string_view url);

}  // namespace geobreaker::config
