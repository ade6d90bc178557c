#include "redis/keys.hpp"

namespace geobreaker::redis {

namespace {

bool is_plain(char c) noexcept {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '-';
}

std::string key(std::string_view prefix, std::string_view encoded, std::string_view part) {
  std::string name;
  name.reserve(prefix.size() + encoded.size() + part.size() + 4);
  return name.append(prefix).append(":{").append(encoded).append("}:").append(part);
}

}  // namespace

std::string encoded_name(std::string_view name) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string text;
  text.reserve(name.size());
  for (const char c : name) {
    if (is_plain(c)) {
      text += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    text += '%';
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::string decision_key(std::string_view prefix, std::string_view provider) {
  return key(prefix, encoded_name(provider), "open_until");
}

ProviderKeys keys_of(std::string_view prefix, std::string_view provider) {
  const std::string name = encoded_name(provider);
  return {{key(prefix, name, "open_until"), key(prefix, name, "fails"), key(prefix, name, "probe_lock"),
           key(prefix, name, "probe_fails"), key(prefix, name, "meta")}};
}

}  // namespace geobreaker::redis
