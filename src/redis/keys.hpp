#pragma once

#include <array>
#include <string>
#include <string_view>

namespace geobreaker::redis {

/// The keys of one provider, in the order in which the script takes them. One hash tag: one slot of a
/// cluster.
struct ProviderKeys {
  std::array<std::string, 5> names;
  [[nodiscard]] const std::string& decision() const noexcept { return names[0]; }
  [[nodiscard]] const std::string& window() const noexcept { return names[1]; }
  [[nodiscard]] const std::string& token() const noexcept { return names[2]; }
  [[nodiscard]] const std::string& probes() const noexcept { return names[3]; }
  [[nodiscard]] const std::string& tally() const noexcept { return names[4]; }
};

[[nodiscard]] ProviderKeys keys_of(std::string_view prefix, std::string_view provider);
[[nodiscard]] std::string decision_key(std::string_view prefix, std::string_view provider);

/// `name` with every byte outside A-Z a-z 0-9 _ . - as %XX: safe within a key and within the script's texts.
[[nodiscard]] std::string encoded_name(std::string_view name);

}  // namespace geobreaker::redis
