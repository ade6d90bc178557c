#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace geobreaker {

/// The ISO 3166-1 alpha-2 code, lower case, of what a country column holds: such a code, an alpha-3 code, or
/// the country's name in one of the languages that most addresses are written in. Empty where it is none of
/// them. Threads: any. The first name (not code) costs some ten milliseconds, once per process.
[[nodiscard]] std::optional<std::string> country_code_of(std::string_view text);

/// False only if an address of the one country cannot lie in the other: two territories that share a state,
/// or that two states both claim, agree, since providers code them either way. Codes as country_code_of()
/// gives them.
[[nodiscard]] bool countries_agree(std::string_view asked, std::string_view answered) noexcept;

}  // namespace geobreaker
