#pragma once

#include <string>
#include <string_view>

namespace geobreaker::config {

/// `text` as it may be shown: in double quotes, on one line (control characters escaped), shortened when
/// long, and without what looks like credentials of a URL.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// `url` without secrets: user and password become `***`, and so do a query and a fragment (keys travel
/// there). Works on malformed text too, and then rather hides too much.
[[nodiscard]] std::string redacted_url(std::string_view url);

/// Whether `text` holds a C0 or C1 control character or DEL (UTF-8).
[[nodiscard]] bool has_control_character(std::string_view text) noexcept;

}  // namespace geobreaker::config
