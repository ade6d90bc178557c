#pragma once

#include "batch/address_columns.hpp"
#include "batch/csv_reader.hpp"
#include "batch/job_tally.hpp"
#include "batch/journal.hpp"
#include "batch/row_window.hpp"

#include <geobreaker/result.hpp>

#include <cstddef>
#include <optional>
#include <utility>

namespace geobreaker {

/// What the header said about the table.
struct TableShape {
  std::size_t columns = 0;
  AddressColumns address;
  std::optional<std::pair<std::size_t, std::size_t>>
      truth;  ///< the columns true_lat and true_lon, if both are there
};

/// Reads records and makes rows of them; rows that the journal holds come out finished.
/// Threads: one.
class RowSource {
 public:
  /// `journal` may be null. All references must outlive the source; the reader stands behind the header.
  RowSource(CsvReader& reader, const TableShape& shape, Journal* journal, JobTally& tally);

  /// Puts the next row into the window, or returns null at the end of the input.
  /// Errors: those of the reader and the journal.
  [[nodiscard]] Result<Row*> read_into(RowWindow& window);

 private:
  [[nodiscard]] Status restore(Row& row);
  void note_shape(const CsvRecord& record);

  CsvReader& reader_;
  const TableShape& shape_;
  std::optional<FinishedRows> kept_;
  JobTally& tally_;
};

}  // namespace geobreaker
