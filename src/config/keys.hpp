#pragma once

#include "config/settings.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace geobreaker::config {

/// What a number or a duration (in microseconds) may be, both ends included.
struct Limits {
  std::int64_t least = 0;
  std::int64_t most = 0;
};

/// One key of a section: its name, where its value goes, and its limits where they do not depend on other
/// keys. Reading, range checks, the list of known keys and the fingerprint all come from these tables.
template <class Section>
struct Key {
  using Member = std::variant<std::string Section::*, int Section::*, double Section::*, Micros Section::*,
                              std::optional<Micros> Section::*, std::optional<Rate> Section::*,
                              std::optional<Precision> Section::*, OnSkip Section::*>;
  std::string_view name;
  Member member;
  std::optional<Limits> limits = std::nullopt;
};

[[nodiscard]] std::span<const Key<StoreSettings>> store_keys() noexcept;
[[nodiscard]] std::span<const Key<BreakerConfig>> breaker_keys() noexcept;
[[nodiscard]] std::span<const Key<BatchSettings>> batch_keys() noexcept;
[[nodiscard]] std::span<const Key<ProviderSettings>> provider_keys() noexcept;
[[nodiscard]] std::span<const Key<RetrySettings>> retry_keys() noexcept;

/// The tables of the file, and those of one `[[provider]]`.
[[nodiscard]] std::span<const std::string_view> top_level_tables() noexcept;
[[nodiscard]] std::span<const std::string_view> provider_tables() noexcept;

/// Every key as it is written in full: "store.url", "provider.retry.attempts", ...
[[nodiscard]] std::vector<std::string> known_keys();

/// The words of the enumerations, for messages: "wait, next".
[[nodiscard]] std::string on_skip_words();
[[nodiscard]] std::string precision_words();

/// A value as the file would say it ("2s", "50/s", "street"); empty if it is unset.
[[nodiscard]] std::string shown(const std::string& value);
[[nodiscard]] std::string shown(int value);
[[nodiscard]] std::string shown(double value);
[[nodiscard]] std::string shown(Micros value);
[[nodiscard]] std::string shown(OnSkip value);
[[nodiscard]] std::string shown(const Rate& value);
[[nodiscard]] std::string shown(Precision value);
template <class T>
[[nodiscard]] std::string shown(const std::optional<T>& value) {
  return value ? shown(*value) : std::string();
}

}  // namespace geobreaker::config
