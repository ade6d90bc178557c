#pragma once

#include "config/settings.hpp"

#include <string>
#include <vector>

namespace geobreaker::config {

/// One effective value, as the file would say it.
struct NamedValue {
  std::string name;   ///< the key in full, providers counted from 1: "provider.1.retry.attempts"
  std::string value;  ///< without secrets; empty if unset
  /// It has a say in which answer a record gets. The others (store, time-outs, rates, ...) decide only when.
  bool decides_answer = false;
  friend bool operator==(const NamedValue&, const NamedValue&) = default;
};

/// Every effective setting in a fixed order, defaults included: two lists that differ say what changed.
/// URLs are redacted; the contact, somebody's address, is left out.
[[nodiscard]] std::vector<NamedValue> fingerprint(const Settings& settings);

}  // namespace geobreaker::config
