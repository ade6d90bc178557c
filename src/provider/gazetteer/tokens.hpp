#pragma once

#include "provider/gazetteer/data_file.hpp"

#include <array>
#include <cstdint>
#include <string_view>

// Cutting text into folded, hashed tokens: words, and single characters in Hangul and the scripts without
// spaces.
namespace geobreaker::gazetteer {

/// Hash of a sequence of tokens; the same as extend() in tools/gazetteer/fold.mjs.
struct NameHash {
  std::uint32_t a = 0x2545f491U;
  std::uint32_t b = 0x1b873593U;
};

enum class Field : std::uint8_t { text, city, state, country, postcode };

/// No initial values: a list of them lies on the stack for each look-up, and only its used part is written.
struct Token {
  std::uint32_t a;  // mixed hashes of the folded characters
  std::uint32_t b;
  std::uint16_t shape;           // up to 8 characters, two bits each from the first: 1 letter, 2 digit
  std::uint16_t number;          // the first two digits
  std::array<char, 2> initials;  // first two characters where they are letters from a to z, else 0
  std::uint8_t length;           // characters
  std::uint8_t digits;
  std::uint8_t segment;  // counted over all fields: commas and the like end a segment
  Field field;
  bool upper;   // no lower-case letter, at least one upper-case
  bool single;  // one character of a script without spaces
  bool hangul;
  bool hyphened;      // joined to the token before by a hyphen, without spaces
  bool inside_word;   // Hangul: not the first of its word
  bool word_goes_on;  // Hangul: not the last of its word

  [[nodiscard]] bool numeric() const noexcept { return digits != 0 && digits == length; }
  [[nodiscard]] bool has_digit() const noexcept { return digits != 0; }
};

[[nodiscard]] NameHash extended(NameHash hash, const Token& token) noexcept;

class TokenList {
 public:
  /// What lies beyond is not looked at; the longest of the world's addresses fits twice.
  static constexpr std::size_t capacity = 128;

  /// Appends the tokens of `text`. Bytes that are no UTF-8 separate words; e-mail addresses and URLs are not
  /// read.
  void append(const DataFile& data, std::string_view text, Field field) noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const Token& operator[](std::size_t i) const noexcept { return tokens_[i]; }
  [[nodiscard]] std::size_t segments() const noexcept {
    return size_ == 0 ? 0 : tokens_[size_ - 1].segment + 1U;
  }
  [[nodiscard]] bool has_upper() const noexcept { return has_upper_; }
  [[nodiscard]] bool same_run(std::size_t i, std::size_t j) const noexcept {
    return tokens_[i].segment == tokens_[j].segment;
  }

 private:
  class Cutter;
  std::array<Token, capacity> tokens_;
  std::size_t size_ = 0;
  bool has_upper_ = false;
};

}  // namespace geobreaker::gazetteer
