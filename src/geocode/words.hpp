#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace geobreaker::detail {

/// The word at the enumerator's place; empty for a value that is none of the enumerators.
template <class Enum, std::size_t N>
[[nodiscard]] constexpr std::string_view word_of(const std::array<std::string_view, N>& words,
                                                 Enum value) noexcept {
  const auto index = static_cast<std::size_t>(value);
  return index < N ? words[index] : std::string_view{};
}

template <class Enum, std::size_t N>
[[nodiscard]] constexpr std::optional<Enum> enumerator_of(const std::array<std::string_view, N>& words,
                                                          std::string_view word) noexcept {
  for (std::size_t index = 0; index < N; ++index) {
    if (words[index] == word) return static_cast<Enum>(index);
  }
  return std::nullopt;
}

}  // namespace geobreaker::detail
