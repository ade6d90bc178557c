#include "batch/address_columns.hpp"

#include <string>
#include <string_view>

namespace geobreaker {
namespace {

constexpr std::string_view no_break_space = "\xC2\xA0";

/// How many bytes of white space `text` begins with; spreadsheets like to leave U+00A0 behind.
std::size_t space_at(std::string_view text) noexcept {
  const char c = text.front();
  if (c == ' ' || (c >= '\t' && c <= '\r')) return 1;
  return text.starts_with(no_break_space) ? no_break_space.size() : 0;
}

/// Appends `cell` with its white space put in order, after `separator` if that is not the beginning.
/// False if there is nothing but white space.
bool append_tidy(std::string& out, std::string_view separator, std::string_view cell) {
  bool any = false;
  bool space = false;
  while (!cell.empty()) {
    if (const std::size_t skipped = space_at(cell); skipped > 0) {
      space = true;
      cell.remove_prefix(skipped);
      continue;
    }
    if (!any && !out.empty()) out += separator;
    if (any && space) out += ' ';
    any = true;
    space = false;
    std::size_t run = 1;
    while (run < cell.size() && space_at(cell.substr(run)) == 0) ++run;
    out += cell.substr(0, run);
    cell.remove_prefix(run);
  }
  return any;
}

bool is_street_part(AddressRole role) noexcept {
  return role == AddressRole::street || role == AddressRole::house_number;
}

/// A street and its number stand together; two lines of a street (street1, street2) do not.
std::string_view separator_between(AddressRole before, AddressRole role) noexcept {
  return before != role && is_street_part(before) && is_street_part(role) ? " " : ", ";
}

std::string* field_for(AddressRole role, bool has_parts, AddressQuery& query) noexcept {
  switch (role) {
    case AddressRole::street:
    case AddressRole::house_number:
      return &query.street;
    case AddressRole::address:
      return has_parts ? &query.street : nullptr;  // alone it may be anything
    case AddressRole::city:
      return &query.city;
    case AddressRole::postcode:
      return &query.postcode;
    case AddressRole::state:
      return &query.state;
    case AddressRole::country:
      return &query.country;
    case AddressRole::full:
    case AddressRole::unit:
    case AddressRole::district:
    case AddressRole::region:
    case AddressRole::other:
      break;
  }
  return nullptr;
}

bool has_locality(const AddressColumns& columns) noexcept {
  for (const AddressColumn& column : columns.columns) {
    if (column.role == AddressRole::city || column.role == AddressRole::postcode) return true;
  }
  return false;
}

}  // namespace

void build_query(const CsvRecord& record, const AddressColumns& columns, AddressQuery& out) {
  for (std::string* field : {&out.text, &out.street, &out.city, &out.postcode, &out.state, &out.country}) {
    field->clear();
  }
  const bool has_parts = has_locality(columns);
  AddressRole before = AddressRole::other;
  for (const AddressColumn& column : columns.columns) {
    if (column.index >= record.size()) continue;
    const std::string_view cell = record.cell(column.index);
    const std::string_view separator = separator_between(before, column.role);
    if (!append_tidy(out.text, separator, cell)) continue;
    before = column.role;
    if (std::string* field = field_for(column.role, has_parts, out))
      (void)append_tidy(*field, separator, cell);
  }
}

}  // namespace geobreaker
