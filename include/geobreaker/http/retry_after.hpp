#pragma once

#include <geobreaker/clock.hpp>

#include <chrono>
#include <optional>
#include <string_view>

namespace geobreaker {

/// An HTTP date in any of the three forms of RFC 9110, section 5.6.7 (the fixed one, RFC 850's, asctime's).
/// `now` resolves the two-digit year of the second form; nothing else depends on it.
[[nodiscard]] std::optional<SharedTime> parse_http_date(std::string_view text, SharedTime now) noexcept;

/// How long a Retry-After header asks to wait, at most `cap`: whole seconds, or an HTTP date seen from `now`.
/// Empty for what says nothing: zero (seen from servers that mean no more than "later"), negative or past
/// values, and text that is neither form.
[[nodiscard]] std::optional<std::chrono::milliseconds> parse_retry_after(
    std::string_view value, SharedTime now, std::chrono::milliseconds cap) noexcept;

}  // namespace geobreaker
