#include "config/quote.hpp"

#include <algorithm>
#include <cstddef>

namespace geobreaker::config {
namespace {

constexpr std::string_view hidden = "***";
constexpr std::size_t longest_shown = 120;

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// A password whose `@` was forgotten ends up where a port belongs; a port is digits only.
std::string without_misplaced_secret(std::string_view authority) {
  if (authority.starts_with('[')) return std::string(authority);
  const auto colon = authority.find(':');
  if (colon == std::string_view::npos) return std::string(authority);
  const std::string_view port = authority.substr(colon + 1);
  if (std::all_of(port.begin(), port.end(), is_digit)) return std::string(authority);
  return std::string(authority.substr(0, colon + 1)).append(hidden);
}

/// Length of the UTF-8 sequence prefix of `text` that fits into `bytes` without cutting a character.
std::size_t whole_characters(std::string_view text, std::size_t bytes) noexcept {
  if (text.size() <= bytes) return text.size();
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) --bytes;
  return bytes;
}

void append_escaped(std::string& out, char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (c == '"' || c == '\\') {
    out.append({'\\', c});
  } else if (c == '\n') {
    out.append("\\n");
  } else if (c == '\t') {
    out.append("\\t");
  } else if (byte < 0x20 || byte == 0x7F) {
    out.append("\\x").append({digits[byte >> 4U], digits[byte & 0xFU]});
  } else {
    out.push_back(c);
  }
}

}  // namespace

std::string redacted_url(std::string_view url) {
  const auto scheme_end = url.find("://");
  const std::size_t start = scheme_end == std::string_view::npos ? 0 : scheme_end + 3;
  std::string shown(url.substr(0, start));
  std::string_view rest = url.substr(start);
  // The last '@', since an unencoded password may hold '@', '/', '?' or '#'.
  if (const auto at = rest.rfind('@'); at != std::string_view::npos) {
    shown.append(hidden).push_back('@');
    rest.remove_prefix(at + 1);
  }
  const auto authority_end = std::min(rest.find_first_of("/?#"), rest.size());
  shown += scheme_end == std::string_view::npos ? std::string(rest.substr(0, authority_end))
                                                : without_misplaced_secret(rest.substr(0, authority_end));
  rest.remove_prefix(authority_end);
  const auto query = rest.find_first_of("?#");
  if (query == std::string_view::npos) return shown.append(rest);
  return shown.append(rest.substr(0, query + 1)).append(hidden);
}

std::string in_quotes(std::string_view text) {
  const std::string clean =
      text.find("://") == std::string_view::npos ? std::string(text) : redacted_url(text);
  const std::size_t shown = whole_characters(clean, longest_shown);
  std::string out = "\"";
  for (const char c : std::string_view(clean).substr(0, shown)) append_escaped(out, c);
  if (shown < clean.size()) out += "...";
  return out += '"';
}

bool has_control_character(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7F) return true;
    if (byte != 0xC2 || i + 1 == text.size()) continue;
    const auto next = static_cast<unsigned char>(text[i + 1]);
    if (next >= 0x80 && next <= 0x9F) return true;
  }
  return false;
}

}  // namespace geobreaker::config
