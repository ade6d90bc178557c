#pragma once

#include <CLI/CLI.hpp>

#include "batch/geocode_options.hpp"

namespace geobreaker {

/// Adds `geocode` with its flags; they are read into `options`.
CLI::App* add_geocode(CLI::App& app, GeocodeOptions& options);

}  // namespace geobreaker
