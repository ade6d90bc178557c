#include "config/toml_value.hpp"

#include "config/keys.hpp"
#include "config/nearest.hpp"
#include "config/quote.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace geobreaker::config {
namespace {

/// "5" was written as 5.0: said so, for that is why it is no whole number.
std::string with_point(std::string number) {
  return number.find_first_not_of("-0123456789") == std::string::npos ? number + ".0" : number;
}

std::string found(const toml::node& node) {
  if (const auto* text = node.as_string()) return "string " + in_quotes(text->get());
  if (const auto* whole = node.as_integer()) return "integer " + std::to_string(whole->get());
  if (const auto* number = node.as_floating_point()) return "number " + with_point(shown(number->get()));
  if (const auto* truth = node.as_boolean()) return truth->get() ? "boolean true" : "boolean false";
  if (node.is_table()) return "a table";
  if (node.is_array()) return "a list";
  return "a date or time";
}

/// Reads a string and hands it to `parse`; a type other than a string is complained of with `expected`.
template <class T>
Complaint read_text(const toml::node& node, const std::string& expected, Result<T> (*parse)(std::string_view),
                    T& out) {
  const auto* text = node.as_string();
  if (text == nullptr) return wrong_type(node, expected);
  auto value = parse(text->get());
  if (!value) return ": " + value.error().detail;
  out = *std::move(value);
  return std::nullopt;
}

template <class T>
Complaint read_optional(const toml::node& node, std::optional<T>& out) {
  T value{};
  Complaint complaint = read_value(node, value);
  if (!complaint) out = value;
  return complaint;
}

std::vector<std::string_view> split_words(std::string_view list) {
  std::vector<std::string_view> words;
  while (true) {
    const auto comma = list.find(", ");
    words.push_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return words;
    list.remove_prefix(comma + 2);
  }
}

/// Reads one of `words` ("wait, next").
template <class T>
Complaint read_word(const toml::node& node, const std::string& words,
                    std::optional<T> (*parse)(std::string_view), T& out) {
  const auto* text = node.as_string();
  if (text == nullptr) return wrong_type(node, "one of the strings " + words);
  const std::string& word = text->get();
  const std::vector<std::string_view> valid = split_words(words);
  const auto value = parse(word);
  const bool allowed = std::find(valid.begin(), valid.end(), word) != valid.end();
  if (value && allowed) {
    out = *value;
    return std::nullopt;
  }
  const std::string_view meant = nearest(word, valid);
  const std::string hint = meant.empty() ? "" : "; did you mean \"" + std::string(meant) + "\"?";
  return " is " + in_quotes(word) + ": allowed is one of " + words + hint;
}

std::optional<Precision> precision_word(std::string_view word) { return precision_from(word); }
std::optional<OnSkip> on_skip_word(std::string_view word) { return on_skip_from(word); }

}  // namespace

std::string wrong_type(const toml::node& node, const std::string& expected) {
  return ": expected " + expected + ", found " + found(node);
}

Complaint read_value(const toml::node& node, std::string& out) {
  const auto* text = node.as_string();
  if (text == nullptr) return wrong_type(node, "a string");
  out = text->get();
  return std::nullopt;
}

Complaint read_value(const toml::node& node, int& out) {
  const auto* whole = node.as_integer();
  if (whole == nullptr) return wrong_type(node, "a whole number");
  if (!std::in_range<int>(whole->get())) {
    return " is " + std::to_string(whole->get()) + ": allowed is at most " +
           std::to_string(std::numeric_limits<int>::max());
  }
  out = static_cast<int>(whole->get());
  return std::nullopt;
}

Complaint read_value(const toml::node& node, double& out) {
  if (const auto* number = node.as_floating_point()) {
    out = number->get();
  } else if (const auto* whole = node.as_integer()) {
    out = static_cast<double>(whole->get());
  } else {
    return wrong_type(node, "a number");
  }
  return std::nullopt;
}

Complaint read_value(const toml::node& node, Micros& out) {
  return read_text(node, R"(a string with a unit such as "2s")", &parse_duration, out);
}

Complaint read_value(const toml::node& node, std::optional<Micros>& out) { return read_optional(node, out); }

Complaint read_value(const toml::node& node, std::optional<Rate>& out) {
  Rate rate;
  Complaint complaint = read_text(node, R"(a string such as "50/s")", &parse_rate, rate);
  if (!complaint) out = rate;
  return complaint;
}

Complaint read_value(const toml::node& node, std::optional<Precision>& out) {
  Precision precision{};
  Complaint complaint = read_word(node, precision_words(), &precision_word, precision);
  if (!complaint) out = precision;
  return complaint;
}

Complaint read_value(const toml::node& node, OnSkip& out) {
  return read_word(node, on_skip_words(), &on_skip_word, out);
}

}  // namespace geobreaker::config
