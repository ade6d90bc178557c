// What the Redis store costs: decisions and transitions a second, one at a time and pipelined, and the
// server's CPU per call. Starts a redis-server of its own. The machine's other work disturbs the rates, but
// hardly the server's CPU figures.
#include "support/redis/redis_client.hpp"
#include "support/redis/redis_server.hpp"

#include <geobreaker/redis/redis_store.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace geobreaker {

namespace {

using testing::RedisClient;
using testing::RedisServer;
using Done = std::function<void(bool)>;
using Ask = std::function<void(Done)>;

/// Keeps `depth` calls under way until `total` are answered; calls a second.
double rate(int total, int depth, const Ask& ask) {
  std::mutex mutex;
  std::condition_variable changed;
  int under_way = 0;
  int failed = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < total; ++i) {
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return under_way < depth; });
      ++under_way;
    }
    ask([&](bool good) {
      const std::lock_guard lock(mutex);
      --under_way;
      failed += good ? 0 : 1;
      changed.notify_one();
    });
  }
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return under_way == 0; });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (failed > 0) std::printf("  (%d calls failed)\n", failed);
  return total / took.count();
}

/// Microseconds of the server's CPU per call of `command` since CONFIG RESETSTAT.
std::string server_cpu(RedisClient& client, const std::string& command) {
  const std::string stats = client.command({"INFO", "commandstats"}).text;
  const std::size_t line = stats.find("cmdstat_" + command + ":");
  if (line == std::string::npos) return "-";
  const std::size_t at = stats.find("usec_per_call=", line) + 14;
  return stats.substr(at, stats.find(',', at) - at);
}

struct Bench {
  void run(const char* what, const std::string& command, const Ask& ask) {
    for (const int depth : {1, 16, 256}) {
      client.command({"CONFIG", "RESETSTAT"});
      const int total = depth == 1 ? 5'000 : 60'000;
      const double a_second = rate(total, depth, ask);
      std::printf("%-46s depth %4d %10.0f /s   server CPU %s us\n", what, depth, a_second,
                  server_cpu(client, command).c_str());
    }
  }
  [[nodiscard]] Ask apply(const core::Event& event, const BreakerConfig& with) {
    return [this, event, &with](const Done& done) {
      store->apply({"nominatim", event, with, {}},
                   [done](const Result<StoreReply>& answer) { done(static_cast<bool>(answer)); });
    };
  }

  RedisServer server;
  RedisClient client{server.port()};
  SystemClock clock;
  std::unique_ptr<RedisStore> store;
};

int run() {
  Bench bench;
  RedisStoreOptions options;
  options.timeout = std::chrono::seconds{5};  // what is measured is work, not patience
  auto store = RedisStore::open(bench.server.url(), options, bench.clock);
  if (!store) return 1;
  bench.store = std::move(store).value();

  BreakerConfig config;
  BreakerConfig full = config;  // the finest slices that a window can have
  full.short_window = std::chrono::milliseconds{100};
  full.window = std::chrono::milliseconds{1200};
  BreakerConfig calm = full;  // counts, and never trips
  calm.threshold = calm.run_threshold = 1'000'000'000;
  core::Report success;
  success.reporter = "bench-host";
  success.flush_interval = std::chrono::milliseconds{100};
  core::Report failure = success;
  failure.verb = core::Verb::failure;

  bench.run("read, never heard of", "get", [&](const Done& done) {
    bench.store->read("nominatim",
                      [done](const Result<Reading>& answer) { done(static_cast<bool>(answer)); });
  });
  bench.run("acquire, closed", "evalsha", bench.apply(core::Acquire{{1, 1}}, config));
  bench.run("success, window of 120 slices", "evalsha", bench.apply(success, calm));
  bench.run("failure, window of 120 slices", "evalsha", bench.apply(failure, calm));
  bench.run("late report", "evalsha", [&](const Done& done) {
    core::Report late = failure;
    late.epoch = 1;
    bench.apply(late, config)(done);
  });
  bench.apply(core::Operate{core::Action::open, std::chrono::hours{1}}, config)([](bool) {});
  bench.run("acquire, refused", "evalsha", bench.apply(core::Acquire{{1, 1}}, config));
  bench.run("read, open", "get", [&](const Done& done) {
    bench.store->read("nominatim",
                      [done](const Result<Reading>& answer) { done(static_cast<bool>(answer)); });
  });
  return 0;
}

}  // namespace

}  // namespace geobreaker

int main() { return geobreaker::run(); }
