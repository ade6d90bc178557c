#include "redis/engine.hpp"
#include "redis/open_with_script.hpp"
#include "redis/transition_script.hpp"

#include <geobreaker/redis/redis_store.hpp>

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

namespace geobreaker {

namespace {

using std::chrono::milliseconds;

std::string faults_of(const RedisStoreOptions& o) {
  std::string faults;
  const auto check = [&](const char* name, milliseconds value, milliseconds least, milliseconds most) {
    if (value >= least && value <= most) return;
    if (!faults.empty()) faults += '\n';
    faults += std::string("redis store: ") + name + " is " + std::to_string(value.count()) +
              " ms: allowed is " + std::to_string(least.count()) + " to " + std::to_string(most.count()) +
              " ms";
  };
  constexpr milliseconds minute{60'000};
  check("timeout", o.timeout, milliseconds{1}, minute);
  check("connect_timeout", o.connect_timeout, milliseconds{1}, minute);
  check("flush_timeout", o.flush_timeout, milliseconds{0}, minute);
  check("backoff_min", o.backoff_min, milliseconds{1}, minute);
  check("backoff_max", o.backoff_max, std::max(milliseconds{1}, o.backoff_min), minute);
  const auto usable = [](char c) { return c > ' ' && c <= '~' && c != '{' && c != '}'; };
  if (!std::all_of(o.prefix.begin(), o.prefix.end(), usable) || o.prefix.empty() || o.prefix.size() > 200) {
    if (!faults.empty()) faults += '\n';
    faults += "redis store: prefix is \"" + o.prefix +
              "\": allowed are 1 to 200 printable ASCII characters but space, { and }";
  }
  return faults;
}

Error forked_error() {
  return {Errc::store_unavailable,
          "redis: the store was opened before fork; open one of its own in the child"};
}

}  // namespace

namespace redis {

Result<std::unique_ptr<RedisStore>> open_with_script(std::string_view url, const RedisStoreOptions& options,
                                                     Clock& clock, std::string script) {
  auto parsed = parse_redis_url(url);
  if (!parsed) return parsed.error();
  if (std::string faults = faults_of(options); !faults.empty())
    return Error{Errc::invalid_config, std::move(faults)};
  try {
    auto engine = std::make_unique<RedisStore::Engine>(std::move(*parsed), options, clock, std::move(script));
    engine->start();
    return std::make_unique<RedisStore>(std::move(engine));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // no thread, no epoll descriptor
    return Error{Errc::store_unavailable, std::string("redis: the store cannot start: ") + error.what()};
  }
}

}  // namespace redis

Result<std::unique_ptr<RedisStore>> RedisStore::open(std::string_view url, const RedisStoreOptions& options,
                                                     Clock& clock) {
  return redis::open_with_script(url, options, clock, std::string(redis::transition_script()));
}

RedisStore::RedisStore(std::unique_ptr<Engine> engine) noexcept : engine_(std::move(engine)) {}

RedisStore::~RedisStore() {
  // In a forked child the thread, its locks and its sockets belong to the parent: only memory is lost by
  // leaving them.
  if (engine_->forked())
    static_cast<void>(engine_.release());
  else
    engine_->shut_down();
}

void RedisStore::read(std::string_view provider, ReadHandler done) {
  if (engine_->forked()) return done(forked_error());
  engine_->read(provider, std::move(done));
}

void RedisStore::apply(const StoreCall& call, ApplyHandler done) {
  if (engine_->forked()) return done(forked_error());
  engine_->apply(call, std::move(done));
}

RedisStoreStats RedisStore::stats() const noexcept { return engine_->stats(); }

}  // namespace geobreaker
