#include "support/redis/redis_server.hpp"

#include "support/redis/redis_client.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <thread>

extern char** environ;

namespace geobreaker::testing {

int free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (fd < 0 || bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error("no free port");
  close(fd);
  return ntohs(address.sin_port);
}

RedisServer::RedisServer(std::vector<std::string> arguments) : arguments_(std::move(arguments)) {
  std::string pattern = (std::filesystem::temp_directory_path() / "geobreaker-redis-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder " + pattern);
  folder_ = pattern;
  // Another process may take the port between its choice and the server's bind: then another port is tried.
  for (int attempt = 0; attempt < 10; ++attempt) {
    port_ = free_port();
    if (launch()) return;
  }
  throw std::runtime_error("redis-server did not start; its log is in " + folder_);
}

RedisServer::~RedisServer() {
  stop();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string RedisServer::url(int database) const {
  return "redis://127.0.0.1:" + std::to_string(port_) + "/" + std::to_string(database);
}

void RedisServer::start(const std::vector<std::string>& arguments) {
  stop();
  if (!launch(arguments))
    throw std::runtime_error("redis-server did not start again on port " + std::to_string(port_));
}

bool RedisServer::launch(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{"redis-server",
                                 "--port",
                                 std::to_string(port_),
                                 "--bind",
                                 "127.0.0.1",
                                 "--save",
                                 "",
                                 "--appendonly",
                                 "no",
                                 "--dir",
                                 folder_,
                                 "--daemonize",
                                 "no",
                                 "--logfile",
                                 folder_ + "/log",
                                 "--databases",
                                 "16"};
  words.insert(words.end(), arguments_.begin(), arguments_.end());
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  if (posix_spawnp(&pid_, "redis-server", nullptr, nullptr, argv.data(), environ) != 0) {
    pid_ = -1;
    throw std::runtime_error("redis-server is not installed");
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{10};
  while (std::chrono::steady_clock::now() < deadline) {
    if (answers()) return true;
    if (waitpid(pid_, nullptr, WNOHANG) == pid_) {  // it gave up, for instance because the port was taken
      pid_ = -1;
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{2});  // polling another process's start
  }
  return false;
}

bool RedisServer::answers() const {
  try {
    RedisClient client(port_);
    const RedisValue pid = client.command({"INFO", "server"});
    return pid.is_error() || pid.text.find("process_id:" + std::to_string(pid_) + "\r") != std::string::npos;
  } catch (const std::exception&) {
    return false;
  }
}

void RedisServer::stop() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

void RedisServer::freeze() {
  kill(pid_, SIGSTOP);
  // The signal acts asynchronously: wait until the kernel says that the process has stopped.
  int status = 0;
  while (waitpid(pid_, &status, WUNTRACED) == pid_ && !WIFSTOPPED(status)) {
  }
}

void RedisServer::thaw() { kill(pid_, SIGCONT); }

}  // namespace geobreaker::testing
