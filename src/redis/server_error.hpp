#pragma once

#include <string_view>

namespace geobreaker::redis {

/// What a server's error means for the connection.
enum class Reaction {
  refuse,  ///< this call failed, others may not: full, no permission, garbage under a key
  reload,  ///< the script is not there: send it, once
  retest,  ///< the server as a whole is of no use now: loading, busy, read-only after a fail-over
};
[[nodiscard]] Reaction reaction_to(std::string_view error) noexcept;

}  // namespace geobreaker::redis
