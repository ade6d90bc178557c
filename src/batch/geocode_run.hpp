#pragma once

#include "batch/geocode_options.hpp"

#include <iosfwd>

namespace geobreaker {

/// The whole command `geobreaker geocode`: everything that it has to say goes to `messages`, results to their
/// file or to standard output. Handles SIGINT and SIGTERM while it runs.
[[nodiscard]] ExitCode run_geocode(const GeocodeOptions& options, std::ostream& messages);

}  // namespace geobreaker
