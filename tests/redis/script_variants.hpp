#pragma once

#include "redis/transition_script.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

namespace geobreaker::testing {

/// The shipped script with one passage replaced; throws if the passage is not in it exactly once.
inline std::string script_with(std::string_view passage, std::string_view replacement,
                               std::string text = std::string(redis::transition_script())) {
  const std::size_t at = text.find(passage);
  if (at == std::string::npos || text.find(passage, at + 1) != std::string::npos)
    throw std::logic_error("the script does not hold exactly once: " + std::string(passage));
  return text.replace(at, passage.size(), replacement);
}

/// The key whose value is the time that the variant below takes for the store's.
inline constexpr const char* test_clock_key = "geobreaker-test-clock";

/// The shipped script, but its time is the integer under test_clock_key: the shipped text itself offers no
/// way to inject one.
inline std::string script_on_test_clock() {
  return script_with("local clock = redis.call('TIME')\nlocal now = clock[1] * 1000000 + clock[2]\n",
                     "local now = tonumber(redis.call('GET', '" + std::string(test_clock_key) + "'))\n");
}

/// A mutant that does not look at the lease: whoever asks after the cool-down becomes a probe.
inline std::string script_without_lease_guard() {
  return script_with("if now < d.lease_end then return 1, d.lease_end end", "");
}

}  // namespace geobreaker::testing
