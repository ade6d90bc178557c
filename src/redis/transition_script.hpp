#pragma once

#include <string_view>

namespace geobreaker::redis {

/// The script that makes a transition inside Redis: the files of script/, joined by the build.
[[nodiscard]] std::string_view transition_script() noexcept;

}  // namespace geobreaker::redis
