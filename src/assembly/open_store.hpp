#pragma once

#include "config/settings.hpp"

#include <geobreaker/store/breaker_store.hpp>

#include <memory>

namespace geobreaker {

/// The store that `[store] url` names. A Redis that is away is no error: it is looked for in the background.
/// Errors: invalid_config.
[[nodiscard]] Result<std::unique_ptr<BreakerStore>> open_store(const config::StoreSettings& settings,
                                                               Clock& clock);

/// This host's name among the reporters of failures: letters, digits, '.', '_' and '-' only.
[[nodiscard]] std::string reporter_name();

}  // namespace geobreaker
