#pragma once

#include "batch/job_tally.hpp"
#include "batch/provider_view.hpp"

#include <geobreaker/clock.hpp>

#include <string>
#include <vector>

namespace geobreaker {

/// The end of a job in words: rows by status and precision, calls and skips per provider, trips and probes.
/// Several lines of at most 80 columns where names allow it, each ended by a newline.
[[nodiscard]] std::string summary(const JobTally& tally, const std::vector<ProviderView>& providers,
                                  SteadyClock::duration elapsed);

}  // namespace geobreaker
