#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace geobreaker::test {

/// A certificate with its key, both PEM, made for one test.
struct TlsIdentity {
  std::string certificate;
  std::string key;
};

struct IdentityOptions {
  std::string host = "localhost";  // or an IPv4 address
  bool expired = false;
};

/// A certificate that signs itself, and so is also the authority that one may trust. Throws
/// std::runtime_error.
[[nodiscard]] TlsIdentity make_self_signed(const IdentityOptions& options);

/// What a CannedServer does with one connection.
class Connection {
 public:
  virtual ~Connection() = default;
  /// Reads up to the end of a request's head; empty if the peer closed.
  virtual std::string read_head() = 0;
  /// False if the peer is gone.
  virtual bool write(std::string_view bytes) = 0;
  /// Waits until the peer closes.
  virtual void wait_for_close() = 0;
  /// The connection ends with a RST, not with a FIN.
  virtual void reset_at_close() = 0;
};

/// Serves one connection after the other on 127.0.0.1, each as `serve` says, then closes it. With an identity
/// it speaks TLS; a handshake that fails is counted and is the end of that connection.
class CannedServer {
 public:
  using Serve = std::function<void(Connection&)>;
  explicit CannedServer(Serve serve);
  CannedServer(Serve serve, const TlsIdentity& identity);
  ~CannedServer();
  CannedServer(const CannedServer&) = delete;
  CannedServer& operator=(const CannedServer&) = delete;

  /// Answers every request on a connection with these bytes.
  [[nodiscard]] static Serve always(std::string bytes);

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::string url() const;  // http://127.0.0.1:PORT, https://localhost:PORT
  /// The heads that were read so far.
  [[nodiscard]] std::vector<std::string> heads() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace geobreaker::test
