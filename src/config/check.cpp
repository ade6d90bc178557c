#include "config/check.hpp"

#include "config/keys.hpp"
#include "config/quote.hpp"
#include "config/urls.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>
#include <utility>
#include <variant>

namespace geobreaker::config {
namespace {

constexpr std::size_t longest_name = 64;
constexpr std::size_t longest_contact = 200;
constexpr std::size_t longest_language = 100;

std::string in_limits(const Limits& limits, int) {
  return std::to_string(limits.least) + " to " + std::to_string(limits.most);
}
std::string in_limits(const Limits& limits, Micros) {
  return format_duration(Micros{limits.least}) + " to " + format_duration(Micros{limits.most});
}
std::int64_t number_of(int value) noexcept { return value; }
std::int64_t number_of(Micros value) noexcept { return value.count(); }

/// Collects the faults of one section.
class Section {
 public:
  Section(std::vector<Fault>& found, std::string path, std::string label)
      : found_(found), path_(std::move(path)), label_(std::move(label)) {}

  /// "`key` in label predicate", `predicate` starting with its verb or a colon.
  void fault(std::string_view key, const std::string& predicate) {
    const std::string space = predicate.starts_with(':') ? "" : " ";
    found_.push_back(
        {path_ + "." + std::string(key), "`" + std::string(key) + "` in " + label_ + space + predicate});
  }
  void unless(bool good, std::string_view key, const std::string& value, const std::string& allowed) {
    if (!good) fault(key, "is " + value + ": allowed is " + allowed);
  }

  template <class T>
  void limits_of(std::span<const Key<T>> keys, const T& values) {
    for (const Key<T>& key : keys) {
      if (!key.limits) continue;
      std::visit([&](auto member) { in_range(key.name, values.*member, *key.limits); }, key.member);
    }
  }

  /// The core names the faulty field in the first word of each line. Lines of `known` were reported already.
  void faults_of_core(const BreakerConfig& config, const std::vector<std::string>& known = {}) {
    for (const std::string& line : geobreaker::faults(config)) {
      if (std::find(known.begin(), known.end(), line) != known.end()) continue;
      const auto end = std::min(line.find(' '), line.size());
      fault(line.substr(0, end), line.substr(std::min(end + 1, line.size())));
    }
  }

 private:
  template <class Value>
  void in_range(std::string_view key, const Value& value, const Limits& limits) {
    if constexpr (std::is_same_v<Value, int> || std::is_same_v<Value, Micros>) {
      const std::int64_t number = number_of(value);
      unless(number >= limits.least && number <= limits.most, key, shown(value), in_limits(limits, value));
    }
  }

  std::vector<Fault>& found_;
  std::string path_;
  std::string label_;
};

bool is_prefix(std::string_view text) {
  return !text.empty() && text.size() <= longest_name && std::all_of(text.begin(), text.end(), [](char c) {
    return c > ' ' && c < '\x7F' && c != '{' && c != '}';
  });
}

bool is_name(std::string_view text) {
  // geo_tried joins name:word pairs by '|', --provider splits at '='; a blank at an end would never be seen.
  return !text.empty() && text.size() <= longest_name &&
         text.find_first_of("|:=") == std::string_view::npos && !has_control_character(text) &&
         !text.starts_with(' ') && !text.ends_with(' ');
}

bool is_language(std::string_view text) {
  return text.size() <= longest_language && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  std::string_view("-,;=.* ").find(c) != std::string_view::npos;
         });
}

bool is_rate(const std::optional<Rate>& rate) {
  return !rate || (std::isfinite(rate->count) && rate->count > 0 && rate->period > Micros{0});
}

void check_store(const StoreSettings& store, std::vector<Fault>& found) {
  Section section(found, "store", "[store]");
  if (const auto address = parse_store_url(store.url); !address)
    section.fault("url", ": " + address.error().detail);
  section.limits_of(store_keys(), store);
  section.unless(is_prefix(store.prefix), "prefix", in_quotes(store.prefix),
                 "1 to 64 visible ASCII characters without { and }");
}

void check_url(const ProviderSettings& provider, const ProviderKind& kind, Section& section) {
  if (kind.url == ProviderKind::Url::forbidden) {
    if (!provider.url.empty())
      section.fault("url", "is not allowed: kind `" + provider.kind + "` has no server");
  } else if (provider.url.empty()) {
    section.fault("url", "is missing: kind `" + provider.kind +
                             R"(` needs the URL of its server, such as "http://localhost:8080")");
  } else if (const std::string fault = fault_of_server_url(provider.url); !fault.empty()) {
    section.fault("url", ": " + fault);
  }
}

void check_kind(const ProviderSettings& provider, Section& section) {
  const ProviderKind* const kind = find_kind(provider.kind);
  if (kind == nullptr) {
    if (provider.kind.empty()) {
      section.fault("kind", "is missing: allowed is " + kinds_list());
    } else {
      section.fault("kind", ": " + fault_of_kind(provider.kind));
    }
    return;
  }
  check_url(provider, *kind, section);
  if (!kind->takes_contact && !provider.contact.empty()) {
    section.fault("contact", "is not allowed: kind `" + provider.kind + "` asks nobody");
  }
  if (!kind->takes_language && !provider.language.empty()) {
    section.fault("language", "is not allowed: kind `" + provider.kind + "` has no use for it");
  }
}

/// A probe that may still be under way when its lease ends would let a second one out.
void check_lease(const ProviderSettings& provider, Section& section) {
  const auto& lease = provider.breaker.probe_lease;
  const ProviderKind* const kind = find_kind(provider.kind);
  if (!lease || (kind != nullptr && kind->in_process) || *lease > provider.timeout) return;
  section.fault("probe_lease", "is " + shown(*lease) + ": allowed is longer than `timeout` (" +
                                   shown(provider.timeout) + "), or to leave it out");
}

void check_provider(const Settings& settings, std::size_t index, const std::vector<std::string>& inherited,
                    std::vector<Fault>& found) {
  const ProviderSettings& provider = settings.providers[index];
  const std::string path = "provider." + std::to_string(index + 1);
  const std::string label = provider_label(provider.name, index);
  Section section(found, path, label);
  section.unless(is_name(provider.name), "name", in_quotes(provider.name),
                 "1 to 64 bytes without | : = and control characters, no blank at either end");
  check_kind(provider, section);
  section.limits_of(provider_keys(), provider);
  section.unless(provider.contact.size() <= longest_contact && !has_control_character(provider.contact),
                 "contact", in_quotes(provider.contact), "up to 200 bytes on one line");
  section.unless(is_language(provider.language), "language", in_quotes(provider.language),
                 R"(a list of language tags, such as "de,en;q=0.8")");
  section.unless(is_rate(provider.rate), "rate", shown(provider.rate), R"(a positive rate, such as "50/s")");
  section.unless(provider.accept != Precision::unknown, "accept", "unknown", precision_words());

  Section retry(found, path + ".retry", label + ", retry");
  retry.limits_of(retry_keys(), provider.retry);
  retry.unless(provider.retry.base <= provider.retry.max, "max", shown(provider.retry.max),
               "`base` (" + shown(provider.retry.base) + ") or more");
  Section breaker(found, path + ".breaker", label + ", breaker");
  breaker.faults_of_core(provider.breaker, inherited);
  check_lease(provider, breaker);
}

void check_names(const std::vector<ProviderSettings>& providers, std::vector<Fault>& found) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < providers.size(); ++i) {
    const std::string& name = providers[i].name;
    if (name.empty() || seen.insert(name).second) continue;
    found.push_back({"provider." + std::to_string(i + 1) + ".name",
                     "`name` in [[provider]] number " + std::to_string(i + 1) + " is " + in_quotes(name) +
                         ", as an earlier one: allowed is a name that no other provider has"});
  }
}

void warn_of_long_calls(const ProviderSettings& p, int workers, std::vector<std::string>& found) {
  const BreakerConfig& breaker = p.breaker;
  const Micros call = longest_call(p);
  const std::string label = "provider " + in_quotes(p.name);
  const std::string made_of =
      shown(p.retry.attempts) + " x `timeout` " + shown(p.timeout) + " and the back-offs";
  if (call > breaker.window) {
    found.push_back(
        label + ": a call may take " + shown(call) + " (" + made_of + "), longer than `window` (" +
        shown(breaker.window) +
        "), so that its failures may never form a run: raise `window`, or lower `timeout` or `attempts`");
  }
  const double needed = static_cast<double>(breaker.threshold) * static_cast<double>(call.count());
  if (needed > static_cast<double>(breaker.window.count()) * workers) {
    found.push_back(label + ": " + shown(breaker.threshold) +
                    " failures (`threshold`) of calls that may take " + shown(call) + " (" + made_of +
                    ") do not fit into `window` (" + shown(breaker.window) + ") with " + shown(workers) +
                    " at once, so that one process alone may not open it by share: raise `window` " +
                    "or `max_concurrency`, or lower `timeout`, `attempts` or `threshold`");
  }
}

void warn_of_lease(const ProviderSettings& p, std::vector<std::string>& found) {
  const auto& lease = p.breaker.probe_lease;
  const Micros wait = limiter_wait(p);
  if (!lease || wait == Micros{0} || *lease <= p.timeout || *lease - p.timeout > wait) return;
  found.push_back("provider " + in_quotes(p.name) + ": `probe_lease` (" + shown(*lease) +
                  ") may end before the probe does, which may wait " + shown(wait) +
                  " for its turn (`rate` " + shown(p.rate) + ", `max_concurrency` " +
                  shown(p.max_concurrency) + ") and then take " + shown(p.timeout) +
                  " (`timeout`): leave it out, or raise it");
}

void warn_of_wait(const Settings& settings, const ProviderSettings& p, std::vector<std::string>& found) {
  const bool parks = settings.batch.on_skip == OnSkip::wait && settings.providers.size() > 1;
  if (!parks || settings.batch.max_wait > p.breaker.base_cooldown) return;
  found.push_back(
      "provider " + in_quotes(p.name) + ": `max_wait` (" + shown(settings.batch.max_wait) +
      ") is over before the first cool-down is (`base_cooldown` " + shown(p.breaker.base_cooldown) +
      "): every outage costs its records their precision; raise `max_wait`, or set `on_skip` to \"next\"");
}

}  // namespace

std::string provider_label(std::string_view name, std::size_t index) {
  return "provider " + (name.empty() ? std::to_string(index + 1) : in_quotes(name));
}

std::vector<Fault> faults(const Settings& settings) {
  std::vector<Fault> found;
  check_store(settings.store, found);
  Section(found, "breaker", "[breaker]").faults_of_core(settings.breaker);
  Section batch(found, "batch", "[batch]");
  batch.limits_of(batch_keys(), settings.batch);
  batch.unless(settings.batch.accept != Precision::unknown, "accept", "unknown", precision_words());
  if (settings.providers.empty())
    found.push_back({"provider", "there is no provider: at least one is needed"});
  const std::vector<std::string> inherited = geobreaker::faults(settings.breaker);
  for (std::size_t i = 0; i < settings.providers.size(); ++i) check_provider(settings, i, inherited, found);
  check_names(settings.providers, found);
  return found;
}

std::vector<std::string> warnings(const Settings& settings) {
  std::vector<std::string> found;
  for (const ProviderSettings& provider : settings.providers) {
    if (provider.breaker.flush_interval.value_or(Micros{0}) > Micros{0})
      found.push_back("provider " + in_quotes(provider.name) +
                      ": flush_interval has no effect in this version: every report is sent at once");
    const ProviderKind* const kind = find_kind(provider.kind);
    if (kind != nullptr && kind->in_process) continue;
    warn_of_long_calls(provider, std::min(provider.max_concurrency, settings.batch.concurrency), found);
    warn_of_lease(provider, found);
    warn_of_wait(settings, provider, found);
  }
  return found;
}

}  // namespace geobreaker::config
