#pragma once

#include <geobreaker/chain/fallback_chain.hpp>

#include <string>
#include <vector>

namespace geobreaker {

/// One provider as the progress line and the summary show it.
struct ProviderView {
  std::string name;
  std::string state;  ///< "closed", "open 12s", "half-open", "paused 30s", "forced-open"
  CallCounts calls;
  BreakerCounts breaker;
  std::string last_trouble;
};

[[nodiscard]] std::vector<ProviderView> view_providers(const FallbackChain& chain);

}  // namespace geobreaker
