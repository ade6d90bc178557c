#include "batch/stream_gate.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <sys/epoll.h>
#include <unistd.h>

namespace geobreaker {

/// Asio makes what it waits for non-blocking, which every process with the same terminal or pipe would
/// notice. It is given an epoll descriptor of our own instead, which is readable when the stream is.
std::unique_ptr<StreamGate> StreamGate::open(const boost::asio::any_io_executor& executor, int fd) {
  const int watch = epoll_create1(EPOLL_CLOEXEC);
  if (watch < 0) return nullptr;
  epoll_event event{};
  event.events = EPOLLIN;
  if (epoll_ctl(watch, EPOLL_CTL_ADD, fd, &event) != 0) {  // EPERM: a file, always readable
    ::close(watch);
    return nullptr;
  }
  return std::unique_ptr<StreamGate>(new StreamGate(boost::asio::posix::stream_descriptor(executor, watch)));
}

boost::asio::awaitable<void> StreamGate::wait() {
  using boost::asio::posix::stream_descriptor;
  co_await watch_.async_wait(stream_descriptor::wait_read, boost::asio::as_tuple(boost::asio::use_awaitable));
}

}  // namespace geobreaker
