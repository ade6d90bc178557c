#include "provider/gazetteer/tokens.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

namespace geobreaker::gazetteer {
namespace {

enum class Class : std::uint8_t { separator, hard, lower, upper, digit, single, hangul, ignorable };

std::uint32_t mix(std::uint32_t x) noexcept {
  x = (x ^ (x >> 16U)) * 0x85ebca6bU;
  x = (x ^ (x >> 13U)) * 0xc2b2ae35U;
  return x ^ (x >> 16U);
}

/// Next code point of `text` from `at`; U+0000 (a separator) for a byte that starts no valid sequence.
char32_t next_code_point(std::string_view text, std::size_t& at) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(at++);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xf0 && lead < 0xf5   ? 3
                   : lead >= 0xe0 && lead < 0xf0 ? 2
                   : lead >= 0xc2 && lead < 0xe0 ? 1
                                                 : 0;
  if (more == 0 || text.size() - at < static_cast<std::size_t>(more)) return 0;
  char32_t cp = lead & (0x3fU >> static_cast<unsigned>(more));
  for (int i = 0; i < more; ++i) {
    const unsigned next = byte(at + static_cast<std::size_t>(i));
    if ((next & 0xc0U) != 0x80U) return 0;
    cp = (cp << 6U) | (next & 0x3fU);
  }
  constexpr std::array<char32_t, 4> smallest{0, 0x80, 0x800, 0x10000};
  if (cp < smallest[static_cast<std::size_t>(more)] || cp > 0x10ffff) return 0;
  at += static_cast<std::size_t>(more);
  return cp;
}

constexpr char32_t l_base = 0x1100;
constexpr char32_t v_base = 0x1161;
constexpr char32_t t_base = 0x11a7;
constexpr char32_t s_base = 0xac00;

/// Joins a conjoining jamo (or kana voicing mark) to the character before; 0 if they do not join.
char32_t composed(char32_t before, char32_t mark) noexcept {
  if (before >= l_base && before < l_base + 19 && mark >= v_base && mark < v_base + 21) {
    return s_base + ((before - l_base) * 21 + (mark - v_base)) * 28;
  }
  if (before >= s_base && before < 0xd7a4 && (before - s_base) % 28 == 0 && mark > t_base &&
      mark < t_base + 28) {
    return before + (mark - t_base);
  }
  const bool kana = before >= 0x3041 && before <= 0x30ff;
  if (mark == 0x3099 && kana) return before == 0x3046 || before == 0x30a6 ? before + 0x4e : before + 1;
  if (mark == 0x309a && kana) return before + 2;
  return 0;
}

bool is_jamo(char32_t cp) noexcept { return cp >= l_base && cp < t_base + 28; }
bool is_hyphen(char32_t cp) noexcept { return cp == U'-' || cp == 0x2010 || cp == 0x2011; }
bool is_voicing_mark(char32_t cp) noexcept { return cp == 0x3099 || cp == 0x309a; }

constexpr std::string_view white_space = " \t\r\n\f\v";

/// Whether a piece of text without white space is an e-mail address or a URL: "info@paris.fr" is not in
/// Paris.
bool is_address_of_the_net(std::string_view word) noexcept {
  if (word.find('@') != std::string_view::npos || word.find("://") != std::string_view::npos) return true;
  const std::size_t start = word.find_first_not_of("(<[\"'");
  if (start == std::string_view::npos || word.size() - start < 4 || word[start + 3] != '.') return false;
  return std::all_of(word.begin() + static_cast<std::ptrdiff_t>(start),
                     word.begin() + static_cast<std::ptrdiff_t>(start + 3),
                     [](char c) { return c == 'w' || c == 'W'; });
}

bool may_hold_address_of_the_net(std::string_view text) noexcept {
  return text.find('@') != std::string_view::npos || text.find("://") != std::string_view::npos ||
         text.find("ww.") != std::string_view::npos || text.find("WW.") != std::string_view::npos ||
         text.find("wW.") != std::string_view::npos || text.find("Ww.") != std::string_view::npos;
}

}  // namespace

NameHash extended(NameHash hash, const Token& token) noexcept {
  return {(std::rotl(hash.a, 7) ^ token.a) * 0x85ebca6bU, (std::rotl(hash.b, 11) ^ token.b) * 0xc2b2ae35U};
}

class TokenList::Cutter {
 public:
  Cutter(TokenList& list, const DataFile& data, Field field) noexcept
      : list_(list), data_(data), field_(field) {
    segment_ = list.size_ == 0 ? 0U : list.tokens_[list.size_ - 1].segment + 1U;
  }

  void take(char32_t cp) noexcept {
    const std::uint32_t block = data_.fold_stage1[cp >> 8U];
    const std::uint32_t entry = data_.fold_stage2[block * 256U + (cp & 255U)];
    const auto kind = static_cast<Class>(entry >> 24U);
    if (is_jamo(cp) || kind == Class::single || kind == Class::hangul) return take_single(cp, entry);
    switch (kind) {
      case Class::ignorable:
        return;
      case Class::separator: {
        const bool joins = in_word_ && is_hyphen(cp);
        end_word();
        hyphen_ = joins;
        return;
      }
      case Class::hard:
        end_word();
        hyphen_ = false;
        if (used_) ++segment_;
        used_ = false;
        return;
      default:
        return take_letters(cp, entry, kind);
    }
  }

  void end_word() noexcept {
    if (in_word_ && list_.size_ < capacity) {
      word_.upper = any_upper_ && !any_lower_;
      word_.segment = static_cast<std::uint8_t>(std::min(segment_, 255U));
      word_.field = field_;
      word_.a = mix(x_);
      word_.b = mix(y_);
      list_.tokens_[list_.size_++] = word_;
      used_ = true;
    }
    in_word_ = false;
    if (last_hangul_ != none) list_.tokens_[last_hangul_].word_goes_on = false;
    last_hangul_ = none;
    last_single_ = 0;
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  template <class F>
  void each_folded(char32_t cp, std::uint32_t entry, F&& use) const noexcept {
    const std::uint32_t low = entry & 0x7fffffU;
    if ((entry & 0x800000U) != 0) {
      for (std::uint32_t i = 1; i <= data_.fold_expansions[low]; ++i) use(data_.fold_expansions[low + i]);
    } else {
      use(low != 0 ? low : static_cast<std::uint32_t>(cp));
    }
  }

  void hash(std::uint32_t cp) noexcept {
    x_ = (x_ ^ cp) * 0x01000193U;
    y_ = (std::rotl(y_, 5) ^ cp) * 0x9e3779b1U;
  }

  void begin() noexcept {
    word_ = Token{};
    x_ = 0x811c9dc5U;
    y_ = 0x9747b28cU;
    any_upper_ = any_lower_ = false;
    word_.hyphened = hyphen_;
    hyphen_ = false;
    in_word_ = true;
  }

  void take_letters(char32_t cp, std::uint32_t entry, Class kind) noexcept {
    if (!in_word_) {
      end_word();
      begin();
    }
    any_upper_ = any_upper_ || kind == Class::upper;
    any_lower_ = any_lower_ || kind == Class::lower;
    list_.has_upper_ = list_.has_upper_ || kind == Class::upper;
    each_folded(cp, entry, [&](std::uint32_t folded) {
      hash(folded);
      if (word_.length < 8) {
        word_.shape = static_cast<std::uint16_t>(word_.shape |
                                                 ((kind == Class::digit ? 2U : 1U) << (2U * word_.length)));
      }
      if (word_.length < 2 && kind != Class::digit && folded >= U'a' && folded <= U'z')
        word_.initials[word_.length] = static_cast<char>(folded);
      if (kind == Class::digit && word_.digits < 2)
        word_.number = static_cast<std::uint16_t>(word_.number * 10 + (folded - U'0'));
      if (kind == Class::digit && word_.digits < 255) ++word_.digits;
      if (word_.length < 255) ++word_.length;
    });
  }

  void take_single(char32_t cp, std::uint32_t entry) noexcept {
    if (in_word_) end_word();
    each_folded(cp, entry, [&](std::uint32_t folded) {
      const char32_t joint = last_single_ == 0 ? 0 : composed(last_single_, folded);
      if (joint != 0) return replace_last(joint);
      if (!is_voicing_mark(folded)) push_single(folded);
    });
  }

  void replace_last(char32_t cp) noexcept {
    const bool inside = list_.tokens_[--list_.size_].inside_word;
    push_single(cp);
    list_.tokens_[list_.size_ - 1].inside_word = inside;
  }

  void push_single(char32_t cp) noexcept {
    if (list_.size_ == capacity) return;
    const bool hangul = (cp >= s_base && cp < 0xd7a4) || is_jamo(cp);
    const bool continues = hangul && last_hangul_ != none && last_hangul_ + 1 == list_.size_;
    begin();
    hash(cp);
    word_.length = 1;
    word_.shape = 1;
    word_.single = true;
    word_.hangul = hangul;
    word_.inside_word = continues;
    word_.word_goes_on = hangul;
    if (last_hangul_ != none && !hangul && last_hangul_ < list_.size_)
      list_.tokens_[last_hangul_].word_goes_on = false;
    const std::size_t keep = hangul ? list_.size_ : none;
    last_hangul_ = none;
    end_word();
    last_hangul_ = keep;
    last_single_ = cp;
  }

  TokenList& list_;
  const DataFile& data_;
  Field field_;
  unsigned segment_ = 0;
  Token word_;
  std::uint32_t x_ = 0;
  std::uint32_t y_ = 0;
  char32_t last_single_ = 0;
  std::size_t last_hangul_ = none;
  bool in_word_ = false;
  bool hyphen_ = false;
  bool used_ = false;
  bool any_upper_ = false;
  bool any_lower_ = false;
};

void TokenList::append(const DataFile& data, std::string_view text, Field field) noexcept {
  Cutter cutter(*this, data, field);
  const bool careful = may_hold_address_of_the_net(text);
  std::size_t checked = 0;  // up to here it is known to be none
  for (std::size_t at = 0; at < text.size() && size_ < capacity;) {
    if (careful && at >= checked) {
      checked = std::min(text.find_first_of(white_space, at), text.size());
      if (is_address_of_the_net(text.substr(at, checked - at))) {
        cutter.take(U',');
        at = checked;
        continue;
      }
      if (checked == at) ++checked;  // the white space itself
    }
    cutter.take(next_code_point(text, at));
  }
  cutter.end_word();
}

}  // namespace geobreaker::gazetteer
