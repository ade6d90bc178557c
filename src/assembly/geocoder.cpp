#include "assembly/geocoder.hpp"

#include "assembly/open_store.hpp"

#include <geobreaker/provider/gazetteer_provider.hpp>
#include <geobreaker/provider/nominatim.hpp>

#include <algorithm>
#include <utility>

namespace geobreaker {

namespace {

std::chrono::milliseconds to_millis(Micros span) {
  return std::chrono::ceil<std::chrono::milliseconds>(span);
}

CallStackOptions stack_options(const config::ProviderSettings& settings, const ProviderTraits& traits,
                               const RetryPolicy& retry) {
  CallStackOptions options;
  // A provider in this process never keeps anybody waiting: its bulkhead would only cost.
  options.max_concurrency =
      traits.in_process ? std::size_t{1} << 20 : static_cast<std::size_t>(settings.max_concurrency);
  if (settings.rate) options.interval = settings.rate->interval();
  options.timeout = to_millis(settings.timeout);
  options.retry = retry;
  return options;
}

RetryPolicy retry_policy(const config::ProviderSettings& settings) {
  RetryPolicy policy;
  policy.attempts = settings.retry.attempts;
  policy.base = to_millis(settings.retry.base);
  policy.max = to_millis(settings.retry.max);
  policy.deadline = to_millis(config::longest_call(settings));
  return policy;
}

bool is_in_process(const config::ProviderSettings& settings) {
  const config::ProviderKind* kind = config::find_kind(settings.kind);
  return kind != nullptr && kind->in_process;
}

/// The limit that holds for the user who set none.
config::ProviderSettings with_default_rate(config::ProviderSettings settings) {
  if (settings.rate || settings.kind != "nominatim") return settings;
  if (const auto per_second = nominatim_default_rate(settings.url))
    settings.rate = config::Rate{*per_second, std::chrono::seconds{1}};
  return settings;
}

}  // namespace

Result<std::unique_ptr<Geocoder>> Geocoder::assemble(const config::Settings& settings,
                                                     boost::asio::any_io_executor executor, Clock& clock,
                                                     Waiter& waiter, Random& random,
                                                     BreakerObserver* observer) {
  std::unique_ptr<Geocoder> made(new Geocoder);
  auto store = open_store(settings.store, clock);
  if (!store) return store.error();
  made->store_ = std::move(*store);
  if (!std::all_of(settings.providers.begin(), settings.providers.end(), is_in_process)) {
    auto http = HttpClient::create(std::move(executor));
    if (!http) return http.error();
    made->http_ = std::move(*http);
  }

  const BreakerOptions options{
      .on_store_loss = OnStoreLoss::local_breaker, .reporter = reporter_name(), .observer = observer};
  std::string faults;
  for (const config::ProviderSettings& provider : settings.providers)
    if (const Status added = made->add(with_default_rate(provider), clock, waiter, random, options); !added)
      faults +=
          (faults.empty() ? "" : "\n") + ("provider \"" + provider.name + "\": ") + added.error().detail;
  if (!faults.empty()) return Error{Errc::invalid_config, faults};

  ChainPolicy policy;
  policy.on_skip = settings.batch.on_skip;
  policy.max_wait = settings.batch.max_wait;
  policy.accept = settings.batch.accept;
  made->chain_ = std::make_unique<FallbackChain>(made->links_, policy, clock);
  return made;
}

Status Geocoder::add(const config::ProviderSettings& settings, Clock& clock, Waiter& waiter, Random& random,
                     BreakerOptions options) {
  auto provider = make_provider(settings, clock);
  if (!provider) return provider.error();
  auto breaker =
      Breaker::create(settings.name, config::effective_breaker(settings), *store_, clock, random, options);
  if (!breaker) return breaker.error();
  Provider& made = *providers_.emplace_back(std::move(*provider));
  Breaker& guard = breakers_.emplace_back(std::move(*breaker));
  CallStack& stack = stacks_.emplace_back(made, guard, clock, waiter, random,
                                          stack_options(settings, made.traits(), retry_policy(settings)));
  links_.push_back({settings.name, &stack, settings.accept});
  return Done{};
}

Result<std::unique_ptr<Provider>> Geocoder::make_provider(const config::ProviderSettings& settings,
                                                          Clock& clock) {
  if (settings.kind == "gazetteer") return std::unique_ptr<Provider>(std::make_unique<GazetteerProvider>());
  NominatimOptions options;
  options.base_url = settings.url;
  options.contact = settings.contact;
  options.language = settings.language;
  auto made = NominatimProvider::create(std::move(options), *http_, clock);
  if (!made) return made.error();
  return std::unique_ptr<Provider>(std::move(*made));
}

}  // namespace geobreaker
