#include <geobreaker/http/url.hpp>

#include <algorithm>
#include <array>

namespace geobreaker {
namespace {

// The parameters that any of the known providers authenticates with.
constexpr std::array<std::string_view, 14> secret_names{
    "key",   "apikey", "api_key",  "api-key",   "access_token", "access_key", "subscription-key",
    "token", "app_id", "app_code", "signature", "client",       "password",   "client_secret"};

constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

bool is_secret_name(std::string_view name) noexcept {
  return std::any_of(secret_names.begin(), secret_names.end(),
                     [name](std::string_view secret) { return equal_ignoring_case(name, secret); });
}

constexpr bool is_name_char(char c) noexcept {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/// The parameter name that ends where `text` ends.
std::string_view name_before(std::string_view text) noexcept {
  std::size_t begin = text.size();
  while (begin > 0 && is_name_char(text[begin - 1])) --begin;
  return text.substr(begin);
}

/// Takes `user:password@` out of every `scheme://user:password@host`.
std::string without_user(std::string_view text) {
  std::string result;
  for (;;) {
    const auto scheme = text.find("://");
    if (scheme == std::string_view::npos) break;
    result += text.substr(0, scheme + 3);
    text.remove_prefix(scheme + 3);
    // A password with an unencoded '/' or '?' in it is no valid URL, but people write them: take the last '@'
    // of the word, so long as it stands before the query.
    const auto word_end = std::min(text.find_first_of(" \t\r\n\"'<>?"), text.size());
    const auto at = text.substr(0, word_end).rfind('@');
    if (at != std::string_view::npos) text.remove_prefix(at + 1);
  }
  return result += text;
}

}  // namespace

std::string redact(std::string_view text) {
  const std::string plain = without_user(text);
  const std::string_view rest = plain;
  std::string result;
  std::size_t done = 0;
  for (std::size_t equals = rest.find('='); equals != std::string_view::npos;
       equals = rest.find('=', std::max(done, equals + 1))) {
    if (!is_secret_name(name_before(rest.substr(done, equals - done)))) continue;
    result += rest.substr(done, equals + 1 - done);
    result += "***";
    done = std::min(rest.find_first_of("& \t\r\n\"'<>#", equals + 1), rest.size());
  }
  return result += rest.substr(done);
}

}  // namespace geobreaker
