#include "config/keys.hpp"

#include <array>
#include <charconv>
#include <limits>

namespace geobreaker::config {
namespace {

constexpr std::int64_t ms = 1'000;
constexpr std::int64_t s = 1'000 * ms;
constexpr std::int64_t h = 3'600 * s;

// `url`, `prefix`, `name`, `kind`, `contact` and `language` are checked as words (check.cpp); the breaker's
// own limits are the core's, in `faults(const BreakerConfig&)`.
constexpr std::array<Key<StoreSettings>, 3> store{{
    {"url", &StoreSettings::url},
    {"timeout", &StoreSettings::timeout, Limits{1 * ms, 10 * s}},  // more would be felt in every probe
    {"prefix", &StoreSettings::prefix},
}};

constexpr std::array<Key<BreakerConfig>, 14> breaker{{
    {"window", &BreakerConfig::window},
    {"threshold", &BreakerConfig::threshold},
    {"failure_rate", &BreakerConfig::failure_rate},
    {"short_window", &BreakerConfig::short_window},
    {"run_threshold", &BreakerConfig::run_threshold},
    {"base_cooldown", &BreakerConfig::base_cooldown},
    {"max_cooldown", &BreakerConfig::max_cooldown},
    {"probe_lease", &BreakerConfig::probe_lease},
    {"min_reporters", &BreakerConfig::min_reporters},
    {"slow_call", &BreakerConfig::slow_call},
    {"flap_guard", &BreakerConfig::flap_guard},
    {"flush_interval", &BreakerConfig::flush_interval},
    {"max_pause_rate", &BreakerConfig::max_pause_rate},
    {"max_pause_quota", &BreakerConfig::max_pause_quota},
}};

constexpr std::array<Key<BatchSettings>, 4> batch{{
    {"concurrency", &BatchSettings::concurrency, Limits{1, 10'000}},
    {"on_skip", &BatchSettings::on_skip},
    {"max_wait", &BatchSettings::max_wait, Limits{0, 366 * 24 * h}},
    {"accept", &BatchSettings::accept},
}};

constexpr std::array<Key<ProviderSettings>, 9> provider{{
    {"name", &ProviderSettings::name},
    {"kind", &ProviderSettings::kind},
    {"url", &ProviderSettings::url},
    {"contact", &ProviderSettings::contact},
    {"language", &ProviderSettings::language},
    {"timeout", &ProviderSettings::timeout, Limits{1 * ms, 1 * h}},
    {"max_concurrency", &ProviderSettings::max_concurrency, Limits{1, 10'000}},
    {"rate", &ProviderSettings::rate},
    {"accept", &ProviderSettings::accept},
}};

constexpr std::array<Key<RetrySettings>, 3> retry{{
    {"attempts", &RetrySettings::attempts, Limits{1, 20}},
    {"base", &RetrySettings::base, Limits{1 * ms, 1 * h}},
    {"max", &RetrySettings::max, Limits{1 * ms, 1 * h}},
}};

constexpr std::array<std::string_view, 4> top_level{"store", "breaker", "batch", "provider"};
constexpr std::array<std::string_view, 2> in_provider{"retry", "breaker"};

template <class Section>
void append_names(std::vector<std::string>& out, const std::string& table,
                  std::span<const Key<Section>> keys) {
  for (const Key<Section>& key : keys) out.push_back(table + "." + std::string(key.name));
}

std::string joined(const std::vector<std::string_view>& words) {
  std::string out;
  for (const std::string_view word : words) out.append(out.empty() ? "" : ", ").append(word);
  return out;
}

}  // namespace

std::span<const Key<StoreSettings>> store_keys() noexcept { return store; }
std::span<const Key<BreakerConfig>> breaker_keys() noexcept { return breaker; }
std::span<const Key<BatchSettings>> batch_keys() noexcept { return batch; }
std::span<const Key<ProviderSettings>> provider_keys() noexcept { return provider; }
std::span<const Key<RetrySettings>> retry_keys() noexcept { return retry; }
std::span<const std::string_view> top_level_tables() noexcept { return top_level; }
std::span<const std::string_view> provider_tables() noexcept { return in_provider; }

std::vector<std::string> known_keys() {
  std::vector<std::string> names;
  append_names(names, "store", store_keys());
  append_names(names, "breaker", breaker_keys());
  append_names(names, "batch", batch_keys());
  append_names(names, "provider", provider_keys());
  append_names(names, "provider.retry", retry_keys());
  append_names(names, "provider.breaker", breaker_keys());
  return names;
}

std::string on_skip_words() { return joined({to_string(OnSkip::wait), to_string(OnSkip::next)}); }

std::string precision_words() {
  // `unknown` is what a provider may answer, not what a job may ask for.
  std::vector<std::string_view> words;
  for (auto rank = static_cast<int>(Precision::rooftop); rank > static_cast<int>(Precision::unknown);
       --rank) {
    words.push_back(to_string(static_cast<Precision>(rank)));
  }
  return joined(words);
}

std::string shown(const std::string& value) { return value; }
std::string shown(int value) { return std::to_string(value); }
std::string shown(double value) {
  std::array<char, 32> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), written.ptr};
}
std::string shown(Micros value) { return format_duration(value); }
std::string shown(OnSkip value) { return std::string(to_string(value)); }
std::string shown(const Rate& value) { return format_rate(value); }
std::string shown(Precision value) { return std::string(to_string(value)); }

}  // namespace geobreaker::config
