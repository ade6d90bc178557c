#include "batch/csv_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <ostream>
#include <system_error>

namespace geobreaker {
namespace {

constexpr int no_fd = -1;

Error cannot_write(const std::string& name, int error) {
  return {Errc::unreadable, "cannot write " + name + ": " + std::generic_category().message(error)};
}

}  // namespace

FdSink::FdSink(int fd, std::string name, Ownership ownership)
    : ByteSink(std::move(name)), fd_(fd), ownership_(ownership) {}

FdSink::~FdSink() {
  if (ownership_ == Ownership::owned && fd_ != no_fd) ::close(fd_);
}

Status FdSink::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd_, bytes.data(), bytes.size());
    if (put > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(put));
    } else if (put == 0 || errno != EINTR) {
      return cannot_write(name(), put == 0 ? EIO : errno);
    }
  }
  return Done{};
}

Status FdSink::close() {
  if (ownership_ == Ownership::borrowed || fd_ == no_fd) return Done{};
  const int closed = ::close(std::exchange(fd_, no_fd));
  // Linux has closed the descriptor even when it says EINTR.
  if (closed != 0 && errno != EINTR) return cannot_write(name(), errno);
  return Done{};
}

Status StreamSink::write(std::string_view bytes) {
  out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return out_ ? Status(Done{}) : Status(cannot_write(name(), EIO));
}

Status StreamSink::close() {
  out_.flush();
  return out_ ? Status(Done{}) : Status(cannot_write(name(), EIO));
}

Result<std::unique_ptr<ByteSink>> open_sink(const std::string& path) {
  if (path == "-") {
    return std::unique_ptr<ByteSink>(
        std::make_unique<FdSink>(STDOUT_FILENO, "standard output", Ownership::borrowed));
  }
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return cannot_write(path, errno);
  return std::unique_ptr<ByteSink>(std::make_unique<FdSink>(fd, path, Ownership::owned));
}

CsvWriter::CsvWriter(std::unique_ptr<ByteSink> sink, char delimiter, std::size_t buffer_bytes)
    : sink_(std::move(sink)), delimiter_(delimiter), buffer_bytes_(buffer_bytes) {
  buffer_.reserve(buffer_bytes_);
}

Status CsvWriter::write(std::string_view bytes) {
  buffer_ += bytes;
  return buffer_.size() >= buffer_bytes_ ? flush() : Status(Done{});
}

Status CsvWriter::append(const CsvRecord& record, std::size_t columns, std::string_view cells) {
  return append(record.raw(), record.size(), record.line_end(), columns, cells);
}

Status CsvWriter::append(std::string_view raw, std::size_t size, std::string_view line_end,
                         std::size_t columns, std::string_view cells) {
  buffer_ += raw;
  if (size < columns) buffer_.append(columns - size, delimiter_);
  buffer_ += delimiter_;
  buffer_ += cells;
  return write(line_end);
}

Status CsvWriter::flush() {
  const Status written = sink_->write(buffer_);
  // Kept after a failure it would only grow, and be written twice.
  buffer_.clear();
  return written;
}

Status CsvWriter::close() {
  const Status flushed = flush();
  const Status closed = sink_->close();
  return flushed ? closed : flushed;
}

}  // namespace geobreaker
