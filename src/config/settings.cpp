#include "config/settings.hpp"

#include "config/nearest.hpp"
#include "config/quote.hpp"
#include "config/urls.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace geobreaker::config {
namespace {

using Url = ProviderKind::Url;
constexpr std::array<ProviderKind, 2> kinds{{
    {.name = "nominatim",
     .url = Url::required,
     .takes_contact = true,
     .takes_language = true,
     .in_process = false},
    {.name = "gazetteer",
     .url = Url::forbidden,
     .takes_contact = false,
     .takes_language = false,
     .in_process = true},
}};

std::string free_name(std::string_view kind, std::span<const ProviderSettings> existing) {
  const auto taken = [existing](const std::string& name) {
    return std::any_of(existing.begin(), existing.end(),
                       [&](const ProviderSettings& p) { return p.name == name; });
  };
  std::string name(kind);
  for (int n = 2; taken(name); ++n) name = std::string(kind) + "-" + std::to_string(n);
  return name;
}

/// The core's own limit: a computed lease must be as valid as one that was set.
constexpr Micros longest_lease{std::chrono::hours{24 * 366}};

/// Sums of settings stay in range whatever the single values are.
Micros bounded_sum(Micros a, Micros b) noexcept {
  return a >= longest_duration - b ? longest_duration : a + b;
}

Micros bounded_product(Micros a, int times) noexcept {
  return times > 0 && a > longest_duration / times ? longest_duration : a * times;
}

Error bad_flag(std::string_view flag, const std::string& problem) {
  return {Errc::invalid_config, "--provider " + in_quotes(redacted_url(flag)) + ": " + problem};
}

}  // namespace

std::span<const ProviderKind> provider_kinds() noexcept { return kinds; }

const ProviderKind* find_kind(std::string_view name) noexcept {
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [name](const auto& kind) { return kind.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

std::string kinds_list() {
  std::string list;
  for (const ProviderKind& kind : kinds) {
    list.append(list.empty() ? "`" : ", `").append(kind.name).append("`");
  }
  return list;
}

std::string fault_of_kind(std::string_view word) {
  std::vector<std::string_view> names;
  for (const ProviderKind& known : kinds) names.push_back(known.name);
  const std::string_view meant = nearest(word, names);
  const std::string hint = meant.empty() ? "" : "; did you mean `" + std::string(meant) + "`?";
  return "unknown kind " + in_quotes(redacted_url(word)) + ": allowed is " + kinds_list() + hint;
}

Settings default_settings() {
  Settings settings;
  ProviderSettings gazetteer;
  gazetteer.name = gazetteer.kind = "gazetteer";
  settings.providers.push_back(std::move(gazetteer));
  return settings;
}

Result<ProviderSettings> provider_from_flag(std::string_view flag, std::span<const ProviderSettings> existing,
                                            const BreakerConfig& breaker) {
  const auto equals = flag.find('=');
  const std::string_view kind_name = flag.substr(0, equals);
  const ProviderKind* const kind = find_kind(kind_name);
  if (kind == nullptr) return bad_flag(flag, fault_of_kind(kind_name));

  ProviderSettings provider;
  provider.kind = kind->name;
  provider.name = free_name(kind->name, existing);
  provider.breaker = breaker;
  if (equals != std::string_view::npos) provider.url = flag.substr(equals + 1);
  if (kind->url == Url::forbidden && equals != std::string_view::npos) {
    return bad_flag(flag, "kind " + provider.kind + " takes no URL; write --provider " + provider.kind);
  }
  if (kind->url == Url::required && provider.url.empty()) {
    return bad_flag(flag, "kind " + provider.kind + " needs the URL of its server; write --provider " +
                              provider.kind + "=http://localhost:8080");
  }
  if (kind->url == Url::required) {
    if (const std::string fault = fault_of_server_url(provider.url); !fault.empty()) {
      return Error{Errc::invalid_config, "--provider " + provider.kind + ": url " + fault};
    }
  }
  return provider;
}

Micros limiter_wait(const ProviderSettings& provider) noexcept {
  return provider.rate ? bounded_product(provider.rate->interval(), provider.max_concurrency) : Micros{0};
}

Micros longest_call(const ProviderSettings& provider) noexcept {
  Micros sum = bounded_product(provider.timeout, provider.retry.attempts);
  Micros back_off = std::min(provider.retry.base, provider.retry.max);
  for (int retry = 1; retry < provider.retry.attempts && sum < longest_duration; ++retry) {
    sum = bounded_sum(sum, back_off);
    back_off = std::min(bounded_product(back_off, 2), provider.retry.max);
  }
  return sum;
}

BreakerConfig effective_breaker(const ProviderSettings& provider) {
  BreakerConfig breaker = provider.breaker;
  if (breaker.probe_lease) return breaker;
  const Micros call =
      bounded_sum(bounded_sum(limiter_wait(provider), provider.timeout), std::chrono::seconds{1});
  breaker.probe_lease = std::clamp(call, breaker.probe_lease_or_default(), longest_lease);
  return breaker;
}

}  // namespace geobreaker::config
