#pragma once

#include <cstdint>
#include <string>

namespace geobreaker {

/// "1,234,567"
[[nodiscard]] std::string grouped(std::uint64_t number);
/// "0:07", "12:34", "3:02:11"
[[nodiscard]] std::string clock_text(std::uint64_t seconds);
/// "1 row", "2 rows"
[[nodiscard]] std::string counted(std::uint64_t number, const char* one, const char* many);

}  // namespace geobreaker
