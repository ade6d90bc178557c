#pragma once

#include "config/settings.hpp"

#include <geobreaker/result.hpp>

#include <string>
#include <string_view>

namespace geobreaker::config {

/// Reads a configuration in TOML. Without any `[[provider]]` the chain is that of `default_settings`.
/// Errors:  invalid_config: all faults at once, one line each: `source_name`:line:column: the key, its value
/// and what
///          is allowed; unknown keys with the nearest valid one. (A syntax error hides what follows it.) No
///          secrets.
/// Threads: any, concurrently.
[[nodiscard]] Result<Settings> parse_settings(std::string_view text, std::string_view source_name);

/// The same for a file of at most 1 MiB.
/// Errors:  also unreadable: the file cannot be opened or read; the system's reason is named.
[[nodiscard]] Result<Settings> load_settings(const std::string& path);

}  // namespace geobreaker::config
