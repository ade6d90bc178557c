#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace geobreaker {

/// What a column contributes to an address.
enum class AddressRole : std::uint8_t {
  full,          ///< the whole address, and said to be so: no other column is needed
  address,       ///< an address that may be whole, or only its first line beside a city
  street,        ///< the street, with or without the house number
  house_number,  //
  unit,          ///< flat, staircase, floor
  district,      ///< a part of a city
  city,
  postcode,
  region,  ///< a part of a country of unclear rank: text only, and only where no state is given
  state,
  country,
  other,  ///< a column that the user named and whose name says nothing
};
[[nodiscard]] std::string_view to_string(AddressRole role) noexcept;

/// One meaning of a header word.
struct AddressWord {
  AddressRole role;
  std::uint16_t rank;  ///< of two columns for one role the lower rank is taken
  /// Means an address only beside other columns that surely do ("by" is a Danish town, "no" a number).
  bool weak;
  bool short_name;  ///< of at most three letters
  /// Written in a script whose addresses go from the country down to the house.
  bool large_first;
};

/// The form in which header names are compared: compatibility forms and case folded, marks of letters
/// dropped, only letters and digits left: "Straße_Nr." and "STRASSE NR" become "strassenr", "Dirección"
/// "direccion".
[[nodiscard]] std::string folded_name(std::string_view name);

/// The words of a name, folded: split at everything that is no letter or digit, and before a capital after a
/// small letter ("billingCity").
[[nodiscard]] std::vector<std::string> folded_words(std::string_view name);

/// What a folded name means; null if nothing. Knows English, German, French, Spanish, Italian, Portuguese,
/// Dutch, Polish, Swedish, Danish, Norwegian, Finnish, Czech, Turkish, Russian, Ukrainian, Greek, Japanese,
/// Chinese, Korean, Arabic, Hungarian and Romanian. Threads: any, concurrently.
[[nodiscard]] const AddressWord* find_address_word(std::string_view folded);

/// Whether a folded word says whose address it is ("billing", "customer"), so that the rest of the name
/// counts.
[[nodiscard]] bool qualifies_address(std::string_view folded);

}  // namespace geobreaker
