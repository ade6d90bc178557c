#include "batch/geocode_run.hpp"
#include "geocode_flags.hpp"

#include <CLI/CLI.hpp>

#include <exception>
#include <iostream>

int main(int argc, char** argv) {
  CLI::App app("geobreaker: geocodes through several providers, behind a circuit breaker that a fleet shares",
               "geobreaker");
  app.set_version_flag("--version",
                       "geobreaker " GEOBREAKER_VERSION
                       "\nThe gazetteer contains data from GeoNames (https://www.geonames.org/), CC-BY-4.0");
  app.require_subcommand(1);
  geobreaker::GeocodeOptions geocode;
  geobreaker::add_geocode(app, geocode);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wanted) {  // --help, --version
    return app.exit(wanted);
  } catch (const CLI::ParseError& wrong) {
    std::cerr << "geobreaker: " << wrong.what() << "\nRun geobreaker --help, or geobreaker geocode --help.\n";
    return static_cast<int>(geobreaker::ExitCode::usage);
  }
  try {
    return static_cast<int>(geobreaker::run_geocode(geocode, std::cerr));
  } catch (const std::exception& trouble) {  // the system has no more memory, descriptors or threads
    std::cerr << "geobreaker: the system does not let this go on: " << trouble.what() << '\n';
    return static_cast<int>(geobreaker::ExitCode::unusable);
  }
}
