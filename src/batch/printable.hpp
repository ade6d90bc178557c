#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace geobreaker {

/// Text from files and servers as it may be shown on a terminal: control characters and malformed UTF-8
/// become U+FFFD, so that it can neither move the cursor nor forge a line. At most `width` characters, then
/// "...".
[[nodiscard]] std::string printable(std::string_view text, std::size_t width = static_cast<std::size_t>(-1));

/// Whether a text is well-formed UTF-8.
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

}  // namespace geobreaker
