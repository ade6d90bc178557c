#include "provider/gazetteer/data_file.hpp"

#include <array>
#include <cstring>
#include <string>

namespace geobreaker::gazetteer {
namespace {

constexpr std::string_view magic = "GBGAZET\n";
constexpr std::size_t section_count = 12;
constexpr std::size_t section_table = 32;
constexpr std::size_t header_crc_at = 20;
constexpr std::size_t header_size = section_table + section_count * 8;

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t n = 0; n < 256; ++n) {
    std::uint32_t crc = n;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? 0xedb88320U ^ (crc >> 1U) : crc >> 1U;
    table[n] = crc;
  }
  return table;
}
constexpr auto crc_table = make_crc_table();

std::uint32_t crc32(std::span<const std::byte> bytes) {
  std::uint32_t crc = 0xffffffffU;
  for (const std::byte byte : bytes) {
    crc = crc_table[(crc ^ std::to_integer<std::uint32_t>(byte)) & 255U] ^ (crc >> 8U);
  }
  return ~crc;
}

std::uint32_t word_at(std::span<const std::byte> bytes, std::size_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

Error faulty(std::string what) { return {Errc::invalid_config, "gazetteer data: " + std::move(what)}; }

std::uint32_t header_checksum(std::span<const std::byte> bytes, std::size_t size) {
  std::array<std::byte, header_size> copy{};
  std::memcpy(copy.data(), bytes.data(), size);
  std::memset(copy.data() + header_crc_at, 0, 4);
  return crc32(std::span(copy).first(size));
}

Status check_header(std::span<const std::byte> bytes) {
  if (bytes.size() < header_size) {
    return faulty("is " + std::to_string(bytes.size()) + " bytes long; the header alone has " +
                  std::to_string(header_size));
  }
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 != 0)
    return faulty("is not at an address divisible by 8");
  if (std::memcmp(bytes.data(), magic.data(), magic.size()) != 0)
    return faulty("does not start with GBGAZET");
  if (const auto version = word_at(bytes, 8); version != data_version) {
    return faulty("has version " + std::to_string(version) + "; this library reads version " +
                  std::to_string(data_version));
  }
  if (const auto size = word_at(bytes, 12); size != bytes.size()) {
    return faulty("is " + std::to_string(bytes.size()) + " bytes long; its header says " +
                  std::to_string(size));
  }
  if (word_at(bytes, 24) != section_count || word_at(bytes, 28) != header_size) {
    return faulty("has " + std::to_string(word_at(bytes, 24)) + " sections; expected " +
                  std::to_string(section_count));
  }
  if (word_at(bytes, header_crc_at) != header_checksum(bytes, header_size))
    return faulty("header checksum is wrong");
  return Done{};
}

/// Section `index` as records; false if it does not lie in the file or is no whole number of records.
template <class T>
bool section(std::span<const std::byte> bytes, std::size_t index, std::span<const T>& out) {
  const std::size_t offset = word_at(bytes, section_table + index * 8);
  const std::size_t size = word_at(bytes, section_table + index * 8 + 4);
  if (offset % 8 != 0 || offset < header_size || offset > bytes.size() || size > bytes.size() - offset)
    return false;
  if (size == 0 || size % sizeof(T) != 0) return false;
  out = {reinterpret_cast<const T*>(bytes.data() + offset), size / sizeof(T)};
  return true;
}

bool right_sizes(const DataFile& data) {
  return data.fold_stage1.size() == 0x1100 && data.fold_stage2.size() % 256 == 0 &&
         data.bloom.size() == (1U << 23U) / 32 && data.grid.size() == grid_rows * grid_columns + 1;
}

bool text_inside(const DataFile& data, std::uint32_t offset) {
  return offset < data.strings.size() && data.strings.size() - offset > data.strings[offset];
}

bool references_inside(const DataFile& data, const Posting& posting) {
  if (posting.admin1() >= data.admin1.size()) return false;
  switch (posting.kind()) {
    case Posting::Kind::place:
      return posting.ref() < data.places.size();
    case Posting::Kind::admin1:
      return posting.ref() < data.admin1.size();
    case Posting::Kind::admin2:
      return posting.ref() < data.admin2.size();
    case Posting::Kind::country:
      return posting.ref() < data.countries.size();
    case Posting::Kind::word:
      return true;
  }
  return false;
}

bool records_consistent(const DataFile& data) {
  for (const auto& place : data.places) {
    if (!text_inside(data, place.name) || place.admin1 >= data.admin1.size() ||
        place.admin2 >= data.admin2.size())
      return false;
  }
  for (const auto& region : data.admin1) {
    if (!text_inside(data, region.name) || region.country >= data.countries.size()) return false;
  }
  for (const auto& country : data.countries) {
    if (!text_inside(data, country.name) || country.parent >= data.countries.size()) return false;
  }
  return true;
}

bool index_consistent(const DataFile& data) {
  std::size_t empty = 0;
  for (const auto& slot : data.slots) {
    if (slot.postings >= data.postings.size()) return false;
    if (slot.postings == 0) ++empty;
  }
  if (empty == 0 || !data.postings.back().last()) return false;
  for (const auto& posting : data.postings.subspan(1)) {
    if (!references_inside(data, posting)) return false;
  }
  for (std::size_t cell = 1; cell < data.grid.size(); ++cell) {
    if (data.grid[cell] < data.grid[cell - 1]) return false;
  }
  return data.grid.back() == data.places.size();
}

bool fold_consistent(const DataFile& data) {
  for (const auto block : data.fold_stage1) {
    if ((block + 1U) * 256U > data.fold_stage2.size()) return false;
  }
  for (const auto entry : data.fold_stage2) {
    if ((entry & 0x800000U) == 0) continue;
    const std::size_t at = entry & 0x7fffffU;
    if (at >= data.fold_expansions.size() || data.fold_expansions.size() - at <= data.fold_expansions[at])
      return false;
  }
  return true;
}

}  // namespace

Result<DataFile> open_data_file(std::span<const std::byte> bytes) {
  if (auto header = check_header(bytes); !header) return header.error();
  DataFile data;
  const bool ok = section(bytes, 0, data.fold_stage1) && section(bytes, 1, data.fold_stage2) &&
                  section(bytes, 2, data.fold_expansions) && section(bytes, 3, data.bloom) &&
                  section(bytes, 4, data.slots) && section(bytes, 5, data.postings) &&
                  section(bytes, 6, data.places) && section(bytes, 7, data.admin1) &&
                  section(bytes, 8, data.admin2) && section(bytes, 9, data.countries) &&
                  section(bytes, 10, data.grid) && section(bytes, 11, data.strings);
  if (!ok || !right_sizes(data)) return faulty("has a section of a wrong size or place");
  return data;
}

Status verify_data_file(std::span<const std::byte> bytes) {
  const auto data = open_data_file(bytes);
  if (!data) return data.error();
  if (crc32(bytes.subspan(header_size)) != word_at(bytes, 16))
    return faulty("checksum of the content is wrong");
  if (!records_consistent(*data) || !index_consistent(*data) || !fold_consistent(*data)) {
    return faulty("has a reference that points outside its section");
  }
  return Done{};
}

}  // namespace geobreaker::gazetteer
