#pragma once

#include <string_view>

namespace geobreaker::redis {

/// The text of transition.lua, built into the library.
[[nodiscard]] std::string_view transition_script() noexcept;

}  // namespace geobreaker::redis
