#include <geobreaker/http/url.hpp>

#include <algorithm>
#include <charconv>

namespace geobreaker {
namespace {

constexpr bool is_alnum(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

constexpr bool is_unreserved(char c) noexcept {
  return is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

Error refused(std::string_view url, std::string_view why) {
  return Error{Errc::invalid_config, "url \"" + redact(url) + "\": " + std::string(why) +
                                         "; allowed is http:// or https://, a host, and perhaps a port "
                                         "and a path, as in http://localhost:8080"};
}

bool is_host(std::string_view host) noexcept {
  if (host.empty() || host.size() > 253) return false;
  if (host.front() == '[') {
    return host.size() > 3 && host.back() == ']' &&
           host.substr(1, host.size() - 2).find_first_not_of("0123456789abcdefABCDEF:.") ==
               std::string_view::npos;
  }
  return host.front() != '.' && std::all_of(host.begin(), host.end(), [](char c) {
           return is_alnum(c) || c == '-' || c == '.' || c == '_';
         });
}

/// Splits `host:port`; the port is empty where none is named. A bracketed IPv6 address keeps its colons.
std::pair<std::string_view, std::string_view> split_port(std::string_view authority) noexcept {
  const auto colon = authority.rfind(':');
  const auto bracket = authority.rfind(']');
  if (colon == std::string_view::npos || (bracket != std::string_view::npos && colon < bracket)) {
    return {authority, {}};
  }
  return {authority.substr(0, colon), authority.substr(colon + 1)};
}

}  // namespace

std::string percent_encode(std::string_view text) {
  static constexpr char hex[] = "0123456789ABCDEF";
  std::string result;
  result.reserve(text.size() * 3);
  for (const char c : text) {
    if (is_unreserved(c)) {
      result += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    result += '%';
    result += hex[byte >> 4U];
    result += hex[byte & 15U];
  }
  return result;
}

UrlBuilder& UrlBuilder::path(std::string_view segment) {
  url_ += '/';
  url_ += percent_encode(segment);
  return *this;
}

UrlBuilder& UrlBuilder::query(std::string_view name, std::string_view value) {
  url_ += has_query_ ? '&' : '?';
  has_query_ = true;
  url_ += percent_encode(name);
  url_ += '=';
  url_ += percent_encode(value);
  return *this;
}

Result<BaseUrl> parse_base_url(std::string_view url) {
  if (url.empty()) return refused(url, "is empty");
  const bool printable = std::all_of(url.begin(), url.end(), [](char c) { return c > 0x20 && c < 0x7f; });
  if (!printable) {
    return refused(url,
                   "holds a space, a control character or a letter outside ASCII (write such a host in "
                   "its xn-- form)");
  }
  const auto scheme_end = url.find("://");
  if (scheme_end == std::string_view::npos) return refused(url, "has no scheme");
  BaseUrl base;
  base.scheme = lower(url.substr(0, scheme_end));
  if (base.scheme != "http" && base.scheme != "https") return refused(url, "its scheme is not allowed");
  const auto rest = url.substr(scheme_end + 3);
  if (rest.find_first_of("?#\\\"<>") != std::string_view::npos) {
    return refused(url, "has a query, a fragment or a character that belongs into none of its parts");
  }
  const auto slash = std::min(rest.find('/'), rest.size());
  const auto authority = rest.substr(0, slash);
  if (authority.find('@') != std::string_view::npos) {
    return refused(url, "holds a user or a password, which would end up in logs");
  }
  const auto [host, port] = split_port(authority);
  if (!is_host(host)) return refused(url, "has no valid host");
  base.host = lower(host);
  if (base.host.back() == '.') base.host.pop_back();
  base.port = base.scheme == "https" ? 443 : 80;
  if (host.size() != authority.size()) {
    unsigned value = 0;
    const auto [end, fault] = std::from_chars(port.data(), port.data() + port.size(), value);
    if (fault != std::errc{} || end != port.data() + port.size() || value < 1 || value > 65535) {
      return refused(url, "its port is not a number from 1 to 65535");
    }
    base.port = static_cast<std::uint16_t>(value);
  }
  base.text = base.scheme + "://" + std::string(rest);
  while (base.text.back() == '/') base.text.pop_back();
  return base;
}

}  // namespace geobreaker
