#pragma once

#include <geobreaker/geocode/answer.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace geobreaker::nominatim {

/// What the body of an answer says, its status apart.
struct Reading {
  enum class Kind {
    not_json,    ///< no JSON: broken, not UTF-8, nested too deep, empty
    no_promise,  ///< JSON, but neither places nor an error
    error,       ///< {"error": ...}
    places,      ///< a list of places (perhaps empty), or one place
  };
  Kind kind = Kind::not_json;
  std::string fault;          ///< not_json, no_promise: what is wrong
  int error_code = 0;         ///< error: its number, if it has one
  std::string error_message;  ///< error: its text, as sent
  std::vector<Answer> places;
};

/// Reads the body of /search (a list) or /reverse (an object), both in format jsonv2 or json.
[[nodiscard]] Reading read_body(std::string_view body);

/// The precision that Nominatim's place_rank (0 to 30) stands for.
[[nodiscard]] Precision precision_of_rank(int place_rank) noexcept;

}  // namespace geobreaker::nominatim
