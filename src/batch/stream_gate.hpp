#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <memory>

namespace geobreaker {

/// Lets a job wait for a pipe or a terminal without standing still: calls in flight go on meanwhile, and
/// signals are heard. Threads: one executor.
class StreamGate {
 public:
  /// Null if `fd` never keeps a reader waiting (a file), or cannot be watched. `fd` stays as it is, and the
  /// caller's.
  [[nodiscard]] static std::unique_ptr<StreamGate> open(const boost::asio::any_io_executor& executor, int fd);

  /// Completes when the stream has something to read, or has ended.
  [[nodiscard]] boost::asio::awaitable<void> wait();

 private:
  explicit StreamGate(boost::asio::posix::stream_descriptor watch) : watch_(std::move(watch)) {}

  boost::asio::posix::stream_descriptor watch_;
};

}  // namespace geobreaker
