#pragma once

#include <geobreaker/chain/fallback_chain.hpp>
#include <geobreaker/geocode/answer.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace geobreaker {

/// What the appended columns say about a row, in their fixed order:
/// status, lat, lon, label, prec, conf, source, tried. A row without an answer has empty coordinates, never
/// 0,0.
struct RowResult {
  RecordStatus status = RecordStatus::pending;
  const Answer* answer = nullptr;  ///< borrowed; null: none
  std::string_view source;         ///< who gave it
  std::string_view tried;
};

/// Replaces `out` by the cells, encoded as CSV with `delimiter` between them.
void encode_result(const RowResult& result, char delimiter, std::string& out);

/// What the summary wants to know of a row again that a journal kept.
struct KeptResult {
  RecordStatus status = RecordStatus::pending;
  std::optional<Coordinates> at;
  std::optional<Precision> precision;
  std::string label;
};
[[nodiscard]] KeptResult decode_result(std::string_view cells, char delimiter);

}  // namespace geobreaker
