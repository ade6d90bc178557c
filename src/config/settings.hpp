#pragma once

#include "config/values.hpp"

#include <geobreaker/clock.hpp>
#include <geobreaker/core/config.hpp>
#include <geobreaker/geocode/answer.hpp>
#include <geobreaker/geocode/record.hpp>
#include <geobreaker/result.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace geobreaker::config {

/// `[store]`: where the breaker's state lives.
struct StoreSettings {
  std::string url = "memory:";  ///< see `parse_store_url`; may hold a password
  Micros timeout{std::chrono::milliseconds{50}};
  std::string prefix = "cb";  ///< of every key in Redis
  friend bool operator==(const StoreSettings&, const StoreSettings&) = default;
};

/// `retry`: how often one record's call to one provider is tried, and the back-off between the tries.
struct RetrySettings {
  int attempts = 2;  ///< the first call counts: 1 is no retry
  Micros base{std::chrono::milliseconds{200}};
  Micros max{std::chrono::seconds{5}};
  friend bool operator==(const RetrySettings&, const RetrySettings&) = default;
};

/// One `[[provider]]`; the order of the list is the order of the chain.
struct ProviderSettings {
  std::string name;  ///< in output, metrics and the keys of the store
  std::string kind;  ///< a name of `provider_kinds`
  std::string url;
  std::string contact;
  std::string language;
  Micros timeout{std::chrono::seconds{10}};
  int max_concurrency = 8;
  std::optional<Rate> rate;  ///< unset: the adapter's own default
  RetrySettings retry;
  std::optional<Precision>
      accept;             ///< the coarsest answer of this provider that is good enough; unset: the job's
  BreakerConfig breaker;  ///< `[breaker]` with this provider's overrides
  friend bool operator==(const ProviderSettings&, const ProviderSettings&) = default;
};

/// `[batch]`: the command's `geocode`.
struct BatchSettings {
  int concurrency = 32;  ///< records in flight
  OnSkip on_skip = OnSkip::wait;
  Micros max_wait{std::chrono::minutes{10}};
  std::optional<Precision> accept;  ///< unset: street, or the best that the chain can give
  friend bool operator==(const BatchSettings&, const BatchSettings&) = default;
};

/// A whole configuration file. Plain data: `faults` in check.hpp says what is wrong with it.
struct Settings {
  StoreSettings store;
  BreakerConfig breaker;
  BatchSettings batch;
  std::vector<ProviderSettings> providers;
  friend bool operator==(const Settings&, const Settings&) = default;
};

/// What a kind of provider takes. A further kind is one more row of the table in settings.cpp.
struct ProviderKind {
  enum class Url : std::uint8_t { required, forbidden };
  std::string_view name;
  Url url;
  bool takes_contact;  ///< of `contact` and `language` it may make no use; then they are refused
  bool takes_language;
  bool in_process;  ///< answers from memory: a time-out says nothing about it
};
[[nodiscard]] std::span<const ProviderKind> provider_kinds() noexcept;
/// Null if there is no such kind.
[[nodiscard]] const ProviderKind* find_kind(std::string_view name) noexcept;
/// "`nominatim`, `gazetteer`": for messages.
[[nodiscard]] std::string kinds_list();
/// What is to be said of a word that is no kind: the word, what is allowed, and what was probably meant.
[[nodiscard]] std::string fault_of_kind(std::string_view word);

/// What runs without any configuration: the embedded gazetteer alone, state in this process.
[[nodiscard]] Settings default_settings();

/// Reads the command line's `--provider KIND[=URL]`. The name is the kind, or kind-2, kind-3, ... where
/// `existing` has that name already; everything else is the default, the breaker being `breaker`.
/// Errors:  invalid_config: unknown kind, URL missing, not wanted or faulty.
[[nodiscard]] Result<ProviderSettings> provider_from_flag(std::string_view flag,
                                                          std::span<const ProviderSettings> existing = {},
                                                          const BreakerConfig& breaker = {});

/// The longest that a call of this provider waits for its turn: the bulkhead lets `max_concurrency` calls
/// in front of the limiter, which spreads them by `rate`. Zero without a rate.
[[nodiscard]] Micros limiter_wait(const ProviderSettings& provider) noexcept;

/// The longest protected call: every attempt runs into its time-out, every back-off is drawn at its upper
/// end. Without the waits in the limiter.
[[nodiscard]] Micros longest_call(const ProviderSettings& provider) noexcept;

/// The breaker's configuration with the probe's lease filled in: where none is set, the larger of 10 s and
/// the wait in the limiter + time-out + 1 s. Ask after the adapter's default rate, if any, was put into
/// `provider`.
[[nodiscard]] BreakerConfig effective_breaker(const ProviderSettings& provider);

}  // namespace geobreaker::config
