#include <geobreaker/stack/retry.hpp>

#include <algorithm>

namespace geobreaker {

std::chrono::microseconds backoff(const RetryPolicy& policy, int attempt, Random& random) noexcept {
  constexpr int most_doublings = 30;
  const double factor = static_cast<double>(1U << std::clamp(attempt - 2, 0, most_doublings));
  const double cap =
      std::min(static_cast<double>(policy.base.count()) * factor, static_cast<double>(policy.max.count()));
  return std::chrono::microseconds{static_cast<std::int64_t>(random.unit() * cap * 1000.0)};
}

}  // namespace geobreaker
