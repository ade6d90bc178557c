#pragma once

#include <geobreaker/result.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// The layout of data/gazetteer.bin, written by tools/gazetteer/layout.mjs and used where it lies, without
// parsing.
namespace geobreaker::gazetteer {

static_assert(std::endian::native == std::endian::little,
              "data/gazetteer.bin is little-endian and used in place");

inline constexpr std::uint32_t data_version = 1;

struct PlaceRecord {
  std::int32_t lat_1e5;
  std::int32_t lon_1e5;
  std::uint32_t name;  // offset in the string pool, as in the other records
  std::uint32_t population;
  std::uint32_t geonames_id;
  std::uint16_t admin1;
  std::uint16_t admin2;
};
struct Admin1Record {
  std::uint32_t name;
  std::uint16_t country;
  std::uint16_t one_town;  // 1: a city and its suburbs, nothing else
};
struct Admin2Record {
  std::uint16_t admin1;
  std::uint16_t department;  // France: the first two digits of its postcodes; else 0
};
struct CountryRecord {
  char code[2];  // ISO 3166-1 alpha-2, lower case
  std::uint16_t parent;
  std::uint32_t name;
  std::uint8_t one_town;
  std::uint8_t postcode_digits;  // 0: has letters; 255: unknown
  std::uint16_t languages;
};
/// Countries whose addresses have a state's code after the town; the data have all of these codes.
[[nodiscard]] inline bool writes_state_codes(const CountryRecord& country) noexcept {
  const std::string_view code(country.code, 2);
  return code == "us" || code == "ca" || code == "au";
}
struct Slot {
  std::uint32_t fingerprint;
  std::uint32_t postings;  // index of the first; 0: empty slot
};

/// One meaning of a name.
struct Posting {
  enum class Kind : std::uint8_t { place = 0, admin1 = 1, admin2 = 2, country = 3, word = 4 };
  std::uint32_t low;
  std::uint32_t high;

  [[nodiscard]] std::uint32_t ref() const noexcept { return low & 0xfffffU; }
  [[nodiscard]] Kind kind() const noexcept { return static_cast<Kind>((low >> 20U) & 7U); }
  [[nodiscard]] unsigned quality() const noexcept { return (low >> 23U) & 3U; }
  [[nodiscard]] bool code() const noexcept { return ((low >> 25U) & 1U) != 0; }
  [[nodiscard]] bool capital() const noexcept { return ((low >> 26U) & 1U) != 0; }
  [[nodiscard]] bool section() const noexcept { return ((low >> 27U) & 1U) != 0; }
  [[nodiscard]] bool last() const noexcept { return (low >> 31U) != 0; }
  [[nodiscard]] std::uint16_t admin1() const noexcept { return static_cast<std::uint16_t>(high & 0x1fffU); }
  /// log10 of the population; 0 if unknown.
  [[nodiscard]] float magnitude() const noexcept { return static_cast<float>((high >> 13U) & 0xffU) / 32.0F; }
};

static_assert(sizeof(PlaceRecord) == 24 && sizeof(Admin1Record) == 8 && sizeof(Admin2Record) == 4 &&
              sizeof(CountryRecord) == 12 && sizeof(Slot) == 8 && sizeof(Posting) == 8);

inline constexpr std::size_t grid_rows = 180;
inline constexpr std::size_t grid_columns = 360;

struct DataFile {
  std::span<const std::uint16_t> fold_stage1;
  std::span<const std::uint32_t> fold_stage2;
  std::span<const std::uint32_t> fold_expansions;
  std::span<const std::uint32_t> bloom;
  std::span<const Slot> slots;
  std::span<const Posting> postings;
  std::span<const PlaceRecord> places;
  std::span<const Admin1Record> admin1;
  std::span<const Admin2Record> admin2;
  std::span<const CountryRecord> countries;
  std::span<const std::uint32_t>
      grid;  // first place of each one-degree cell, from south-west; one more at the end
  std::span<const std::uint8_t> strings;

  [[nodiscard]] std::string_view text(std::uint32_t offset) const noexcept {
    const auto* bytes = strings.data() + offset;
    return {reinterpret_cast<const char*>(bytes + 1), *bytes};
  }
  [[nodiscard]] const CountryRecord& country_of(std::uint16_t admin1_ref) const noexcept {
    return countries[admin1[admin1_ref].country];
  }
};

/// Checks the header (not the megabytes behind it, which stay untouched) and gives the sections.
/// `bytes` must be 8-aligned and outlive the result.
/// Errors:  invalid_config, naming what is wrong.
[[nodiscard]] Result<DataFile> open_data_file(std::span<const std::byte> bytes);

/// Reads all of it: whether its checksum is right and every reference points into its section.
[[nodiscard]] Status verify_data_file(std::span<const std::byte> bytes);

/// The file that was linked in.
[[nodiscard]] std::span<const std::byte> embedded_bytes() noexcept;

}  // namespace geobreaker::gazetteer
