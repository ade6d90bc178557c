#pragma once

#include "batch/job_tally.hpp"
#include "batch/provider_view.hpp"

#include <geobreaker/clock.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace geobreaker {

/// What one look at a running job shows.
struct ProgressView {
  const JobTally& tally;
  std::uint64_t bytes_total = 0;  ///< of the input; 0: not known
  SteadyClock::duration elapsed{};
  const std::vector<ProviderView>& providers;
};

/// The bar for a terminal, at most `width` columns:
/// [####----]  41% 12,345 rows 2,310/s 0:07 left  nominatim open 12s  120 parked
[[nodiscard]] std::string progress_bar(const ProgressView& view, std::size_t width);
/// The same facts as one plain line, for logs.
[[nodiscard]] std::string progress_line(const ProgressView& view);

/// Shows a running job on a file descriptor: a bar that is drawn over on a terminal, now and then a line
/// elsewhere.
class ProgressPrinter {
 public:
  explicit ProgressPrinter(int fd);
  /// How often tick() wants to be called.
  [[nodiscard]] std::chrono::milliseconds interval() const noexcept;
  void tick(const ProgressView& view);
  /// Takes the bar away, so that other text can be written.
  void clear();

 private:
  int fd_;
  bool terminal_;
  bool drawn_ = false;
};

}  // namespace geobreaker
