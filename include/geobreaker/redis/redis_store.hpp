#pragma once

#include <geobreaker/store/breaker_store.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace geobreaker {

struct RedisStoreOptions {
  std::chrono::milliseconds timeout{50};  ///< no call is answered later than this; 1 ms to 60 s
  std::chrono::milliseconds connect_timeout{
      1000};                                     ///< of one attempt to connect and log in, in the background
  std::chrono::milliseconds flush_timeout{200};  ///< the destructor waits so long for what is on its way
  std::chrono::milliseconds backoff_min{50};     ///< between attempts to connect, with jitter, doubling ...
  std::chrono::milliseconds backoff_max{2000};   ///< ... up to this
  std::size_t max_pending = 100'000;             ///< calls under way at once; more are store_unavailable
  std::string prefix = "cb";                     ///< of every key: printable ASCII without space, { and }
};

/// What became of the store's traffic since it was opened.
struct RedisStoreStats {
  std::int64_t round_trips = 0;  ///< answers received
  std::int64_t errors = 0;       ///< answers that were an error or no reply of this protocol
  std::int64_t timeouts = 0;     ///< calls that were not answered in time
  std::int64_t rejected = 0;     ///< calls answered at once because the store was known to be away
  std::int64_t reconnects = 0;   ///< connections made after the first
  std::int64_t reloads = 0;      ///< times the script had to be sent again
  bool connected = false;
};

/// The store that a fleet shares: every transition is one script call, on Redis's own time.
///
/// One connection, on a thread of the store's own; calls are pipelined. After a call that was not answered in
/// time (or a broken connection, or a server that is loading, busy or read-only) every further call is
/// store_unavailable at once, while the connection is made again and tested in the background: an outage
/// costs a caller at most one `timeout`. Reports are sent at most once. Errors:  store_unavailable,
/// store_timeout, store_refused (the server said no), bad_reply. No text holds the password. Threads: any,
/// concurrently; must not be destroyed by one of its own handlers. fork():  in a child every call is
/// store_unavailable; open a store of its own there.
class RedisStore final : public BreakerStore {
 public:
  /// Neither blocks nor needs the server: calls made before the connection stands wait for it, at most
  /// `timeout`. `url` is redis://[[user]:password@]host[:port][/database]; user and password percent-encoded.
  /// `clock` must outlive the store. Errors: invalid_config (names every fault), store_unavailable (no thread
  /// could be started).
  [[nodiscard]] static Result<std::unique_ptr<RedisStore>> open(std::string_view url,
                                                                const RedisStoreOptions& options,
                                                                Clock& clock);
  /// Sends what is on its way, waiting at most `flush_timeout`; every handler has been called afterwards.
  ~RedisStore() override;

  void read(std::string_view provider, ReadHandler done) override;
  void apply(const StoreCall& call, ApplyHandler done) override;
  [[nodiscard]] RedisStoreStats stats() const noexcept;

  /// What is behind the interface; not for users.
  class Engine;
  explicit RedisStore(std::unique_ptr<Engine> engine) noexcept;

 private:
  std::unique_ptr<Engine> engine_;
};

}  // namespace geobreaker
