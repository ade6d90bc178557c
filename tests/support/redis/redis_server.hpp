#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace geobreaker::testing {

/// A redis-server of the test's own on a free port of 127.0.0.1, with its files in a temporary folder, killed
/// at the end. The constructor returns when it answers; throws std::runtime_error if it does not within 10 s.
class RedisServer {
 public:
  /// `arguments`: further words of the command line, e.g. {"--maxmemory", "1mb"}.
  explicit RedisServer(std::vector<std::string> arguments = {});
  ~RedisServer();
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  [[nodiscard]] int port() const noexcept { return port_; }
  [[nodiscard]] std::string url(int database = 0) const;
  [[nodiscard]] pid_t pid() const noexcept { return pid_; }

  /// SIGKILL. What was stored is gone, the port refuses connections.
  void stop();
  /// Starts it again on the same port, with further `arguments`: empty, unless the test has made it SAVE.
  void start(const std::vector<std::string>& arguments = {});
  void freeze();  ///< SIGSTOP: connections are still accepted by the kernel, nothing is answered
  void thaw();    ///< SIGCONT

 private:
  [[nodiscard]] bool launch(const std::vector<std::string>& arguments = {});
  [[nodiscard]] bool answers() const;

  std::vector<std::string> arguments_;
  std::string folder_;
  int port_ = 0;
  pid_t pid_ = -1;
};

/// A port of 127.0.0.1 that was free a moment ago.
[[nodiscard]] int free_port();

}  // namespace geobreaker::testing
