#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

struct redisContext;

namespace geobreaker::testing {

/// What a server answered, for assertions.
struct RedisValue {
  enum class Kind { nil, text, integer, error, array };
  Kind kind = Kind::nil;
  std::string text;  ///< of text, status and error
  std::int64_t integer = 0;
  std::vector<RedisValue> items;
  [[nodiscard]] bool is_error() const noexcept { return kind == Kind::error; }
};

/// A blocking client without any knowledge of the protocol under test. Throws if the connection fails.
/// Threads: one at a time.
class RedisClient {
 public:
  explicit RedisClient(int port);
  ~RedisClient();
  RedisClient(const RedisClient&) = delete;
  RedisClient& operator=(const RedisClient&) = delete;

  RedisValue command(const std::vector<std::string>& words);
  /// Sends all, then reads all: one round trip.
  std::vector<RedisValue> pipeline(const std::vector<std::vector<std::string>>& commands);

  [[nodiscard]] std::optional<std::string> get(const std::string& key);
  void set(const std::string& key, const std::string& value) { command({"SET", key, value}); }
  /// Milliseconds; -1: no expiry; -2: no such key.
  [[nodiscard]] std::int64_t pttl(const std::string& key) { return command({"PTTL", key}).integer; }
  [[nodiscard]] std::vector<std::string> keys(const std::string& pattern);

 private:
  void append(const std::vector<std::string>& words);
  RedisValue read();
  redisContext* context_;
};

}  // namespace geobreaker::testing
