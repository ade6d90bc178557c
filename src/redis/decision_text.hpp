#pragma once

#include <geobreaker/core/decision.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace geobreaker::redis {

/// A decision as it stands under its key and in every reply: the format's number and 16 integers.
[[nodiscard]] std::string decision_text(const core::Decision& decision);
/// Nothing if `text` is no decision of this format.
[[nodiscard]] std::optional<core::Decision> parse_decision(std::string_view text) noexcept;

}  // namespace geobreaker::redis
