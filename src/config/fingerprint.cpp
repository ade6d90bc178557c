#include "config/fingerprint.hpp"

#include "config/keys.hpp"
#include "config/quote.hpp"

#include <algorithm>
#include <array>

namespace geobreaker::config {
namespace {

constexpr std::array<std::string_view, 7> deciding{"name",   "kind",    "url",     "language",
                                                   "accept", "on_skip", "max_wait"};

template <class Values>
void append(std::vector<NamedValue>& out, const std::string& path, std::span<const Key<Values>> keys,
            const Values& values) {
  for (const Key<Values>& key : keys) {
    if (key.name == "contact") continue;
    std::string value = std::visit([&](auto member) { return shown(values.*member); }, key.member);
    if (key.name == "url") value = redacted_url(value);
    const bool decides =
        path != "store" && std::find(deciding.begin(), deciding.end(), key.name) != deciding.end();
    out.push_back({path + "." + std::string(key.name), std::move(value), decides});
  }
}

}  // namespace

std::vector<NamedValue> fingerprint(const Settings& settings) {
  std::vector<NamedValue> out;
  append(out, "store", store_keys(), settings.store);
  append(out, "batch", batch_keys(), settings.batch);
  for (std::size_t i = 0; i < settings.providers.size(); ++i) {
    const ProviderSettings& provider = settings.providers[i];
    const std::string path = "provider." + std::to_string(i + 1);
    append(out, path, provider_keys(), provider);
    append(out, path + ".retry", retry_keys(), provider.retry);
    append(out, path + ".breaker", breaker_keys(), provider.breaker);
  }
  return out;
}

}  // namespace geobreaker::config
