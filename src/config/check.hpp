#pragma once

#include "config/settings.hpp"

#include <string>
#include <vector>

namespace geobreaker::config {

/// One thing that makes the settings unusable.
struct Fault {
  std::string
      at;  ///< the key in full, providers counted from 1: "store.timeout", "provider.2.breaker.window"
  std::string text;  ///< the key, where it is, its value (no secrets) and what is allowed
  friend bool operator==(const Fault&, const Fault&) = default;
};

/// Everything that is wrong with `settings`, in the order of the file's sections; empty: they are usable.
/// A configuration file was checked when it was read; ask this after flags have changed the result.
[[nodiscard]] std::vector<Fault> faults(const Settings& settings);

/// What is allowed but will surprise: one sentence each, with the figures and the remedy.
[[nodiscard]] std::vector<std::string> warnings(const Settings& settings);

/// How messages call the place of a key: "[store]", `provider "photon"`, `provider 2` without a name.
[[nodiscard]] std::string provider_label(std::string_view name, std::size_t index);

}  // namespace geobreaker::config
