#include "redis/stored_state.hpp"

#include "redis/decision_text.hpp"
#include "redis/script_call.hpp"

#include <sstream>
#include <stdexcept>
#include <vector>

namespace geobreaker::testing {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  if (text.empty() || text.back() == separator) parts.emplace_back();
  return parts;
}

std::vector<std::int64_t> numbers(const std::string& text, std::size_t expected) {
  std::vector<std::int64_t> all;
  for (const std::string& part : split(text, ' ')) all.push_back(std::stoll(part));
  if (all.size() != expected) throw std::runtime_error("wrong number of integers: " + text);
  return all;
}

SharedTime at(std::int64_t value) { return SharedTime{Micros{value}}; }

core::Bucket bucket_of(const std::string& text) {
  const auto n = numbers(text, 4);
  return {n[0], n[1], n[2], Micros{n[3]}};
}

core::Window window_of(const std::string& text) {
  const auto parts = split(text, '|');
  if (parts.size() != 5) throw std::runtime_error("a window has five parts: " + text);
  const auto head = numbers(parts[0], 7);
  core::Window window;
  window.bucket_width = Micros{head[2]};
  window.run = head[3];
  window.run_first = at(head[4]);
  window.run_last = at(head[5]);
  window.share_since = at(head[6]);
  for (const std::string& slice : split(parts[3], ';'))
    if (!slice.empty()) window.buckets.push_back(bucket_of(slice));
  window.buckets.push_back(bucket_of(parts[1]));
  for (const std::string& reporter : split(parts[4], ';')) {
    if (reporter.empty()) continue;
    const std::size_t space = reporter.find(' ');
    window.reporters.push_back({reporter.substr(0, space), at(std::stoll(reporter.substr(space + 1)))});
  }
  return window;
}

}  // namespace

core::BreakerState state_of(const std::array<std::optional<std::string>, 5>& texts) {
  core::BreakerState state;
  if (texts[0]) {
    const auto decision = redis::parse_decision(*texts[0]);
    if (!decision) throw std::runtime_error("no decision: " + *texts[0]);
    state.decision = *decision;
  }
  if (texts[1]) state.window = window_of(*texts[1]);
  if (texts[2]) {
    const auto token = redis::parse_token(texts[2]->substr(2));
    if (!token) throw std::runtime_error("no token: " + *texts[2]);
    state.token = *token;
  }
  if (texts[3]) {
    const auto n = numbers(*texts[3], 3);
    state.neutral_probes = static_cast<std::int32_t>(n[1]);
    state.closed_at = at(n[2]);
  }
  if (texts[4]) {
    const auto n = numbers(*texts[4], 5);
    state.tally = {n[1], n[2], n[3], n[4]};
  }
  return state;
}

}  // namespace geobreaker::testing
