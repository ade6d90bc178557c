#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace geobreaker::testing {

/// Something on a port of 127.0.0.1 that is no Redis.
class StrangeServer {
 public:
  enum class Manner {
    swallows,  ///< its backlog is full: the kernel drops every SYN, as a black-holed route would
    silent,    ///< accepts and never answers
    babbles,   ///< accepts and sends `words` to everybody
  };
  explicit StrangeServer(Manner manner, std::string words = {});
  ~StrangeServer();
  StrangeServer(const StrangeServer&) = delete;
  StrangeServer& operator=(const StrangeServer&) = delete;
  [[nodiscard]] std::string url() const { return "redis://127.0.0.1:" + std::to_string(port_); }

 private:
  void fill_backlog();
  void serve();

  Manner manner_;
  std::string words_;
  int listener_ = -1;
  int port_ = 0;
  std::vector<int> sockets_;  // of the serving thread, once there is one
  std::atomic<bool> over_{false};
  std::thread thread_;
};

}  // namespace geobreaker::testing
