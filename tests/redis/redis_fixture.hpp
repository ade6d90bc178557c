#pragma once

#include "redis/keys.hpp"
#include "redis/open_with_script.hpp"
#include "redis/script_variants.hpp"
#include "support/redis/redis_client.hpp"
#include "support/redis/redis_server.hpp"

#include <geobreaker/redis/redis_store.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace geobreaker::testing {

/// An answer, and how long it was waited for.
template <class T>
struct Timed {
  Result<T> answer;
  std::chrono::microseconds waited;
};

/// A caller that waits for its answers.
class Caller {
 public:
  explicit Caller(BreakerStore& store) : store_(store) {}

  Timed<StoreReply> apply(const core::Event& event, const core::Decision& carried = {},
                          const std::string& provider = "nominatim") {
    return timed<StoreReply>([&](auto done) {
      store_.apply({provider, event, config, carried}, std::move(done));
    });
  }
  Timed<Reading> read(const std::string& provider = "nominatim") {
    return timed<Reading>([&](auto done) { store_.read(provider, std::move(done)); });
  }
  /// The answer; a test failure and a default if there is none.
  StoreReply reply(const core::Event& event, const core::Decision& carried = {},
                   const std::string& provider = "nominatim") {
    auto made = apply(event, carried, provider);
    if (made.answer) return std::move(made.answer).value();
    ADD_FAILURE() << made.answer.error().detail;
    return {};
  }

  BreakerConfig config;

 private:
  template <class T, class Ask>
  Timed<T> timed(Ask ask) {
    // Shared: if a handler came late, it must not find the promise gone.
    const auto promise = std::make_shared<std::promise<Result<T>>>();
    const auto start = std::chrono::steady_clock::now();
    ask([promise](Result<T> answer) { promise->set_value(std::move(answer)); });
    auto future = promise->get_future();
    if (future.wait_for(std::chrono::seconds{30}) != std::future_status::ready)
      return {Error{Errc::store_timeout, "the handler was never called"}, std::chrono::seconds{30}};
    Result<T> answer = future.get();
    return {std::move(answer),
            std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start)};
  }
  BreakerStore& store_;
};

/// A generous time-out: for tests of meaning, not of time, on a machine that does other things as well.
inline RedisStoreOptions patient() {
  RedisStoreOptions options;
  options.timeout = std::chrono::seconds{10};
  options.connect_timeout = std::chrono::seconds{10};
  return options;
}

inline std::unique_ptr<RedisStore> open_store(const std::string& url,
                                              const RedisStoreOptions& options = patient()) {
  static SystemClock clock;
  auto store = RedisStore::open(url, options, clock);
  if (!store) throw std::runtime_error(store.error().detail);
  return std::move(store).value();
}

inline std::unique_ptr<RedisStore> open_store_with(const std::string& url, std::string script,
                                                   const RedisStoreOptions& options = patient()) {
  static SystemClock clock;
  auto store = redis::open_with_script(url, options, clock, std::move(script));
  if (!store) throw std::runtime_error(store.error().detail);
  return std::move(store).value();
}

inline core::Report report(std::int64_t epoch, core::Verb verb, core::LeaseToken token = {}) {
  core::Report event;
  event.epoch = epoch;
  event.verb = verb;
  event.token = token;
  event.reporter = "host-1";
  return event;
}

/// Polls `done` until it holds; false after 20 s.
template <class Condition>
bool eventually(Condition done) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  while (std::chrono::steady_clock::now() < deadline) {
    if (done()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  return false;
}

}  // namespace geobreaker::testing
