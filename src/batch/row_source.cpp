#include "batch/row_source.hpp"

#include "batch/csv_cells.hpp"
#include "batch/printable.hpp"
#include "batch/result_cells.hpp"

namespace geobreaker {

namespace {

/// Line ends outlive the record only as literals.
std::string_view kept_line_end(std::string_view seen) noexcept {
  if (seen == "\r\n") return "\r\n";
  if (seen == "\r") return "\r";
  if (seen == "\n") return "\n";
  return "";
}

}  // namespace

RowSource::RowSource(CsvReader& reader, const TableShape& shape, Journal* journal, JobTally& tally)
    : reader_(reader), shape_(shape), tally_(tally) {
  if (journal != nullptr) kept_.emplace(journal->finished());
}

Result<Row*> RowSource::read_into(RowWindow& window) {
  const Result<const CsvRecord*> read = reader_.next();
  if (!read) return read.error();
  if (*read == nullptr) return static_cast<Row*>(nullptr);
  const CsvRecord& record = **read;
  Row& row = window.push(record.raw().size());
  row.number = tally_.rows_read++;
  row.raw = record.raw();
  row.line_end = kept_line_end(record.line_end());
  row.cells = record.size();
  tally_.bytes_read += record.raw().size() + record.line_end().size();
  note_shape(record);
  build_query(record, shape_.address, row.query);
  if (!is_utf8(row.query.text) && tally_.rows_not_utf8++ == 0) tally_.first_not_utf8_line = record.line();
  row.truth.reset();
  if (shape_.truth && record.size() >= shape_.columns)
    row.truth = coordinates_from(record.cell(shape_.truth->first), record.cell(shape_.truth->second));
  if (const Status restored = restore(row); !restored) return restored.error();
  return &row;
}

Status RowSource::restore(Row& row) {
  if (!kept_) return Done{};
  const auto kept = kept_->next_from(row.number);
  if (!kept) return kept.error();
  if (!*kept || (*kept)->row != row.number) return Done{};
  row.result = (*kept)->cells;
  row.status = record_status_from((*kept)->status).value_or(RecordStatus::failed);
  row.finished = true;
  return Done{};
}

void RowSource::note_shape(const CsvRecord& record) {
  const RowShape shape = shape_of(record, shape_.columns);
  if (shape == RowShape::full || shape == RowShape::blank) return;
  if (tally_.rows_ragged++ == 0) tally_.first_ragged_line = record.line();
}

}  // namespace geobreaker
