#pragma once

#include "batch/address_words.hpp"
#include "batch/csv_record.hpp"

#include <geobreaker/geocode/query.hpp>
#include <geobreaker/result.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace geobreaker {

struct AddressColumn {
  std::size_t index;  ///< in the header, from 0
  AddressRole role;
  std::string name;  ///< as the header has it
  friend bool operator==(const AddressColumn&, const AddressColumn&) = default;
};

/// The columns that make the address, in the order in which their cells are joined.
struct AddressColumns {
  std::vector<AddressColumn> columns;
  std::string sentence;  ///< for the user: which columns, and how they were chosen

  /// Names and places of the columns in one line: equal exactly when the same cells are joined in the same
  /// order.
  [[nodiscard]] std::string fingerprint() const;
};

[[nodiscard]] std::vector<std::string> header_names(const CsvRecord& header);

/// Chooses the columns by their names (`find_address_word`), so:
/// - a column that says it is the full address is used alone;
/// - a street beside a city or postcode beats a column called "address"; else "address" is the first line,
/// and what
///   there is of city, postcode, state and country is joined to it;
/// - of several columns for one part the best known name is taken, but address1, address2 ... are all used;
/// - names with a qualifier (billing_city) count where the plain ones lack a street; of two qualifiers none
/// is guessed;
/// - words that may mean something else ("number", "region") count only beside others that do not.
/// Order: street and house number as in the file (which is how the file's country writes them), unit,
/// district, city and postcode as in the file, state, country; all as in the file where the names are
/// Chinese, Japanese or Korean. Errors: invalid_config, with the header's names and what to do: nothing
/// found, two addresses, a name used twice.
[[nodiscard]] Result<AddressColumns> recognise_address_columns(std::span<const std::string> header);

/// The columns that the user named, joined in that order. Each of `wanted` is a header name (exact, else
/// without regard to case, marks and separators) or "#3" for the third column. Errors: invalid_config, with
/// the nearest names: unknown, ambiguous or repeated.
[[nodiscard]] Result<AddressColumns> name_address_columns(std::span<const std::string> header,
                                                          std::span<const std::string> wanted);

/// Makes the query of one row. Cells are trimmed, runs of white space inside become one space, empty ones
/// (and those that a short row lacks) are left out; the rest is joined with ", ", a street and its house
/// number with a space. Everything in `out` is replaced; its memory is used again.
void build_query(const CsvRecord& record, const AddressColumns& columns, AddressQuery& out);

}  // namespace geobreaker
