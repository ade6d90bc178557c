#include "support/fake_nominatim.hpp"

#include "support/fake_nominatim_wire.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <future>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>

namespace geobreaker::test {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr auto quietly = asio::as_tuple(asio::use_awaitable);
constexpr std::string_view known_modes =
    "ok, refuse, reset, http500, hang, html200, garbage, empty, truncate, slow:MS, 429, 429:SECONDS\n";

struct Mode {
  std::string name;  // without its number
  std::optional<long> number;
  std::string text;
};

std::optional<Mode> mode_of(const std::string& text) {
  Mode mode;
  mode.text = text;
  const auto colon = text.find(':');
  mode.name = text.substr(0, colon);
  if (colon != std::string::npos) {
    long value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data() + colon + 1, end, value);
    if (fault != std::errc{} || stop != end || value < 0) return std::nullopt;
    mode.number = value;
  }
  static const std::set<std::string> plain{"ok",      "refuse",  "reset", "http500", "hang",
                                           "html200", "garbage", "empty", "truncate"};
  const bool known = plain.count(mode.name) != 0 ? !mode.number
                     : mode.name == "slow"       ? mode.number.has_value()
                                                 : mode.name == "429";
  return known ? std::optional(mode) : std::nullopt;
}

/// What a request gets.
struct Plan {
  enum class End { keep, close, reset, never } end = End::keep;
  milliseconds delay{0};
  std::string bytes;
  std::string answer;  // for the log
};

std::string ok_answer(const WireRequest& request) {
  const std::string body = request.path == "/reverse" ? reverse_body(parameter(request.query, "lat"),
                                                                     parameter(request.query, "lon"))
                                                      : search_body(parameter(request.query, "q"));
  return wire_answer(200, "application/json; charset=utf-8", body);
}

Plan plan_for(const WireRequest& request, const Mode& mode, milliseconds latency) {
  using End = Plan::End;
  if (request.path != "/search" && request.path != "/reverse") {
    return {End::keep, {}, wire_answer(404, "text/plain", "no such path"), "404"};
  }
  if (mode.name == "hang") return {End::never, {}, {}, "none"};
  if (mode.name == "reset") return {End::reset, {}, {}, "none"};
  if (mode.name == "http500") {
    return {End::keep, {}, wire_answer(500, "text/plain", "Internal error"), "500"};
  }
  if (mode.name == "html200") {
    return {End::keep, {}, wire_answer(200, "text/html", "<html><body>Welcome</body></html>"), "200"};
  }
  if (mode.name == "garbage") {
    return {End::keep, {}, wire_answer(200, "application/json", "\x01\xff{[not json"), "200"};
  }
  if (mode.name == "empty") return {End::keep, {}, wire_answer(200, "application/json", "[]"), "200"};
  if (mode.name == "429") {
    const std::string header =
        mode.number ? "Retry-After: " + std::to_string(*mode.number) + "\r\n" : std::string{};
    return {End::keep, {}, wire_answer(429, "text/html", "<html>Too many requests</html>", header), "429"};
  }
  std::string bytes = ok_answer(request);
  if (mode.name == "truncate") {
    bytes.resize(bytes.size() - 20);
    return {End::close, {}, std::move(bytes), "200"};
  }
  return {End::keep, mode.name == "slow" ? milliseconds{*mode.number} : latency, std::move(bytes), "200"};
}

}  // namespace

class FakeNominatim::Impl {
 public:
  explicit Impl(Options options)
      : options_(std::move(options)), acceptor_(context_), control_acceptor_(context_) {
    const auto mode = mode_of(options_.mode);
    if (!mode)
      throw std::runtime_error("unknown mode " + options_.mode + "; known: " + std::string(known_modes));
    mode_ = *mode;
    if (!options_.log_file.empty()) {
      log_descriptor_ = ::open(options_.log_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
      if (log_descriptor_ < 0) throw std::runtime_error("cannot write " + options_.log_file);
    }
    open_port(acceptor_, options_.port);
    open_port(control_acceptor_, options_.control_port);
    port_ = acceptor_.local_endpoint().port();
    control_port_ = control_acceptor_.local_endpoint().port();
    if (mode_.name == "refuse") acceptor_.close();
    asio::co_spawn(context_, serve(acceptor_), asio::detached);
    asio::co_spawn(context_, serve(control_acceptor_), asio::detached);
    thread_ = std::thread([this] { context_.run(); });
  }

  ~Impl() {
    context_.stop();
    thread_.join();
    if (log_descriptor_ >= 0) ::close(log_descriptor_);
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::uint16_t control_port() const { return control_port_; }

  bool set_mode(const std::string& text) {
    const auto mode = mode_of(text);
    if (!mode) return false;
    std::promise<void> done;
    asio::dispatch(context_, [this, &mode, &done] {
      apply(*mode);
      done.set_value();
    });
    done.get_future().wait();
    return true;
  }

  [[nodiscard]] Stats stats() const {
    const std::lock_guard lock(mutex_);
    Stats result = stats_;
    result.mode = mode_.text;
    return result;
  }

  [[nodiscard]] std::vector<Seen> log() const {
    const std::lock_guard lock(mutex_);
    return log_;
  }

  void reset() {
    const std::lock_guard lock(mutex_);
    log_.clear();
    stats_.requests = 0;
    stats_.connections = 0;
    stats_.max_in_flight = stats_.in_flight;
  }

  template <class Predicate>
  bool wait(milliseconds limit, Predicate predicate) const {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, limit, [&] { return predicate(stats_); });
  }

 private:
  void open_port(tcp::acceptor& acceptor, std::uint16_t port) {
    const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
    acceptor.open(endpoint.protocol());
    acceptor.set_option(tcp::acceptor::reuse_address(true));
    acceptor.bind(endpoint);
    acceptor.listen(4096);
  }

  void apply(const Mode& mode) {  // on the server's thread
    const bool open = mode.name != "refuse";
    {
      const std::lock_guard lock(mutex_);
      mode_ = mode;
    }
    if (!open) {
      acceptor_.close();
      for (tcp::socket* socket : sockets_) {
        boost::system::error_code ignored;
        socket->close(ignored);
      }
    } else if (!acceptor_.is_open()) {
      open_port(acceptor_, port_);
      asio::co_spawn(context_, serve(acceptor_), asio::detached);
    }
  }

  asio::awaitable<void> serve(tcp::acceptor& acceptor) {
    const bool geocoding = &acceptor == &acceptor_;
    while (acceptor.is_open()) {
      auto [fault, socket] = co_await acceptor.async_accept(quietly);
      if (fault == asio::error::operation_aborted || fault == asio::error::bad_descriptor) co_return;
      if (fault) continue;
      boost::system::error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      if (geocoding) {
        const std::lock_guard lock(mutex_);
        ++stats_.connections;
      }
      asio::co_spawn(context_, session(std::move(socket), geocoding), asio::detached);
    }
  }

  asio::awaitable<void> session(tcp::socket socket, bool geocoding) {
    const Registration registration(*this, geocoding ? &socket : nullptr);
    std::string buffer;
    while (socket.is_open()) {
      auto [fault, size] =
          co_await asio::async_read_until(socket, asio::dynamic_buffer(buffer, 1 << 20), "\r\n\r\n", quietly);
      if (fault) co_return;
      const auto request = read_head(std::string_view(buffer).substr(0, size - 4));
      buffer.erase(0, size);
      if (!request) co_return;
      const auto told = control(*request);
      const bool go_on = told ? co_await send(socket, *told) : co_await answer(socket, *request);
      if (!go_on || !request->keep_alive) co_return;
    }
  }

  asio::awaitable<bool> send(tcp::socket& socket, const std::string& bytes) {
    auto [fault, size] = co_await asio::async_write(socket, asio::buffer(bytes), quietly);
    co_return !fault && size == bytes.size();
  }

  asio::awaitable<bool> answer(tcp::socket& socket, const WireRequest& request) {
    const Flight flight(*this);
    const Plan plan = record(request);
    if (plan.end == Plan::End::never) {
      co_await socket.async_wait(tcp::socket::wait_read,
                                 quietly);  // the client gives up, or the mode closes it
      co_return false;
    }
    if (plan.end == Plan::End::reset) {
      boost::system::error_code ignored;
      socket.set_option(asio::socket_base::linger(true, 0), ignored);
      socket.close(ignored);
      co_return false;
    }
    if (plan.delay > milliseconds::zero()) {
      asio::steady_timer timer(context_, plan.delay);
      co_await timer.async_wait(quietly);
      if (!socket.is_open()) co_return false;
    }
    const bool sent = co_await send(socket, plan.bytes);
    co_return sent&& plan.end == Plan::End::keep;
  }

  Plan record(const WireRequest& request) {
    const std::lock_guard lock(mutex_);
    Plan plan = plan_for(request, mode_, options_.latency);
    Seen seen;
    seen.at = std::chrono::duration_cast<milliseconds>(steady_clock::now() - started_);
    seen.path = request.path;
    seen.q = request.path == "/reverse"
                 ? parameter(request.query, "lat") + ',' + parameter(request.query, "lon")
                 : parameter(request.query, "q");
    seen.target = request.target;
    seen.user_agent = request.user_agent;
    seen.mode = mode_.text;
    seen.answer = plan.answer;
    append_to_file(seen);
    log_.push_back(std::move(seen));
    ++stats_.requests;
    changed_.notify_all();
    return plan;
  }

  static std::string line_of(const Seen& seen) {
    return "{\"ms\":" + std::to_string(seen.at.count()) + ",\"path\":" + json_quoted(seen.path) +
           ",\"q\":" + json_quoted(seen.q) + ",\"mode\":" + json_quoted(seen.mode) +
           ",\"answer\":" + json_quoted(seen.answer) + "}\n";
  }

  void append_to_file(const Seen& seen) const {
    if (log_descriptor_ < 0) return;
    const std::string line = line_of(seen);
    if (::write(log_descriptor_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
      throw std::runtime_error("the log file cannot be written");  // a count that is wrong is worse than none
    }
  }

  std::optional<std::string> control(const WireRequest& request) {
    if (request.path == "/_control") {
      const auto mode = mode_of(parameter(request.query, "mode"));
      if (!mode) return wire_answer(400, "text/plain", known_modes);
      apply(*mode);
      return wire_answer(200, "text/plain", mode->text + "\n");
    }
    if (request.path == "/_log") {
      std::string lines;
      for (const auto& seen : log()) lines += line_of(seen);
      return wire_answer(200, "application/x-ndjson", lines);
    }
    if (request.path == "/_stats") {
      const Stats now = stats();
      return wire_answer(200, "application/json",
                         "{\"requests\":" + std::to_string(now.requests) +
                             ",\"in_flight\":" + std::to_string(now.in_flight) +
                             ",\"max_in_flight\":" + std::to_string(now.max_in_flight) + ",\"connections\":" +
                             std::to_string(now.connections) + ",\"mode\":" + json_quoted(now.mode) + "}\n");
    }
    if (request.path == "/_reset") {
      reset();
      return wire_answer(200, "text/plain", "ok\n");
    }
    return std::nullopt;
  }

  /// A geocoding connection, for as long as it lives: mode refuse closes them all.
  class Registration {
   public:
    Registration(Impl& impl, tcp::socket* socket) : impl_(impl), socket_(socket) {
      if (socket_ != nullptr) impl_.sockets_.insert(socket_);
    }
    ~Registration() { impl_.sockets_.erase(socket_); }
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;

   private:
    Impl& impl_;
    tcp::socket* socket_;
  };

  /// A request that is being answered.
  class Flight {
   public:
    explicit Flight(Impl& impl) : impl_(impl) {
      const std::lock_guard lock(impl_.mutex_);
      ++impl_.stats_.in_flight;
      impl_.stats_.max_in_flight = std::max(impl_.stats_.max_in_flight, impl_.stats_.in_flight);
    }
    ~Flight() {
      const std::lock_guard lock(impl_.mutex_);
      --impl_.stats_.in_flight;
      impl_.changed_.notify_all();
    }
    Flight(const Flight&) = delete;
    Flight& operator=(const Flight&) = delete;

   private:
    Impl& impl_;
  };

  const Options options_;
  const steady_clock::time_point started_ = steady_clock::now();
  int log_descriptor_ = -1;
  std::uint16_t port_ = 0;
  std::uint16_t control_port_ = 0;

  mutable std::mutex mutex_;  // guards mode_, stats_ and log_
  mutable std::condition_variable changed_;
  Mode mode_;
  Stats stats_;
  std::vector<Seen> log_;

  std::set<tcp::socket*> sockets_;  // the server's thread only
  // Last: the sessions that it still holds when it goes touch the members above.
  asio::io_context context_{1};
  tcp::acceptor acceptor_;
  tcp::acceptor control_acceptor_;
  std::thread thread_;
};

FakeNominatim::FakeNominatim(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
FakeNominatim::FakeNominatim() : FakeNominatim(Options{}) {}
FakeNominatim::~FakeNominatim() = default;

std::uint16_t FakeNominatim::port() const { return impl_->port(); }
std::uint16_t FakeNominatim::control_port() const { return impl_->control_port(); }
std::string FakeNominatim::url() const { return "http://127.0.0.1:" + std::to_string(port()); }
bool FakeNominatim::set_mode(const std::string& mode) { return impl_->set_mode(mode); }
FakeNominatim::Stats FakeNominatim::stats() const { return impl_->stats(); }
std::vector<FakeNominatim::Seen> FakeNominatim::log() const { return impl_->log(); }
void FakeNominatim::reset() { impl_->reset(); }

bool FakeNominatim::wait_for_requests(std::size_t count, milliseconds limit) const {
  return impl_->wait(limit, [count](const Stats& stats) { return stats.requests >= count; });
}

bool FakeNominatim::wait_until_quiet(milliseconds limit) const {
  return impl_->wait(limit, [](const Stats& stats) { return stats.in_flight == 0; });
}

}  // namespace geobreaker::test
