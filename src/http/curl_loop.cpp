#include "http/curl_loop.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace geobreaker::detail {
namespace {

using std::chrono::steady_clock;
constexpr auto never = steady_clock::time_point::max();

CurlLoop& loop_of(void* self) noexcept { return *static_cast<CurlLoop*>(self); }

}  // namespace

CurlLoop::CurlLoop(const boost::asio::any_io_executor& executor, OnDone on_done,
                   std::size_t idle_connections_max)
    : executor_(executor), watched_(executor), timer_(executor), on_done_(std::move(on_done)) {
  multi_ = curl_multi_init();
  if (!usable()) return;
  boost::system::error_code fault;
  watched_.assign(sockets_.epoll_descriptor(), fault);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &CurlLoop::on_socket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &CurlLoop::on_timer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
  curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, static_cast<long>(idle_connections_max));
}

CurlLoop::~CurlLoop() { close(); }

void CurlLoop::adopt(CURL* easy) {
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, &CurlLoop::on_open);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, this);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, &CurlLoop::on_close);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, this);
}

CURLMcode CurlLoop::add(CURL* easy) {
  const CURLMcode code = curl_multi_add_handle(multi_, easy);  // asks for a kick through on_timer
  if (code != CURLM_OK) return code;
  ++active_;
  wait_for_sockets();
  return code;
}

void CurlLoop::remove(CURL* easy) {
  curl_multi_remove_handle(multi_, easy);
  --active_;
  if (active_ != 0 || rest_posted_ || closed_) return;
  // Behind the completions that are already queued: most of them start the next request at once.
  rest_posted_ = true;
  boost::asio::post(executor_, [self = shared_from_this()] { self->rest_if_idle(); });
}

void CurlLoop::close() {
  if (std::exchange(closed_, true)) return;
  if (multi_ != nullptr) curl_multi_cleanup(std::exchange(multi_, nullptr));
  if (watched_.is_open()) watched_.release();  // the socket set closes it
  timer_.cancel();
}

void CurlLoop::rest_if_idle() {
  rest_posted_ = false;
  if (active_ != 0 || closed_) return;
  boost::system::error_code ignored;
  watched_.cancel(ignored);
  timer_.cancel();
  armed_for_ = never;  // a deadline that comes before the cancelled wait has ended must arm the timer anew
}

int CurlLoop::on_socket(CURL*, curl_socket_t socket, int what, void* self, void*) noexcept {
  loop_of(self).sockets_.want(socket, what);
  return 0;
}

int CurlLoop::on_timer(CURLM*, long timeout_ms, void* self) noexcept {
  loop_of(self).set_deadline(timeout_ms);
  return 0;
}

curl_socket_t CurlLoop::on_open(void* self, curlsocktype, curl_sockaddr* address) noexcept {
  return loop_of(self).sockets_.open(*address);
}

int CurlLoop::on_close(void* self, curl_socket_t socket) noexcept {
  return loop_of(self).sockets_.close(socket);
}

void CurlLoop::set_deadline(long timeout_ms) {
  if (closed_) return;
  if (timeout_ms < 0) {
    deadline_ = never;
    return;
  }
  if (timeout_ms == 0) {
    // At once, but not from inside of curl, which is where this comes from.
    deadline_ = never;
    if (std::exchange(kick_posted_, true)) return;
    boost::asio::post(executor_, [self = shared_from_this()] { self->kick(); });
    return;
  }
  deadline_ = steady_clock::now() + std::chrono::milliseconds{timeout_ms};
  if (deadline_ < armed_for_) wait_until_deadline();
}

void CurlLoop::wait_until_deadline() {
  armed_for_ = deadline_;
  timer_.expires_at(armed_for_);  // cancels the wait that is pending
  timer_.async_wait([self = shared_from_this(), armed = armed_for_](boost::system::error_code fault) {
    if (self->armed_for_ == armed) self->armed_for_ = never;
    if (fault || self->closed_ || self->deadline_ == never) return;
    if (steady_clock::now() >= self->deadline_) {
      self->kick();
    } else if (self->deadline_ < self->armed_for_) {
      self->wait_until_deadline();
    }
  });
}

void CurlLoop::kick() {
  kick_posted_ = false;
  if (closed_) return;
  deadline_ = never;  // curl says the next one from within
  int running = 0;
  curl_multi_socket_action(multi_, CURL_SOCKET_TIMEOUT, 0, &running);
  drain();
}

void CurlLoop::wait_for_sockets() {
  if (std::exchange(waiting_for_sockets_, true)) return;
  watched_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                      [self = shared_from_this()](boost::system::error_code fault) {
                        self->waiting_for_sockets_ = false;
                        if (self->closed_) return;
                        if (!fault) self->serve_sockets();
                        if (self->active_ != 0) self->wait_for_sockets();
                      });
}

void CurlLoop::serve_sockets() {
  for (const auto& ready : sockets_.poll()) {
    int running = 0;
    curl_multi_socket_action(multi_, ready.socket, ready.events, &running);
  }
  drain();
}

void CurlLoop::drain() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    // The message dies with the transfer's removal: copy first.
    CURL* const easy = message->easy_handle;
    const CURLcode code = message->data.result;
    remove(easy);
    on_done_(easy, code);
  }
}

}  // namespace geobreaker::detail
