#pragma once

#include <geobreaker/core/config.hpp>
#include <geobreaker/core/state.hpp>

#include <string_view>

namespace geobreaker::core {

/// What was counted over a span that ends now.
struct Counts {
  std::int64_t calls = 0;
  std::int64_t failures = 0;
};

/// The width of a slice: a tenth of the short window, but never more than 120 slices in all.
[[nodiscard]] Micros bucket_width(const BreakerConfig& config) noexcept;

/// Everything in the window that seems to come from the future counts as now (the store's clock has stepped
/// back).
void forgive_the_future(Window& window, SharedTime now);

/// Adds `calls` calls, of which `failures` failed, that arrived now, and drops what the window no longer
/// covers.
void count(Window& window, std::int64_t calls, std::int64_t failures, Micros flush,
           const BreakerConfig& config, SharedTime now);

/// Successes end the run, a failure lengthens it or starts a new one after a gap longer than the window.
void end_run(Window& window) noexcept;
void lengthen_run(Window& window, const BreakerConfig& config, SharedTime now) noexcept;

void remember_reporter(Window& window, std::string_view host, SharedTime now);

/// Counts over the last `span`; the slice in which it begins is counted whole.
[[nodiscard]] Counts counts_over(const Window& window, Micros span, SharedTime now) noexcept;

/// How long a rule must have held before it acts: twice the largest flush interval announced within the
/// window.
[[nodiscard]] Micros settling_time(const Window& window, const BreakerConfig& config,
                                   SharedTime now) noexcept;

[[nodiscard]] bool share_holds(const Window& window, const BreakerConfig& config, SharedTime now) noexcept;
[[nodiscard]] bool run_holds(const Window& window, const BreakerConfig& config, SharedTime now) noexcept;

}  // namespace geobreaker::core
