#include "geocode_flags.hpp"

namespace geobreaker {

namespace {

/// A variable of the shell that is not set must not quietly mean the default.
CLI::Validator not_empty() {
  return CLI::Validator(
      [](const std::string& value) {
        return value.empty() ? std::string("is empty: give a value, or leave the flag out for the default")
                             : std::string();
      },
      "");
}

}  // namespace

CLI::App* add_geocode(CLI::App& app, GeocodeOptions& options) {
  CLI::App* geocode = app.add_subcommand("geocode", "Geocode the addresses of a CSV file");
  geocode->add_option("IN", options.input, "The CSV file; - is standard input")->required();
  geocode->add_option("-o,--output", options.output,
                      "The result; - is standard output. Default: IN.geocoded.csv");
  geocode->add_option("--config", options.config,
                      "Configuration, TOML. Default: the embedded gazetteer alone");
  geocode
      ->add_option("--provider", options.providers,
                   "KIND[=URL]: gazetteer, nominatim=http://host. Repeat for a fallback chain, in its order")
      ->allow_extra_args(false);
  geocode->add_option("--contact", options.contact,
                      "How a provider's operator reaches you: the public Nominatim wants it");
  geocode
      ->add_option("--address", options.address,
                   "A column of the address; repeat, in the order to join. Default: found by name")
      ->allow_extra_args(false);
  geocode->add_option("--store", options.store,
                      "memory: (default) or redis://[user:password@]host[:port][/db]");
  geocode->add_option("--concurrency", options.concurrency, "Rows on their way at once. Default: 32");
  geocode->add_option("--prefix", options.prefix, "Of the appended columns. Default: geo_");
  geocode->add_option("--delimiter", options.delimiter,
                      "One character, or tab. Default: found in the header line");
  geocode->add_option("--on-skip", options.on_skip,
                      "wait (default) or next: while the wanted provider is skipped or failing");
  geocode->add_option("--max-wait", options.max_wait, "The longest that a row waits for it. Default: 10m");
  geocode->add_option("--accept", options.accept,
                      "The precision that is good enough. Default: street, if a provider has it");
  geocode->add_flag("-q,--quiet", options.quiet, "No progress, no summary");
  for (CLI::Option* option : geocode->get_options())
    if (option->get_items_expected_max() > 0) option->check(not_empty());
  geocode->footer(
      "Appends geo_status, geo_lat, geo_lon, geo_label, geo_prec, geo_conf, geo_source, geo_tried.\n"
      "Stopped or killed, the same command continues (OUT.gbj holds what is finished).\n"
      "Exit codes: 0 all rows ok or no-match, 1 some failed or below the threshold,\n"
      "2 usage or configuration, 3 input or output unusable, 130 interrupted.");
  return geocode;
}

}  // namespace geobreaker
