#pragma once

#include <optional>
#include <string>
#include <vector>

namespace geobreaker {

/// What the command line of `geobreaker geocode` said, unchecked. Empty: not given.
struct GeocodeOptions {
  std::string input;
  std::string output;
  std::string config;
  std::vector<std::string> providers;  ///< KIND[=URL], in chain order; replace those of the configuration
  std::string contact;
  std::vector<std::string> address;
  std::string store;
  std::optional<int> concurrency;
  std::string prefix = "geo_";
  std::string delimiter;
  std::string on_skip;
  std::string max_wait;
  std::string accept;
  bool quiet = false;  ///< no progress, no summary; errors and warnings all the same
};

/// What the process says to its caller; documented in docs/geocode.md.
enum class ExitCode : int {
  all_done = 0,       ///< every row ok or no-match
  some_failed = 1,    ///< some rows failed, were refused, or are below the threshold
  usage = 2,          ///< command line or configuration
  unusable = 3,       ///< input, output or journal
  interrupted = 130,  ///< by Ctrl-C or SIGTERM
};

}  // namespace geobreaker
