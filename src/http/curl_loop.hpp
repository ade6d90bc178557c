#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <curl/curl.h>

#include <functional>
#include <memory>
#include <vector>

namespace geobreaker::detail {

/// Which sockets curl wants watched, kept in one epoll set of our own: Asio then watches a single descriptor,
/// and one wake-up serves every socket that became ready.
///
/// A request on a kept connection makes curl announce the same socket, and withdraw it, over and over. For
/// sockets that were opened here the withdrawal only takes effect when an event comes that nobody wants, so
/// that a busy connection costs no system call for it.
class SocketSet {
 public:
  SocketSet();
  ~SocketSet();
  SocketSet(const SocketSet&) = delete;
  SocketSet& operator=(const SocketSet&) = delete;

  /// -1 where the kernel gave none.
  [[nodiscard]] int epoll_descriptor() const noexcept { return epoll_; }
  /// A socket for curl, known to be ours until closed() is told.
  [[nodiscard]] curl_socket_t open(const curl_sockaddr& address) noexcept;
  int close(curl_socket_t socket) noexcept;
  /// `what` is one of curl's CURL_POLL_ values.
  void want(curl_socket_t socket, int what) noexcept;

  struct Ready {
    curl_socket_t socket;
    int events;  ///< CURL_CSELECT_ bits
  };
  /// The sockets that are ready now and wanted, without waiting. Valid until the next call.
  [[nodiscard]] const std::vector<Ready>& poll();

 private:
  struct Entry {
    unsigned registered = 0;  // epoll bits that the kernel knows; 0: not in the set
    unsigned wanted = 0;
    bool ours = false;
  };
  Entry& entry(curl_socket_t socket);
  void update(curl_socket_t socket, Entry& entry) noexcept;
  void forget(curl_socket_t socket, Entry& entry) noexcept;

  int epoll_;
  std::vector<Entry> entries_;  // by descriptor
  std::vector<Ready> ready_;
};

/// Drives one curl multi handle on an Asio executor.
/// Threads: the executor's one thread (or strand).
class CurlLoop : public std::enable_shared_from_this<CurlLoop> {
 public:
  using OnDone = std::function<void(CURL*, CURLcode)>;

  /// `on_done` is called outside of any curl callback; it may add and remove transfers.
  CurlLoop(const boost::asio::any_io_executor& executor, OnDone on_done, std::size_t idle_connections_max);
  ~CurlLoop();
  CurlLoop(const CurlLoop&) = delete;
  CurlLoop& operator=(const CurlLoop&) = delete;

  [[nodiscard]] bool usable() const noexcept { return multi_ != nullptr && sockets_.epoll_descriptor() >= 0; }
  /// Options of an easy handle that tie its sockets to this loop; once per handle.
  void adopt(CURL* easy);
  [[nodiscard]] CURLMcode add(CURL* easy);
  void remove(CURL* easy);
  /// Closes every connection; nothing is waited for any more. Transfers must have been removed; none may be
  /// added.
  void close();

 private:
  static int on_socket(CURL*, curl_socket_t socket, int what, void* self, void*) noexcept;
  static int on_timer(CURLM*, long timeout_ms, void* self) noexcept;
  static curl_socket_t on_open(void* self, curlsocktype, curl_sockaddr* address) noexcept;
  static int on_close(void* self, curl_socket_t socket) noexcept;

  void set_deadline(long timeout_ms);
  void wait_until_deadline();
  void wait_for_sockets();
  void kick();
  void serve_sockets();
  void drain();
  void rest_if_idle();

  SocketSet sockets_;
  boost::asio::any_io_executor executor_;
  boost::asio::posix::stream_descriptor watched_;
  boost::asio::steady_timer timer_;
  OnDone on_done_;
  CURLM* multi_ = nullptr;
  std::size_t active_ = 0;
  // What curl asked for, and what the timer is armed for. The timer is only moved when the deadline moves
  // closer; when it fires too early it is armed again: most deadlines are withdrawn long before they pass.
  std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::time_point::max();
  std::chrono::steady_clock::time_point armed_for_ = std::chrono::steady_clock::time_point::max();
  bool waiting_for_sockets_ = false;
  bool kick_posted_ = false;
  bool rest_posted_ = false;
  bool closed_ = false;
};

}  // namespace geobreaker::detail
