#pragma once

#include "provider/gazetteer/data_file.hpp"
#include "provider/gazetteer/tokens.hpp"

namespace geobreaker::gazetteer {

/// False if no name begins with the tokens hashed so far; true for those that do, and one in twenty others.
[[nodiscard]] inline bool may_begin_name(const DataFile& data, NameHash hash) noexcept {
  const std::uint32_t bit = hash.a >> 9U;
  return ((data.bloom[bit >> 5U] >> (bit & 31U)) & 1U) != 0;
}

/// The first of the name's meanings (the last is marked), or null. 51 bits of hash stand for the name: the
/// chance that a text which is no name passes for one is about 1 in 10^10.
[[nodiscard]] inline const Posting* meanings_of(const DataFile& data, NameHash hash) noexcept {
  const std::size_t count = data.slots.size();
  std::size_t slot = static_cast<std::size_t>((static_cast<std::uint64_t>(hash.a) * count) >> 32U);
  while (data.slots[slot].postings != 0) {
    if (data.slots[slot].fingerprint == hash.b) return &data.postings[data.slots[slot].postings];
    slot = slot + 1 == count ? 0 : slot + 1;
  }
  return nullptr;
}

/// Calls `use` with each meaning.
template <class F>
void each_meaning(const Posting* posting, F&& use) {
  for (;; ++posting) {
    use(*posting);
    if (posting->last()) return;
  }
}

}  // namespace geobreaker::gazetteer
