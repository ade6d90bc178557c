#pragma once

#include <geobreaker/random.hpp>

#include <chrono>

namespace geobreaker {

/// How often one record may try one provider within one permit.
struct RetryPolicy {
  int attempts = 2;  ///< the first call counts
  std::chrono::milliseconds base{200};
  std::chrono::milliseconds max{5000};
  std::chrono::milliseconds deadline{60'000};  ///< no attempt begins later than this after the first one
};

/// The wait before attempt `attempt` (2, 3, ...): evenly drawn from [0, min(max, base * 2^(attempt - 2))),
/// the "full jitter" of Marc Brooker, "Exponential Backoff and Jitter" (AWS architecture blog, 2015).
[[nodiscard]] std::chrono::microseconds backoff(const RetryPolicy& policy, int attempt,
                                                Random& random) noexcept;

}  // namespace geobreaker
