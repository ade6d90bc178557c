#include "batch/number_text.hpp"

#include <cstdio>

namespace geobreaker {

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string clock_text(std::uint64_t seconds) {
  char text[48];
  const auto hours = static_cast<unsigned long long>(seconds / 3600);
  const auto minutes = static_cast<unsigned>(seconds / 60 % 60);
  const auto rest = static_cast<unsigned>(seconds % 60);
  if (hours > 0)
    std::snprintf(text, sizeof text, "%llu:%02u:%02u", hours, minutes, rest);
  else
    std::snprintf(text, sizeof text, "%u:%02u", minutes, rest);
  return text;
}

std::string counted(std::uint64_t number, const char* one, const char* many) {
  return grouped(number) + " " + (number == 1 ? one : many);
}

}  // namespace geobreaker
