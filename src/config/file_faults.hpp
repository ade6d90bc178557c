#pragma once

#include "config/check.hpp"

#include <geobreaker/result.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace geobreaker::config {

/// A place in the file; line 0: nowhere in particular.
struct Position {
  unsigned line = 0;
  unsigned column = 0;
};

/// The faults of one file, and where its keys stand.
class FileFaults {
 public:
  explicit FileFaults(std::string_view source_name) : source_name_(source_name) {}

  /// Remembers where the key or table `path` (as in Fault::at) is written.
  void locate(const std::string& path, Position at) { positions_[path] = at; }
  void add(Position at, std::string text) { lines_.push_back({at, std::move(text)}); }
  /// A value that could not be read: its key keeps the default, about which nothing more is to be said.
  void add_unread(const std::string& path, Position at, std::string text);
  /// A fault of what was read; it stands where its key is, or else the table around it.
  void add(const Fault& fault);

  [[nodiscard]] bool empty() const noexcept { return lines_.empty(); }
  /// All of them in the order of the file, one line each.
  [[nodiscard]] Error as_error() const;

 private:
  struct Line {
    Position at;
    std::string text;
  };
  [[nodiscard]] Position position_of(std::string path) const;

  std::string source_name_;
  std::map<std::string, Position> positions_;
  std::vector<std::string> unread_;
  std::vector<Line> lines_;
};

}  // namespace geobreaker::config
