#pragma once

#include <geobreaker/result.hpp>

#include <string>
#include <string_view>

namespace geobreaker {

/// An address as it is sent to a provider: composed (NFC), every run of white space and control characters
/// one space, none at its ends. Case, script and punctuation stay as they were written. Errors: unreadable,
/// if the text is not valid UTF-8. Threads: any.
[[nodiscard]] Result<std::string> normalise_text(std::string_view text);

}  // namespace geobreaker
