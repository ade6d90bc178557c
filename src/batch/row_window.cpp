#include "batch/row_window.hpp"

#include <utility>

namespace geobreaker {

Row& RowWindow::push(std::size_t bytes) {
  if (spare_.empty()) {
    rows_.push_back(std::make_unique<Row>());
  } else {
    rows_.push_back(std::move(spare_.back()));
    spare_.pop_back();
  }
  bytes_ += bytes;
  Row& row = *rows_.back();
  row.progress.clear();
  row.result.clear();
  row.status = RecordStatus::pending;
  row.finished = false;
  return row;
}

void RowWindow::pop() noexcept {
  bytes_ -= rows_.front()->raw.size();
  spare_.push_back(std::move(rows_.front()));
  rows_.pop_front();
}

}  // namespace geobreaker
