#include "redis/redis_url.hpp"

#include <charconv>
#include <optional>

namespace geobreaker::redis {

namespace {

constexpr std::string_view scheme = "redis://";
constexpr std::string_view allowed = "; allowed is redis://[[user]:password@]host[:port][/database]";

Error fault(std::string what) {
  return {Errc::invalid_config, "redis url: " + std::move(what) + std::string(allowed)};
}

template <class Int>
std::optional<Int> whole_number(std::string_view text, Int most) noexcept {
  Int value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value > most)
    return std::nullopt;
  return value;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    unsigned byte = 0;
    if (i + 2 >= text.size()) return std::nullopt;
    const char* const first = text.data() + i + 1;
    if (const auto [end, error] = std::from_chars(first, first + 2, byte, 16);
        error != std::errc{} || end != first + 2)
      return std::nullopt;
    plain += static_cast<char>(byte);
    i += 2;
  }
  return plain;
}

/// user:password, :password, or a password alone.
bool read_login(std::string_view login, RedisUrl& url) {
  const std::size_t colon = login.find(':');
  const auto user = colon == std::string_view::npos ? std::string() : percent_decoded(login.substr(0, colon));
  const auto password = percent_decoded(colon == std::string_view::npos ? login : login.substr(colon + 1));
  if (!user || !password || password->empty()) return false;
  url.user = *user;
  url.password = *password;
  return true;
}

/// host, host:port, [v6] or [v6]:port.
bool read_address(std::string_view address, RedisUrl& url) {
  std::string_view port;
  if (!address.empty() && address.front() == '[') {
    const std::size_t close = address.find(']');
    if (close == std::string_view::npos) return false;
    url.host = address.substr(1, close - 1);
    port = address.substr(close + 1);
  } else {
    const std::size_t colon = address.find(':');
    url.host = address.substr(0, colon);
    port = colon == std::string_view::npos ? std::string_view() : address.substr(colon);
  }
  if (url.host.empty()) return false;
  if (port.empty()) return true;
  const auto number = port.front() == ':' ? whole_number<int>(port.substr(1), 65535) : std::nullopt;
  if (!number || *number == 0) return false;
  url.port = static_cast<std::uint16_t>(*number);
  return true;
}

}  // namespace

std::string RedisUrl::shown() const {
  const bool v6 = host.find(':') != std::string::npos;
  return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port) + "/" + std::to_string(database);
}

Result<RedisUrl> parse_redis_url(std::string_view text) {
  if (text.substr(0, scheme.size()) != scheme) {
    const std::size_t colon = text.find(':');
    const std::string_view given = colon < 20 ? text.substr(0, colon + 1) : std::string_view("none");
    return fault("the scheme is " + std::string(given));
  }
  text.remove_prefix(scheme.size());
  RedisUrl url;
  if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) {
    if (!read_login(text.substr(0, at), url))
      return fault("user or password is malformed (percent-encode % : @ /)");
    text.remove_prefix(at + 1);
  }
  const std::size_t slash = text.find('/');
  const std::string_view address = text.substr(0, slash);
  if (!read_address(address, url)) return fault("the address is \"" + std::string(address) + "\"");
  const std::string_view database =
      slash == std::string_view::npos ? std::string_view() : text.substr(slash + 1);
  if (database.empty()) return url;
  const auto number = whole_number<int>(database, 1'000'000);
  if (!number) return fault("the database is \"" + std::string(database) + "\"");
  url.database = *number;
  return url;
}

}  // namespace geobreaker::redis
