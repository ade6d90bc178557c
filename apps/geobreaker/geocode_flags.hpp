#pragma once

#include "batch/geocode_options.hpp"

#include <CLI/CLI.hpp>

namespace geobreaker {

/// Adds `geocode` with its flags; they are read into `options`.
CLI::App* add_geocode(CLI::App& app, GeocodeOptions& options);

}  // namespace geobreaker
