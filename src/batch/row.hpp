#pragma once

#include "batch/parking_lot.hpp"

#include <geobreaker/chain/fallback_chain.hpp>
#include <geobreaker/geocode/query.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace geobreaker {

/// One row of the input on its way through the job. Reused for later rows, so that its strings keep their
/// memory.
struct Row {
  std::uint64_t number = 0;   ///< 0 is the first row below the header
  std::string raw;            ///< its bytes as read, without the line end
  std::string_view line_end;  ///< a literal
  std::size_t cells = 0;      ///< how many it has
  AddressQuery query;
  RecordProgress progress;
  Seat seat;  ///< the parking lot's, while it is parked

  std::string result;  ///< the appended cells, encoded
  RecordStatus status = RecordStatus::pending;
  std::optional<Coordinates> truth;  ///< where the input itself says the place is
  bool finished = false;             ///< `result` is final, and in the journal if there is one
};

}  // namespace geobreaker
