#include "batch/address_columns.hpp"

#include "batch/address_choice.hpp"
#include "config/nearest.hpp"
#include "config/quote.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace geobreaker {
namespace {

constexpr std::size_t names_shown = 40;

/// A name as part of a sentence: plain where that is safe.
std::string shown(const std::string& name) {
  const bool plain = !name.empty() && name.size() <= 60 && !config::has_control_character(name);
  return plain ? name : config::in_quotes(name);
}

std::string joined(std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), names_shown); ++i)
    text += (i == 0 ? "" : ", ") + shown(names[i]);
  if (names.size() > names_shown) text += ", and " + std::to_string(names.size() - names_shown) + " more";
  return text;
}

std::string joined(const std::vector<AddressColumn>& columns) {
  std::vector<std::string> names;
  for (const AddressColumn& column : columns) names.push_back(column.name);
  return joined(names);
}

Error refused(std::string detail) { return {Errc::invalid_config, std::move(detail)}; }

Error nothing_found(std::span<const std::string> header) {
  return refused("no address column was recognised among: " + joined(header) +
                 ". Name the column, or the columns in their order, with --address");
}

Error two_addresses(std::span<const std::string> header, const AddressCandidates& all) {
  std::vector<std::string> names;
  for (const AddressCandidate& candidate : all) {
    if (is_locating(candidate)) names.push_back(header[candidate.index]);
  }
  return refused("the header has more than one address (" + joined(names) +
                 "). Name the columns of the one that is meant, in their order, with --address");
}

/// An error if the name of column `index` stands for two columns.
std::optional<Error> used_twice(std::span<const std::string> header, std::size_t index) {
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (i == index || header[i] != header[index]) continue;
    const auto [first, second] = std::minmax(i, index);
    return refused("columns " + std::to_string(first + 1) + " and " + std::to_string(second + 1) +
                   " are both called " + config::in_quotes(header[index]) +
                   ". Name the one that is meant by its number: --address '#" + std::to_string(first + 1) +
                   "'");
  }
  return std::nullopt;
}

std::string unused_names(std::span<const std::string> header, const AddressCandidates& all,
                         const std::vector<AddressColumn>& chosen) {
  std::vector<std::string> names;
  for (const AddressCandidate& candidate : all) {
    const bool used = std::any_of(chosen.begin(), chosen.end(), [&](const AddressColumn& column) {
      return column.index == candidate.index;
    });
    const AddressRole role = candidate.word.role;
    const bool vague =
        candidate.word.weak && role != AddressRole::region && role != AddressRole::house_number;
    if (!used && !vague) names.push_back(header[candidate.index]);
  }
  return names.empty() ? "" : "; not used: " + joined(names);
}

// ---- names that the user gave

std::string nearest_names(std::span<const std::string> header, const std::string& wanted) {
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& name : header) {
    if (name.size() > 64 || wanted.size() > 64 || name.empty()) continue;
    const std::size_t distance = config::edit_distance(wanted, name);
    if (distance <= (wanted.size() + 2) / 3) near.emplace_back(distance, name);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  if (near.size() > 3) near.resize(3);
  std::string text;
  for (const auto& [distance, name] : near) text += (text.empty() ? "" : " or ") + config::in_quotes(name);
  return text;
}

Error unknown_name(std::span<const std::string> header, const std::string& wanted) {
  const std::string near = nearest_names(header, wanted);
  return refused("--address " + config::in_quotes(wanted) + ": the header has no such column" +
                 (near.empty() ? "" : "; did you mean " + near + "?") + " (it has: " + joined(header) +
                 "; '#1' to '#" + std::to_string(header.size()) + "' name a column by its number)");
}

std::optional<std::size_t> by_number(std::size_t columns, std::string_view wanted) {
  std::size_t number = 0;
  if (!wanted.starts_with('#')) return std::nullopt;
  const auto [end, error] = std::from_chars(wanted.data() + 1, wanted.data() + wanted.size(), number);
  const bool whole = error == std::errc{} && end == wanted.data() + wanted.size();
  return whole && number >= 1 && number <= columns ? std::optional(number - 1) : std::nullopt;
}

Result<std::size_t> find_column(std::span<const std::string> header, const std::string& wanted) {
  const auto exact = std::find(header.begin(), header.end(), wanted);
  if (exact != header.end()) {
    const auto index = static_cast<std::size_t>(exact - header.begin());
    if (auto twice = used_twice(header, index)) return *twice;
    return index;
  }
  if (const auto index = by_number(header.size(), wanted)) return *index;
  const std::string folded = folded_name(wanted);
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (folded.empty() || folded_name(header[i]) != folded) continue;
    if (found) {
      return refused("--address " + config::in_quotes(wanted) + " may be " +
                     config::in_quotes(header[*found]) + " or " + config::in_quotes(header[i]) +
                     ": write it as the header does, or '#" + std::to_string(*found + 1) + "'");
    }
    found = i;
  }
  if (!found) return unknown_name(header, wanted);
  return *found;
}

}  // namespace

std::string AddressColumns::fingerprint() const {
  std::string text;
  for (const AddressColumn& column : columns) {
    text += (text.empty() ? "#" : ", #") + std::to_string(column.index + 1) + " " + shown(column.name);
  }
  return text;
}

std::vector<std::string> header_names(const CsvRecord& header) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < header.size(); ++i) names.emplace_back(header.cell(i));
  return names;
}

Result<AddressColumns> recognise_address_columns(std::span<const std::string> header) {
  AddressCandidates all;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (auto candidate = candidate_for(header[i], i)) all.push_back(std::move(*candidate));
  }
  const AddressCandidates pool = of_one_address(all);
  if (pool.empty() && count_addresses(all) > 1) return two_addresses(header, all);
  const AddressCandidates chosen = choose_address(pool);
  if (chosen.empty()) return nothing_found(header);
  AddressColumns result;
  for (const AddressCandidate& candidate : chosen) {
    if (auto twice = used_twice(header, candidate.index)) return *twice;
    result.columns.push_back({candidate.index, candidate.word.role, header[candidate.index]});
  }
  result.sentence = "address columns: " + joined(result.columns) + " (found by their names" +
                    unused_names(header, all, result.columns) + ")";
  return result;
}

Result<AddressColumns> name_address_columns(std::span<const std::string> header,
                                            std::span<const std::string> wanted) {
  if (wanted.empty()) return refused("--address names no column");
  AddressColumns result;
  for (const std::string& name : wanted) {
    const auto index = find_column(header, name);
    if (!index) return index.error();
    for (const AddressColumn& column : result.columns) {
      if (column.index == *index)
        return refused("--address names the column " + config::in_quotes(column.name) + " twice");
    }
    const auto candidate = candidate_for(header[*index], *index);
    result.columns.push_back({*index, candidate ? candidate->word.role : AddressRole::other, header[*index]});
  }
  result.sentence = "address columns: " + joined(result.columns) + " (as given by --address)";
  return result;
}

}  // namespace geobreaker
