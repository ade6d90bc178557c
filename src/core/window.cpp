#include "core/window.hpp"

#include <algorithm>
#include <cmath>

namespace geobreaker::core {

namespace {

constexpr std::int64_t most_buckets = 120;
/// Reached only where workers with very different windows share one state: then the oldest slices go first.
constexpr std::size_t most_kept = 256;
constexpr std::int64_t million = 1'000'000;

std::int64_t index_of(SharedTime at, Micros width) noexcept { return at.time_since_epoch() / width; }

std::int64_t first_index(const Window& window, Micros span, SharedTime now) noexcept {
  return index_of(now - span, window.bucket_width);
}

void drop_expired(Window& window, const BreakerConfig& config, SharedTime now) {
  const std::int64_t first = first_index(window, config.window, now);
  const auto live = std::find_if(window.buckets.begin(), window.buckets.end(),
                                 [&](const Bucket& b) { return b.index >= first; });
  window.buckets.erase(window.buckets.begin(), live);
}

bool enough_reporters(const Window& window, const BreakerConfig& config, SharedTime now) noexcept {
  if (config.min_reporters <= 1) return true;
  const auto recent = std::count_if(window.reporters.begin(), window.reporters.end(),
                                    [&](const Reporter& r) { return r.last >= now - config.window; });
  return recent >= config.min_reporters;
}

/// In whole millionths, so that every implementation of the protocol compares the same integers.
std::int64_t rate_in_millionths(const BreakerConfig& config) noexcept {
  return std::llround(config.failure_rate * static_cast<double>(million));
}

bool share_reached(Counts counts, const BreakerConfig& config) noexcept {
  return counts.failures >= config.threshold &&
         counts.failures * million >= rate_in_millionths(config) * counts.calls;
}

}  // namespace

Micros bucket_width(const BreakerConfig& config) noexcept {
  return std::max({Micros{1000}, config.short_window_or_default() / 10, config.window / most_buckets});
}

void forgive_the_future(Window& window, SharedTime now) {
  window.run_first = std::min(window.run_first, now);
  window.run_last = std::min(window.run_last, now);
  window.share_since = std::min(window.share_since, now);
  for (Reporter& r : window.reporters) r.last = std::min(r.last, now);
  if (window.buckets.empty()) return;
  Bucket merged{index_of(now, window.bucket_width), 0, 0, {}};
  while (!window.buckets.empty() && window.buckets.back().index >= merged.index) {
    const Bucket& last = window.buckets.back();
    merged.calls += last.calls;
    merged.failures += last.failures;
    merged.flush = std::max(merged.flush, last.flush);
    window.buckets.pop_back();
  }
  if (merged.calls > 0) window.buckets.push_back(merged);
}

void count(Window& window, std::int64_t calls, std::int64_t failures, Micros flush,
           const BreakerConfig& config, SharedTime now) {
  if (window.bucket_width == Micros{0}) window.bucket_width = bucket_width(config);
  drop_expired(window, config, now);
  if (window.buckets.empty()) window.bucket_width = bucket_width(config);
  const std::int64_t present = index_of(now, window.bucket_width);
  if (window.buckets.empty() || window.buckets.back().index != present)
    window.buckets.push_back({present, 0, 0, {}});
  if (window.buckets.size() > most_kept) window.buckets.erase(window.buckets.begin());
  Bucket& bucket = window.buckets.back();
  bucket.calls += calls;
  bucket.failures += failures;
  bucket.flush = std::max(bucket.flush, flush);
}

void end_run(Window& window) noexcept {
  window.run = 0;
  window.run_first = window.run_last = SharedTime{};
}

void lengthen_run(Window& window, const BreakerConfig& config, SharedTime now) noexcept {
  if (window.run == 0 || now - window.run_last > config.window) {
    window.run = 0;
    window.run_first = now;
  }
  ++window.run;
  window.run_last = now;
}

void remember_reporter(Window& window, std::string_view host, SharedTime now) {
  std::erase_if(window.reporters, [&](const Reporter& r) { return r.host == host; });
  window.reporters.insert(window.reporters.begin(), {std::string(host), now});
  if (window.reporters.size() > max_min_reporters) window.reporters.pop_back();
}

Counts counts_over(const Window& window, Micros span, SharedTime now) noexcept {
  Counts sum;
  if (window.buckets.empty()) return sum;
  const std::int64_t first = first_index(window, span, now);
  for (const Bucket& b : window.buckets) {
    if (b.index < first) continue;
    sum.calls += b.calls;
    sum.failures += b.failures;
  }
  return sum;
}

Micros settling_time(const Window& window, const BreakerConfig& config, SharedTime now) noexcept {
  Micros largest{};
  if (window.buckets.empty()) return largest;
  const std::int64_t first = first_index(window, config.window, now);
  for (const Bucket& b : window.buckets)
    if (b.index >= first) largest = std::max(largest, b.flush);
  return 2 * largest;
}

bool share_holds(const Window& window, const BreakerConfig& config, SharedTime now) noexcept {
  return enough_reporters(window, config, now) &&
         (share_reached(counts_over(window, config.window, now), config) ||
          share_reached(counts_over(window, config.short_window_or_default(), now), config));
}

bool run_holds(const Window& window, const BreakerConfig& config, SharedTime now) noexcept {
  return window.run >= config.run_threshold && now - window.run_last <= config.window &&
         enough_reporters(window, config, now);
}

}  // namespace geobreaker::core
