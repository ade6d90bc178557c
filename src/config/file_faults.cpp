#include "config/file_faults.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace geobreaker::config {

void FileFaults::add_unread(const std::string& path, Position at, std::string text) {
  unread_.push_back(path);
  add(at, std::move(text));
}

void FileFaults::add(const Fault& fault) {
  if (std::find(unread_.begin(), unread_.end(), fault.at) != unread_.end()) return;
  add(position_of(fault.at), fault.text);
}

Position FileFaults::position_of(std::string path) const {
  while (true) {
    if (const auto found = positions_.find(path); found != positions_.end()) return found->second;
    const auto dot = path.rfind('.');
    if (dot == std::string::npos) return {};
    path.resize(dot);
  }
}

Error FileFaults::as_error() const {
  std::vector<Line> sorted = lines_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Line& a, const Line& b) {
    return std::tie(a.at.line, a.at.column) < std::tie(b.at.line, b.at.column);
  });
  std::string text;
  for (const Line& line : sorted) {
    if (!text.empty()) text += '\n';
    text += source_name_;
    if (line.at.line != 0) {
      text.append(":")
          .append(std::to_string(line.at.line))
          .append(":")
          .append(std::to_string(line.at.column));
    }
    text.append(": ").append(line.text);
  }
  return {Errc::invalid_config, std::move(text)};
}

}  // namespace geobreaker::config
