#pragma once

#include "batch/address_words.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace geobreaker {

/// A column whose name may be a part of an address.
struct AddressCandidate {
  std::size_t index;
  AddressWord word;
  bool numbered;          ///< address1, address2: parts of one
  std::string qualifier;  ///< "billing" of billing_city
};
using AddressCandidates = std::vector<AddressCandidate>;

/// What the name of column `index` says; empty if nothing.
[[nodiscard]] std::optional<AddressCandidate> candidate_for(const std::string& name, std::size_t index);

/// Surely a part that tells where something is.
[[nodiscard]] bool is_locating(const AddressCandidate& candidate) noexcept;

/// How many different addresses the candidates speak of, by their qualifiers.
[[nodiscard]] std::size_t count_addresses(const AddressCandidates& all);

/// The candidates of one address: the plain names, and one qualifier's where the plain ones lack a street.
/// Empty if there is no address, or more than one and nothing to tell which is meant.
[[nodiscard]] AddressCandidates of_one_address(const AddressCandidates& all);

/// Those that make the address, in the order in which they are joined; empty if they tell no place.
/// The rules stand at recognise_address_columns().
[[nodiscard]] AddressCandidates choose_address(const AddressCandidates& pool);

}  // namespace geobreaker
