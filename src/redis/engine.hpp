#pragma once

#include "redis/dialer.hpp"
#include "redis/store_time.hpp"

#include <geobreaker/random.hpp>
#include <geobreaker/redis/redis_store.hpp>

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace geobreaker {

/// The store's thread and all that happens on it. See RedisStore.
class RedisStore::Engine final : private redis::LinkUser {
 public:
  Engine(redis::RedisUrl url, RedisStoreOptions options, Clock& clock, std::string script);

  void start();  ///< throws std::system_error if there is no thread
  void shut_down();
  /// In a child process nothing here may be touched but this.
  [[nodiscard]] bool forked() const noexcept { return getpid() != pid_; }

  void read(std::string_view provider, ReadHandler done);
  void apply(const StoreCall& call, ApplyHandler done);
  [[nodiscard]] RedisStoreStats stats() const noexcept;

 private:
  using Instant = std::chrono::steady_clock::time_point;
  using Handler = std::variant<ReadHandler, ApplyHandler>;
  enum class State { starting, up, down };

  struct Call {
    std::string bytes;  ///< of the whole command, or for a script of all that follows the script's name
    Handler done;
    Instant deadline;
    SteadyTime sent{};
    bool sent_again = false;   ///< after NOSCRIPT
    bool with_script = false;  ///< by EVAL: cannot meet NOSCRIPT
  };

  // Any thread.
  void submit(Call call);
  [[nodiscard]] std::optional<Error> refuse_or_enqueue(Call& call);
  void finish(Call& call, Error why);

  // The store's thread.
  void take_inbox();
  void send(Call call);
  void watch_deadline(Instant deadline);
  void deadline_passed();
  [[nodiscard]] std::vector<Call> take_expired(std::deque<Call>& calls);
  void dial();
  void dialled(Result<redis::Dialled> result);
  void go_up(redis::Dialled dialled);
  void go_down(const Error& why, Errc for_calls_on_the_way);
  void retry_later();
  void on_reply(redis::RespValue reply) override;
  void on_broken(Error why) override;
  void read_answered(Call& call, const redis::RespValue& reply);
  void script_answered(Call call, const redis::RespValue& reply);
  void script_failed(Call call, const std::string& text);
  void send_again(Call call);
  void begin_shutdown();
  void stop_if_idle();
  void stop_now();
  [[nodiscard]] Error fault(Errc code, const std::string& what) const;

  const redis::RedisUrl url_;
  const RedisStoreOptions options_;
  Clock& clock_;
  const std::string script_;
  const std::string script_name_;  // its SHA-1
  const pid_t pid_ = getpid();

  std::shared_ptr<boost::asio::io_context> io_;
  redis::Dialer dialer_;
  boost::asio::steady_timer deadline_timer_;
  boost::asio::steady_timer retry_timer_;
  boost::asio::steady_timer flush_timer_;
  std::thread thread_;

  std::mutex mutex_;
  std::vector<Call> inbox_;                      // guarded by mutex_
  bool shutting_down_ = false;                   // guarded by mutex_
  Error why_down_{Errc::store_unavailable, {}};  // guarded by mutex_
  // Written under mutex_; read without it only to answer at once while the store is away, where being late is
  // harmless.
  std::atomic<State> state_{State::starting};
  std::atomic<std::size_t> pending_{0};  // calls not answered yet

  // Touched by the store's thread only.
  std::shared_ptr<redis::Link> link_;
  std::deque<Call> waiting_;     // for the first connection
  std::deque<Call> on_the_way_;  // in the order in which the answers come
  redis::StoreTime time_;
  SystemRandom random_;
  bool deadline_watched_ = false;
  bool loading_script_ = false;
  bool stopping_ = false;
  int failures_in_a_row_ = 0;

  std::atomic<std::int64_t> round_trips_{0};
  std::atomic<std::int64_t> errors_{0};
  std::atomic<std::int64_t> timeouts_{0};
  std::atomic<std::int64_t> rejected_{0};
  std::atomic<std::int64_t> connections_{0};
  std::atomic<std::int64_t> reloads_{0};
};

}  // namespace geobreaker
