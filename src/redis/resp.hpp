#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct redisReader;

namespace geobreaker::redis {

/// Appends one element of a command in RESP.
void append_bulk(std::string& out, std::string_view word);
/// Appends a whole command.
void append_command(std::string& out, const std::vector<std::string>& words);

/// One answer of the server.
struct RespValue {
  enum class Kind : std::uint8_t { nil, text, integer, error, array };
  Kind kind = Kind::nil;
  std::string text;  ///< of text and error
  std::int64_t integer = 0;
  std::vector<RespValue> items;
};

/// Cuts the server's bytes into answers; hiredis does the parsing.
class RespReader {
 public:
  RespReader();
  /// False: what came is no RESP, and nothing that follows can be trusted.
  [[nodiscard]] bool feed(std::string_view bytes);
  /// The next complete answer, if there is one. Once `broken`, there is none.
  [[nodiscard]] std::optional<RespValue> next();
  [[nodiscard]] bool broken() const noexcept { return broken_; }

 private:
  struct Free {
    void operator()(redisReader* reader) const noexcept;
  };
  std::unique_ptr<redisReader, Free> reader_;
  bool broken_ = false;
};

}  // namespace geobreaker::redis
