#pragma once

#include <geobreaker/result.hpp>

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace geobreaker {

/// Where bytes come from. The name is what error messages call it.
/// Threads: one at a time.
class ByteSource {
 public:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  /// Fills a part of `room` (at least one byte unless the end is reached) and says how many bytes; 0 is the
  /// end. Errors: unreadable.
  [[nodiscard]] virtual Result<std::size_t> read(std::span<char> room) = 0;
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// What can be watched for something to read; -1 if there is no such thing.
  [[nodiscard]] virtual int descriptor() const noexcept { return -1; }

 private:
  std::string name_;
};

enum class Ownership { borrowed, owned };

/// Reads a file descriptor: a file, a pipe, standard input.
class FdSource final : public ByteSource {
 public:
  FdSource(int fd, std::string name, Ownership ownership);
  ~FdSource() override;
  [[nodiscard]] Result<std::size_t> read(std::span<char> room) override;
  [[nodiscard]] int descriptor() const noexcept override { return fd_; }

 private:
  int fd_;
  Ownership ownership_;
};

/// Reads a stream, which must outlive the source.
class StreamSource final : public ByteSource {
 public:
  StreamSource(std::istream& in, std::string name) : ByteSource(std::move(name)), in_(in) {}
  [[nodiscard]] Result<std::size_t> read(std::span<char> room) override;

 private:
  std::istream& in_;
};

/// Opens a file for reading from start to end; "-" is standard input.
/// Errors: unreadable, with the path and the system's reason.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> open_source(const std::string& path);

}  // namespace geobreaker
