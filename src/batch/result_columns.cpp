#include "batch/result_columns.hpp"

#include "config/quote.hpp"

#include <algorithm>

namespace geobreaker {
namespace {

bool same_letters(std::string_view a, std::string_view b) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::array<std::string, result_column_names.size()> result_columns(std::string_view prefix) {
  std::array<std::string, result_column_names.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i)
    names[i] = std::string(prefix) + std::string(result_column_names[i]);
  return names;
}

Status check_result_columns(std::span<const std::string> header, std::string_view prefix) {
  for (const std::string& added : result_columns(prefix)) {
    for (const std::string& name : header) {
      if (!same_letters(name, added)) continue;
      return Error{Errc::invalid_config,
                   "the input has a column " + config::in_quotes(name) +
                       " already, which a result column would repeat; give another prefix than " +
                       config::in_quotes(prefix) + " with --prefix"};
    }
  }
  return Done{};
}

}  // namespace geobreaker
