#pragma once

#include <geobreaker/provider/gazetteer.hpp>
#include <geobreaker/provider/provider.hpp>

namespace geobreaker {

/// The gazetteer as a provider: answers at once, from memory, and never claims more than Precision::locality.
/// Outcomes: ok, no-match, and bad-request for an empty text or coordinates that are none.
/// Threads: any, concurrently.
class GazetteerProvider final : public Provider {
 public:
  explicit GazetteerProvider(Gazetteer gazetteer = Gazetteer::embedded()) noexcept;

  [[nodiscard]] const ProviderTraits& traits() const noexcept override { return traits_; }
  [[nodiscard]] boost::asio::awaitable<ProviderReply> forward(const AddressQuery& query) override;
  [[nodiscard]] boost::asio::awaitable<ProviderReply> reverse(Coordinates at) override;

  /// The same without a coroutine, for callers that have nothing to wait for.
  [[nodiscard]] ProviderReply forward_now(const AddressQuery& query) const;
  [[nodiscard]] ProviderReply reverse_now(Coordinates at) const;

 private:
  Gazetteer gazetteer_;
  ProviderTraits traits_{.best = Precision::locality, .in_process = true};
};

}  // namespace geobreaker
