#include "support/redis/strange_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

namespace geobreaker::testing {

StrangeServer::StrangeServer(Manner manner, std::string words) : manner_(manner), words_(std::move(words)) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      listen(listener_, manner == Manner::swallows ? 0 : 64) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error("no listening socket");
  port_ = ntohs(address.sin_port);
  if (manner_ == Manner::swallows)
    fill_backlog();
  else
    thread_ = std::thread([this] { serve(); });
}

StrangeServer::~StrangeServer() {
  over_ = true;
  if (thread_.joinable()) thread_.join();
  for (const int fd : sockets_) close(fd);
  close(listener_);
}

void StrangeServer::fill_backlog() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port_));
  for (int i = 0; i < 16; ++i) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockets_.push_back(fd);
    if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 || errno != EINPROGRESS)
      continue;
    pollfd writable{fd, POLLOUT, 0};
    if (poll(&writable, 1, 100) == 0) return;  // this one's SYN is being dropped: full
  }
  throw std::runtime_error("the backlog does not fill");
}

void StrangeServer::serve() {
  while (!over_) {
    pollfd readable{listener_, POLLIN, 0};
    if (poll(&readable, 1, 10) <= 0) continue;
    const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) continue;
    sockets_.push_back(fd);
    if (!words_.empty()) static_cast<void>(send(fd, words_.data(), words_.size(), MSG_NOSIGNAL));
  }
}

}  // namespace geobreaker::testing
