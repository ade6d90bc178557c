#pragma once

#include <geobreaker/redis/redis_store.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace geobreaker::redis {

/// What RedisStore::open does, with another script: tests inject a clock or a fault that way.
[[nodiscard]] Result<std::unique_ptr<RedisStore>> open_with_script(std::string_view url,
                                                                   const RedisStoreOptions& options,
                                                                   Clock& clock, std::string script);

}  // namespace geobreaker::redis
