#pragma once

#include "batch/row.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

namespace geobreaker {

/// The rows between the first one whose result is not written yet and the last one read. Bounded in rows and
/// in bytes, so that memory does not grow with the file, however long the first row has to wait. Threads:
/// one.
class RowWindow {
 public:
  RowWindow(std::size_t rows_max, std::size_t bytes_max) : rows_max_(rows_max), bytes_max_(bytes_max) {}

  [[nodiscard]] bool full() const noexcept { return rows_.size() >= rows_max_ || bytes_ >= bytes_max_; }
  [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }

  /// A cleared row for the next record. It stays where it is until it is popped.
  [[nodiscard]] Row& push(std::size_t bytes);
  [[nodiscard]] Row& front() noexcept { return *rows_.front(); }
  void pop() noexcept;

 private:
  std::size_t rows_max_;
  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  std::deque<std::unique_ptr<Row>> rows_;
  std::vector<std::unique_ptr<Row>> spare_;
};

}  // namespace geobreaker
