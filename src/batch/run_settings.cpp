#include "batch/run_settings.hpp"

#include "config/check.hpp"
#include "config/load.hpp"
#include "config/urls.hpp"

namespace geobreaker {

namespace {

/// Collects what is wrong with flags, so that one run names all of it.
class Flags {
 public:
  void fault(const std::string& text) { faults_ += (faults_.empty() ? "" : "\n") + text; }
  template <class T>
  [[nodiscard]] std::optional<T> take(const char* flag, const Result<T>& read) {
    if (read) return *read;
    fault(std::string(flag) + ": " + read.error().detail);
    return std::nullopt;
  }
  [[nodiscard]] const std::string& faults() const noexcept { return faults_; }

 private:
  std::string faults_;
};

void apply_providers(const GeocodeOptions& options, config::Settings& settings, Flags& flags) {
  if (options.providers.empty()) return;
  std::vector<config::ProviderSettings> chain;
  for (const std::string& text : options.providers) {
    if (auto made = config::provider_from_flag(text, chain, settings.breaker))
      chain.push_back(std::move(*made));
    else
      flags.fault(made.error().detail);
  }
  settings.providers = std::move(chain);
}

void apply_contact(const GeocodeOptions& options, config::Settings& settings) {
  if (options.contact.empty()) return;
  for (config::ProviderSettings& provider : settings.providers)
    if (const auto* kind = config::find_kind(provider.kind); kind != nullptr && kind->takes_contact)
      provider.contact = options.contact;
}

void apply_batch(const GeocodeOptions& options, config::BatchSettings& batch, Flags& flags) {
  if (options.concurrency) batch.concurrency = *options.concurrency;
  if (!options.on_skip.empty()) {
    if (const auto on_skip = on_skip_from(options.on_skip))
      batch.on_skip = *on_skip;
    else
      flags.fault("--on-skip: \"" + options.on_skip + "\" is unknown: allowed are wait and next");
  }
  if (!options.max_wait.empty())
    if (const auto wait = flags.take("--max-wait", config::parse_duration(options.max_wait)))
      batch.max_wait = *wait;
  if (!options.accept.empty()) {
    if (const auto precision = precision_from(options.accept))
      batch.accept = *precision;
    else
      flags.fault(
          "--accept: \"" + options.accept +
          "\" is unknown: allowed are country, region, locality, postcode, street, interpolated and rooftop");
  }
}

}  // namespace

Result<config::Settings> settings_of(const GeocodeOptions& options) {
  config::Settings settings = config::default_settings();
  if (!options.config.empty()) {
    auto loaded = config::load_settings(options.config);
    if (!loaded) return loaded.error();
    settings = std::move(*loaded);
  }
  Flags flags;
  apply_providers(options, settings, flags);
  const bool providers_known = flags.faults().empty();
  apply_contact(options, settings);
  apply_batch(options, settings.batch, flags);
  if (!options.store.empty()) settings.store.url = options.store;
  // Without the providers that were meant, the rest would be found wanting for no fault of its own.
  if (providers_known)
    for (const config::Fault& fault : config::faults(settings)) flags.fault(fault.text);
  if (!flags.faults().empty()) return Error{Errc::invalid_config, flags.faults()};
  return settings;
}

}  // namespace geobreaker
