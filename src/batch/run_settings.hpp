#pragma once

#include "batch/geocode_options.hpp"
#include "config/settings.hpp"

#include <geobreaker/result.hpp>

namespace geobreaker {

/// The configuration file, or the defaults, with what the command line says on top, checked.
/// Errors: invalid_config with every fault; unreadable if the file cannot be read.
[[nodiscard]] Result<config::Settings> settings_of(const GeocodeOptions& options);

}  // namespace geobreaker
