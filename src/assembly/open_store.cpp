#include "assembly/open_store.hpp"

#include "config/urls.hpp"

#include <geobreaker/redis/redis_store.hpp>
#include <geobreaker/store/memory_store.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace geobreaker {

Result<std::unique_ptr<BreakerStore>> open_store(const config::StoreSettings& settings, Clock& clock) {
  const auto address = config::parse_store_url(settings.url);
  if (!address) return address.error();
  if (address->memory) return std::unique_ptr<BreakerStore>(std::make_unique<MemoryStore>(clock));
  RedisStoreOptions options;
  options.timeout = std::chrono::ceil<std::chrono::milliseconds>(settings.timeout);
  options.prefix = settings.prefix;
  auto opened = RedisStore::open(settings.url, options, clock);
  if (!opened) return opened.error();
  return std::unique_ptr<BreakerStore>(std::move(*opened));
}

std::string reporter_name() {
  std::array<char, 256> buffer{};
  if (gethostname(buffer.data(), buffer.size() - 1) != 0) return "unknown";
  std::string name(buffer.data());
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return !std::isalnum(c) && c != '.' && c != '_' && c != '-'; }, '_');
  return name.empty() ? "unknown" : name.substr(0, 64);
}

}  // namespace geobreaker
