#pragma once

#include "config/settings.hpp"

// The one place that includes toml++: as headers only, so that nothing is to be linked or found at run time,
// and with its exceptions, which load.cpp catches. Its assertions and assumptions are off in every
// build: 3.3.0 claims that a table's header begins with a key, which "[?" disproves, and its very next lines
// report that as the syntax error it is.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_ASSERT(expr) static_assert(true)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <optional>
#include <string>

namespace geobreaker::config {

/// What is wrong with the value, ready to stand behind "`key` in [table]"; nothing if it was read.
using Complaint = std::optional<std::string>;

/// Each reads `node` into `out` and leaves `out` alone if it complains.
[[nodiscard]] Complaint read_value(const toml::node& node, std::string& out);
[[nodiscard]] Complaint read_value(const toml::node& node, int& out);
[[nodiscard]] Complaint read_value(const toml::node& node, double& out);
[[nodiscard]] Complaint read_value(const toml::node& node, Micros& out);
[[nodiscard]] Complaint read_value(const toml::node& node, std::optional<Micros>& out);
[[nodiscard]] Complaint read_value(const toml::node& node, std::optional<Rate>& out);
[[nodiscard]] Complaint read_value(const toml::node& node, std::optional<Precision>& out);
[[nodiscard]] Complaint read_value(const toml::node& node, OnSkip& out);

/// ": expected EXPECTED, found integer 5".
[[nodiscard]] std::string wrong_type(const toml::node& node, const std::string& expected);

}  // namespace geobreaker::config
