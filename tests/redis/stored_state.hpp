#pragma once

#include <geobreaker/core/state.hpp>

#include <array>
#include <optional>
#include <string>

namespace geobreaker::testing {

/// The state that the texts under a provider's five keys say, as docs/protocol.md describes them (absent: the
/// default). Throws std::runtime_error if a text is malformed.
core::BreakerState state_of(const std::array<std::optional<std::string>, 5>& texts);

}  // namespace geobreaker::testing
