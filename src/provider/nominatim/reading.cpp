#include "provider/nominatim/reading.hpp"

#include <simdjson.h>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace geobreaker::nominatim {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;
using simdjson::dom::parser;

constexpr std::size_t depth_max = 64;

std::string_view text_at(const object& parent, std::string_view name) noexcept {
  std::string_view text;
  return parent[name].get(text) == simdjson::SUCCESS ? text : std::string_view{};
}

/// A number, or text that is one in its whole length. Nominatim sends coordinates as text.
std::optional<double> number_at(const object& parent, std::string_view name) noexcept {
  double value = 0;
  if (parent[name].get(value) != simdjson::SUCCESS) {
    const auto text = text_at(parent, name);
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  }
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string country_code_at(const object& address) {
  std::string code(text_at(address, "country_code"));
  if (code.size() != 2) return {};
  for (char& c : code) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c < 'a' || c > 'z') return {};
  }
  return code;
}

/// For servers that send no place_rank: the finest part of the address that the place has.
Precision precision_of_parts(const object& address) noexcept {
  static constexpr std::array<std::pair<std::string_view, Precision>, 14> parts{{
      {"house_number", Precision::rooftop},
      {"road", Precision::street},
      {"pedestrian", Precision::street},
      {"suburb", Precision::locality},
      {"neighbourhood", Precision::locality},
      {"hamlet", Precision::locality},
      {"village", Precision::locality},
      {"town", Precision::locality},
      {"city", Precision::locality},
      {"municipality", Precision::locality},
      {"postcode", Precision::postcode},
      {"county", Precision::region},
      {"state", Precision::region},
      {"country", Precision::country},
  }};
  for (const auto& [name, precision] : parts) {
    if (!text_at(address, name).empty()) return precision;
  }
  return Precision::unknown;
}

Precision precision_of(const object& place, const object& address) {
  const auto type = text_at(place, "type");
  if (type == "postcode" || type == "postal_code") return Precision::postcode;
  if (type == "houses" || type == "interpolation") return Precision::interpolated;
  const auto rank = number_at(place, "place_rank");
  if (!rank) return precision_of_parts(address);
  return *rank >= 0 && *rank <= 30 ? precision_of_rank(static_cast<int>(*rank)) : Precision::unknown;
}

/// The place, or what keeps it from being one.
std::string read_place(const object& place, Answer& answer) {
  const auto lat = number_at(place, "lat");
  const auto lon = number_at(place, "lon");
  if (!lat || !lon) return "a place without a number for its lat or lon";
  if (std::abs(*lat) > 90 || std::abs(*lon) > 180) return "a place whose lat or lon is not on the globe";
  object address;
  const bool has_address = place["address"].get(address) == simdjson::SUCCESS;
  answer.at = {*lat, *lon};
  answer.label = text_at(place, "display_name");
  answer.country_code = has_address ? country_code_at(address) : std::string{};
  answer.precision = precision_of(place, has_address ? address : place);
  return {};
}

Reading no_promise(std::string fault) {
  Reading reading;
  reading.kind = Reading::Kind::no_promise;
  reading.fault = std::move(fault);
  return reading;
}

Reading read_error(const element& error) {
  Reading reading;
  reading.kind = Reading::Kind::error;
  std::string_view text;
  object details;
  if (error.get(text) == simdjson::SUCCESS) {
    reading.error_message = text;
  } else if (error.get(details) == simdjson::SUCCESS) {
    reading.error_message = text_at(details, "message");
    const auto code = number_at(details, "code");
    if (code && *code >= 0 && *code < 1000) reading.error_code = static_cast<int>(*code);
  }
  return reading;
}

Reading read_places(const element& root) {
  Reading reading;
  reading.kind = Reading::Kind::places;
  std::vector<object> places;
  object one;
  simdjson::dom::array list;
  if (root.get(list) == simdjson::SUCCESS) {
    for (const element item : list) {
      if (item.get(one) != simdjson::SUCCESS) return no_promise("a list of something else than places");
      places.push_back(one);
    }
  } else if (root.get(one) == simdjson::SUCCESS) {
    places.push_back(one);
  } else {
    return no_promise("neither a list nor an object");
  }
  for (const object& place : places) {
    Answer answer;
    if (auto fault = read_place(place, answer); !fault.empty()) return no_promise(std::move(fault));
    reading.places.push_back(std::move(answer));
  }
  return reading;
}

}  // namespace

Reading read_body(std::string_view body) {
  Reading reading;
  if (body.empty()) {
    reading.fault = "it is empty";
    return reading;
  }
  // A parser keeps its buffers. The depth is bounded when they are first made, and stays when they grow.
  thread_local parser reader;
  constexpr std::size_t first_capacity = 4096;
  if (reader.capacity() == 0 && reader.allocate(first_capacity, depth_max) != simdjson::SUCCESS) {
    reading.fault = "no memory to read it";
    return reading;
  }
  element root;
  if (const auto fault = reader.parse(body.data(), body.size()).get(root); fault != simdjson::SUCCESS) {
    reading.fault = simdjson::error_message(fault);
    return reading;
  }
  element error;
  if (root.is_object() && root["error"].get(error) == simdjson::SUCCESS) return read_error(error);
  return read_places(root);
}

Precision precision_of_rank(int place_rank) noexcept {
  // The ranges are those of Photon's AddressType, which reads the same ranks.
  if (place_rank >= 29) return Precision::rooftop;
  if (place_rank >= 26) return Precision::street;
  if (place_rank >= 13) return Precision::locality;
  if (place_rank >= 5) return Precision::region;
  return place_rank == 4 ? Precision::country : Precision::unknown;
}

}  // namespace geobreaker::nominatim
