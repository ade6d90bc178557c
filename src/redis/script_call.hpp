#pragma once

#include <geobreaker/store/breaker_store.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace geobreaker::redis {

/// A lease token as 32 hexadecimal digits; the empty token as nothing.
[[nodiscard]] std::string token_text(const core::LeaseToken& token);
[[nodiscard]] std::optional<core::LeaseToken> parse_token(std::string_view text) noexcept;

/// The script's KEYS and ARGV for one transition: five keys, then the arguments.
[[nodiscard]] std::vector<std::string> script_arguments(std::string_view prefix, const StoreCall& call);

/// What the script answered; nothing if the texts are no reply of this protocol.
[[nodiscard]] std::optional<StoreReply> parse_script_reply(const std::vector<std::string>& lines);

}  // namespace geobreaker::redis
