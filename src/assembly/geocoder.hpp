#pragma once

#include "config/settings.hpp"

#include <geobreaker/breaker.hpp>
#include <geobreaker/chain/fallback_chain.hpp>
#include <geobreaker/http/http_client.hpp>
#include <geobreaker/provider/provider.hpp>
#include <geobreaker/stack/call_stack.hpp>
#include <geobreaker/stack/waiter.hpp>
#include <geobreaker/store/breaker_store.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <deque>
#include <memory>
#include <vector>

namespace geobreaker {

/// Everything that a configuration asks for, put together: the store, the providers with their layers, the
/// chain. Threads: the executor's, which must be a single one.
class Geocoder {
 public:
  /// Errors: invalid_config, naming every provider that cannot be made and why. Nothing is called yet; a
  /// store that is away is no error.
  [[nodiscard]] static Result<std::unique_ptr<Geocoder>> assemble(const config::Settings& settings,
                                                                  boost::asio::any_io_executor executor,
                                                                  Clock& clock, Waiter& waiter,
                                                                  Random& random, BreakerObserver* observer);

  [[nodiscard]] FallbackChain& chain() noexcept { return *chain_; }

 private:
  Geocoder() = default;
  [[nodiscard]] Status add(const config::ProviderSettings& settings, Clock& clock, Waiter& waiter,
                           Random& random, BreakerOptions options);
  [[nodiscard]] Result<std::unique_ptr<Provider>> make_provider(const config::ProviderSettings& settings,
                                                                Clock& clock);

  // In the order of their dependence: what stands later uses what stands before it.
  std::unique_ptr<BreakerStore> store_;
  std::unique_ptr<HttpClient> http_;
  std::vector<std::unique_ptr<Provider>> providers_;
  std::deque<Breaker> breakers_;
  std::deque<CallStack> stacks_;
  std::vector<ChainLink> links_;
  std::unique_ptr<FallbackChain> chain_;
};

}  // namespace geobreaker
