#include "http/canned_server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>

#include <optional>
#include <stdexcept>

namespace geobreaker::test {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using TlsStream = asio::ssl::stream<tcp::socket&>;

template <class Stream>
class ConnectionOn final : public Connection {
 public:
  using Note = std::function<void(const std::string&)>;
  ConnectionOn(Stream& stream, tcp::socket& socket, Note note)
      : stream_(stream), socket_(socket), note_(std::move(note)) {}

  std::string read_head() override {
    boost::system::error_code fault;
    const auto size = asio::read_until(stream_, asio::dynamic_buffer(buffer_), "\r\n\r\n", fault);
    if (fault) return {};
    std::string head = buffer_.substr(0, size);
    buffer_.erase(0, size);
    note_(head);
    return head;
  }

  bool write(std::string_view bytes) override {
    boost::system::error_code fault;
    asio::write(stream_, asio::buffer(bytes.data(), bytes.size()), fault);
    return !fault;
  }

  void wait_for_close() override {
    boost::system::error_code fault;
    char byte = 0;
    while (!fault) stream_.read_some(asio::buffer(&byte, 1), fault);
  }

  void reset_at_close() override { socket_.set_option(asio::socket_base::linger(true, 0)); }

 private:
  Stream& stream_;
  tcp::socket& socket_;
  Note note_;
  std::string buffer_;
};

}  // namespace

class CannedServer::Impl {
 public:
  Impl(Serve serve, std::optional<TlsIdentity> identity)
      : serve_(std::move(serve)),
        acceptor_(context_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)),
        tls_(asio::ssl::context::tls_server),
        has_tls_(identity.has_value()) {
    if (identity) {
      tls_.use_certificate_chain(asio::buffer(identity->certificate));
      tls_.use_private_key(asio::buffer(identity->key), asio::ssl::context::pem);
    }
    thread_ = std::thread([this] { run(); });
  }

  ~Impl() {
    stopping_ = true;
    boost::system::error_code ignored;
    tcp::socket knock(context_);  // wakes the accept
    knock.connect(tcp::endpoint(asio::ip::address_v4::loopback(), port()), ignored);
    thread_.join();
  }

  [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  [[nodiscard]] bool has_tls() const { return has_tls_; }

  [[nodiscard]] std::vector<std::string> heads() const {
    const std::lock_guard lock(mutex_);
    return heads_;
  }

 private:
  void run() {
    for (;;) {
      boost::system::error_code fault;
      tcp::socket socket(context_);
      acceptor_.accept(socket, fault);
      if (stopping_) return;
      if (!fault) serve_one(socket);
    }
  }

  void serve_one(tcp::socket& socket) {
    const auto note = [this](const std::string& head) {
      const std::lock_guard lock(mutex_);
      heads_.push_back(head);
    };
    if (!has_tls_) {
      ConnectionOn<tcp::socket> connection(socket, socket, note);
      serve_(connection);
      return;
    }
    TlsStream stream(socket, tls_);
    boost::system::error_code fault;
    stream.handshake(TlsStream::server, fault);
    if (fault) return;
    ConnectionOn<TlsStream> connection(stream, socket, note);
    serve_(connection);
    stream.shutdown(fault);
  }

  const Serve serve_;
  asio::io_context context_;
  tcp::acceptor acceptor_;
  asio::ssl::context tls_;
  const bool has_tls_;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;  // guards heads_
  std::vector<std::string> heads_;
  std::thread thread_;
};

CannedServer::CannedServer(Serve serve) : impl_(std::make_unique<Impl>(std::move(serve), std::nullopt)) {}
CannedServer::CannedServer(Serve serve, const TlsIdentity& identity)
    : impl_(std::make_unique<Impl>(std::move(serve), identity)) {}
CannedServer::~CannedServer() = default;

CannedServer::Serve CannedServer::always(std::string bytes) {
  return [bytes = std::move(bytes)](Connection& connection) {
    while (!connection.read_head().empty() && connection.write(bytes)) {
    }
  };
}

std::uint16_t CannedServer::port() const { return impl_->port(); }

std::string CannedServer::url() const {
  return (impl_->has_tls() ? "https://localhost:" : "http://127.0.0.1:") + std::to_string(port());
}

std::vector<std::string> CannedServer::heads() const { return impl_->heads(); }

}  // namespace geobreaker::test
