#pragma once

#include <geobreaker/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace geobreaker {

/// Every byte outside RFC 3986's unreserved set (letters, digits, `-._~`) becomes %XX; UTF-8 goes byte by
/// byte. Right for query values and for path segments alike: `/`, `;`, `+`, `#`, `'` and `%` arrive as they
/// were.
[[nodiscard]] std::string percent_encode(std::string_view text);

/// Grows a URL from a base that is already valid. Names and values are encoded, the base is not touched.
class UrlBuilder {
 public:
  explicit UrlBuilder(std::string base) : url_(std::move(base)) {}
  /// Appends `/segment`. Call before the first query().
  UrlBuilder& path(std::string_view segment);
  UrlBuilder& query(std::string_view name, std::string_view value);
  [[nodiscard]] std::string str() && { return std::move(url_); }

 private:
  std::string url_;
  bool has_query_ = false;
};

/// Where a provider lives, taken apart.
struct BaseUrl {
  std::string scheme;      ///< "http" or "https"
  std::string host;        ///< lower case, without a trailing dot; an IPv6 address keeps its brackets
  std::uint16_t port = 0;  ///< always set: 80 or 443 where the URL names none
  std::string text;        ///< what to build on: no slash at its end
};

/// Reads the base URL of a provider: http or https, a host, perhaps a port and a path; nothing else.
/// Errors: invalid_config, naming the URL (its secrets taken out) and what is allowed.
[[nodiscard]] Result<BaseUrl> parse_base_url(std::string_view url);

/// The text with the values of authentication parameters replaced by `***` and `user:password@` removed.
/// Made for URLs; safe on any text that may quote one.
[[nodiscard]] std::string redact(std::string_view text);

}  // namespace geobreaker
