#pragma once

#include "batch/truth_check.hpp"

#include <geobreaker/chain/fallback_chain.hpp>
#include <geobreaker/geocode/answer.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace geobreaker {

inline constexpr std::size_t precision_count = 8;

/// A row and what it got, to be shown.
struct Sample {
  std::string address;
  RecordStatus status = RecordStatus::pending;
  std::optional<Coordinates> at;
  std::string label;
};
inline constexpr std::size_t samples_shown = 5;

/// What a job has done so far, for the progress line and the summary.
struct JobTally {
  std::uint64_t rows_read = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t rows_finished = 0;  ///< those that the journal held already included
  std::uint64_t rows_restored = 0;  ///< of these, the ones that the journal held already
  std::uint64_t rows_parked = 0;    ///< at this moment
  std::array<std::uint64_t, record_status_count> by_status{};
  std::array<std::uint64_t, precision_count> by_precision{};  ///< of the rows with an answer
  std::uint64_t rows_ragged = 0;  ///< with more or fewer cells than the header, blank lines left out
  std::uint64_t first_ragged_line = 0;
  std::uint64_t rows_not_utf8 = 0;  ///< whose address is no UTF-8: providers will hardly understand it
  std::uint64_t first_not_utf8_line = 0;
  std::uint64_t coarse_streets = 0;  ///< rows that name a street, and got an answer coarser than one
  TruthCheck truth;
  std::vector<Sample> samples;  ///< the first rows that were finished, at most samples_shown
};

}  // namespace geobreaker
