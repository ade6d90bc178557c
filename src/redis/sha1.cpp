#include "redis/sha1.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace geobreaker::redis {

namespace {

using Words = std::array<std::uint32_t, 5>;

std::uint32_t word_at(std::string_view block, std::size_t i) noexcept {
  std::uint32_t word = 0;
  for (std::size_t k = 0; k < 4; ++k) word = word << 8 | static_cast<unsigned char>(block[4 * i + k]);
  return word;
}

void mix(Words& h, std::string_view block) noexcept {
  std::array<std::uint32_t, 80> w;
  for (std::size_t i = 0; i < 16; ++i) w[i] = word_at(block, i);
  for (std::size_t i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  auto [a, b, c, d, e] = h;
  for (std::size_t i = 0; i < 80; ++i) {
    const std::uint32_t f = i < 20   ? ((b & c) | (~b & d)) + 0x5A827999U
                            : i < 40 ? (b ^ c ^ d) + 0x6ED9EBA1U
                            : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDCU
                                     : (b ^ c ^ d) + 0xCA62C1D6U;
    const std::uint32_t next = std::rotl(a, 5) + f + e + w[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  h = {h[0] + a, h[1] + b, h[2] + c, h[3] + d, h[4] + e};
}

}  // namespace

std::string sha1_hex(std::string_view text) {
  std::string padded(text);
  padded += '\x80';
  while (padded.size() % 64 != 56) padded += '\0';
  const std::uint64_t bits = std::uint64_t{text.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(bits >> shift & 0xFF);
  Words h{0x67452301U, 0xEFCDAB89U, 0x98BADCFEU, 0x10325476U, 0xC3D2E1F0U};
  for (std::size_t at = 0; at < padded.size(); at += 64) mix(h, std::string_view(padded).substr(at, 64));
  std::string hex;
  for (const std::uint32_t word : h)
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[word >> shift & 15];
  return hex;
}

}  // namespace geobreaker::redis
