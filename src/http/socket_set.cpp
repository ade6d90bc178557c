#include "http/curl_loop.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace geobreaker::detail {
namespace {

unsigned epoll_bits(int what) noexcept {
  switch (what) {
    case CURL_POLL_IN:
      return EPOLLIN;
    case CURL_POLL_OUT:
      return EPOLLOUT;
    case CURL_POLL_INOUT:
      return static_cast<unsigned>(EPOLLIN) | static_cast<unsigned>(EPOLLOUT);
    default:
      return 0;
  }
}

int select_bits(unsigned events) noexcept {
  int bits = 0;
  if ((events & (EPOLLIN | EPOLLHUP)) != 0) bits |= CURL_CSELECT_IN;
  if ((events & EPOLLOUT) != 0) bits |= CURL_CSELECT_OUT;
  if ((events & EPOLLERR) != 0) bits |= CURL_CSELECT_ERR;
  return bits;
}

bool control(int epoll, int operation, curl_socket_t socket, unsigned events) noexcept {
  epoll_event event{};
  event.events = events;
  event.data.fd = socket;
  return ::epoll_ctl(epoll, operation, socket, &event) == 0;
}

}  // namespace

SocketSet::SocketSet() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {}

SocketSet::~SocketSet() {
  if (epoll_ >= 0) ::close(epoll_);
}

SocketSet::Entry& SocketSet::entry(curl_socket_t socket) {
  const auto index = static_cast<std::size_t>(socket);
  if (index >= entries_.size()) entries_.resize(index + 1);
  return entries_[index];
}

curl_socket_t SocketSet::open(const curl_sockaddr& address) noexcept {
  const int socket = ::socket(address.family, address.socktype | SOCK_CLOEXEC, address.protocol);
  if (socket < 0) return CURL_SOCKET_BAD;
  // A descriptor that is new cannot be in the set, whatever its number was used for before.
  entry(socket) = Entry{.registered = 0, .wanted = 0, .ours = true};
  return socket;
}

int SocketSet::close(curl_socket_t socket) noexcept {
  entry(socket) = Entry{};  // closing takes it out of the set
  return ::close(socket);
}

void SocketSet::want(curl_socket_t socket, int what) noexcept {
  Entry& known = entry(socket);
  known.wanted = epoll_bits(what);
  if (known.wanted == 0) {
    // A socket that is not ours may be closed behind our back, and its number be given out again.
    if (!known.ours) forget(socket, known);
    return;
  }
  if (known.wanted != known.registered) update(socket, known);
}

void SocketSet::update(curl_socket_t socket, Entry& known) noexcept {
  const int first = known.registered == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  const int second = first == EPOLL_CTL_ADD ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  if (control(epoll_, first, socket, known.wanted) ||
      ((errno == EEXIST || errno == ENOENT) && control(epoll_, second, socket, known.wanted))) {
    known.registered = known.wanted;
  }
}

void SocketSet::forget(curl_socket_t socket, Entry& known) noexcept {
  if (known.registered != 0) control(epoll_, EPOLL_CTL_DEL, socket, 0);
  known.registered = 0;
}

const std::vector<SocketSet::Ready>& SocketSet::poll() {
  ready_.clear();
  std::array<epoll_event, 128> events;
  const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 0);
  for (int i = 0; i < count; ++i) {
    const auto& event = events[static_cast<std::size_t>(i)];
    Entry& known = entry(event.data.fd);
    if (known.wanted == 0) {
      forget(event.data.fd, known);
    } else if (const int bits = select_bits(event.events & (known.wanted | EPOLLERR | EPOLLHUP)); bits != 0) {
      ready_.push_back({event.data.fd, bits});
    } else {
      update(event.data.fd, known);
    }
  }
  return ready_;
}

}  // namespace geobreaker::detail
