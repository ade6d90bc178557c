#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace geobreaker {

/// What one call to a provider came to (design, section 3). Exactly one per call.
enum class Outcome : std::uint8_t {
  ok,
  no_match,
  bad_request,
  rate_limited,
  quota_exhausted,
  auth,
  provider_error,
  timeout,
  network,
  cancelled,
};
inline constexpr std::size_t outcome_count = 10;

/// Why a provider was not called at all. No word of it equals a word of Outcome.
enum class SkipReason : std::uint8_t {
  not_routed,
  auth_disabled,
  paused_rate,
  paused_quota,
  bulkhead_full,
  breaker_open,
  forced_open,
};
inline constexpr std::size_t skip_reason_count = 7;

/// The words that leave the program, in kebab-case; each is written in this one place only.
[[nodiscard]] std::string_view to_string(Outcome outcome) noexcept;
[[nodiscard]] std::string_view to_string(SkipReason reason) noexcept;
[[nodiscard]] std::optional<Outcome> outcome_from(std::string_view word) noexcept;
[[nodiscard]] std::optional<SkipReason> skip_reason_from(std::string_view word) noexcept;

/// A failure of the provider: what the breaker counts and the retry loop may try again.
[[nodiscard]] constexpr bool is_failure(Outcome outcome) noexcept {
  return outcome == Outcome::provider_error || outcome == Outcome::timeout || outcome == Outcome::network;
}

}  // namespace geobreaker
