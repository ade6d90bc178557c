#pragma once

#include "batch/csv_record.hpp"
#include "batch/csv_source.hpp"

#include <geobreaker/result.hpp>

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace geobreaker {

/// Where bytes go. The name is what error messages call it.
/// Threads: one at a time.
class ByteSink {
 public:
  explicit ByteSink(std::string name) : name_(std::move(name)) {}
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;
  virtual ~ByteSink() = default;

  /// Writes all of `bytes`. Errors: unreadable, with the name and the system's reason (disk full, reader
  /// gone).
  [[nodiscard]] virtual Status write(std::string_view bytes) = 0;
  /// Ends the output; a file system may report only now that bytes could not be kept.
  [[nodiscard]] virtual Status close() = 0;
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  std::string name_;
};

/// Writes to a file descriptor. The program has to ignore SIGPIPE, else a reader that goes away ends it.
class FdSink final : public ByteSink {
 public:
  FdSink(int fd, std::string name, Ownership ownership);
  ~FdSink() override;
  [[nodiscard]] Status write(std::string_view bytes) override;
  [[nodiscard]] Status close() override;

 private:
  int fd_;
  Ownership ownership_;
};

/// Writes to a stream, which must outlive the sink.
class StreamSink final : public ByteSink {
 public:
  StreamSink(std::ostream& out, std::string name) : ByteSink(std::move(name)), out_(out) {}
  [[nodiscard]] Status write(std::string_view bytes) override;
  [[nodiscard]] Status close() override;

 private:
  std::ostream& out_;
};

/// Creates (or empties) a file for writing; "-" is standard output.
/// Errors: unreadable, with the path and the system's reason.
[[nodiscard]] Result<std::unique_ptr<ByteSink>> open_sink(const std::string& path);

/// Writes records with cells appended, through a buffer. What was not flushed when it is destroyed is lost:
/// call close() and look at its answer.
/// Threads: one at a time.
class CsvWriter {
 public:
  explicit CsvWriter(std::unique_ptr<ByteSink> sink, char delimiter,
                     std::size_t buffer_bytes = std::size_t{256} << 10);

  /// Bytes as they are: a byte order mark.
  [[nodiscard]] Status write(std::string_view bytes);

  /// The record's own bytes, a delimiter, `cells` (encoded already, see append_csv_cells) and the record's
  /// own line end. A row with fewer cells than `columns` (a blank line too) gets empty ones first, so that
  /// what is appended stands under its header. A row with more keeps all of its cells and gets the new ones
  /// behind them: nothing of it is lost or moved, but they stand too far right, so the caller should report
  /// it (shape_of). Errors: those of the sink. They are final.
  [[nodiscard]] Status append(const CsvRecord& record, std::size_t columns, std::string_view cells);
  /// The same for a record that was kept: its bytes, how many cells they hold, and its line end.
  [[nodiscard]] Status append(std::string_view raw, std::size_t size, std::string_view line_end,
                              std::size_t columns, std::string_view cells);

  [[nodiscard]] Status flush();
  [[nodiscard]] Status close();
  [[nodiscard]] const std::string& name() const noexcept { return sink_->name(); }

 private:
  std::unique_ptr<ByteSink> sink_;
  char delimiter_;
  std::size_t buffer_bytes_;
  std::string buffer_;
};

}  // namespace geobreaker
