#pragma once

#include <string>
#include <string_view>

namespace geobreaker::redis {

/// SHA-1 (RFC 3174) as 40 hexadecimal digits: the name by which EVALSHA calls a script. Not for secrets.
[[nodiscard]] std::string sha1_hex(std::string_view text);

}  // namespace geobreaker::redis
