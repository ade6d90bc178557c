#pragma once

#include <geobreaker/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace geobreaker::redis {

struct RedisUrl {
  std::string host;
  std::uint16_t port = 6379;
  std::string user;      ///< empty: the default user
  std::string password;  ///< empty: no AUTH is sent
  int database = 0;
  /// host:port/database, for messages: never the user or the password.
  [[nodiscard]] std::string shown() const;
};

/// redis://[[user]:password@]host[:port][/database]. The error's text never repeats what may be a password.
[[nodiscard]] Result<RedisUrl> parse_redis_url(std::string_view url);

}  // namespace geobreaker::redis
