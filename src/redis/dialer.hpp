#pragma once

#include "redis/link.hpp"
#include "redis/redis_url.hpp"
#include "redis/resolve.hpp"

#include <geobreaker/clock.hpp>

#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace geobreaker::redis {

/// A connection that is logged in and has answered in time.
struct Dialled {
  std::shared_ptr<Link> link;
  SharedTime store_time;
  SteadyTime sent;
  SteadyTime received;
};

/// Makes one connection at a time: looks the host up, connects, logs in, selects the database, then demands
/// PING and TIME within the time-out that calls will be held to. Threads: the one that runs the io_context.
class Dialer final : private LinkUser {
 public:
  using Done = std::function<void(Result<Dialled>)>;
  Dialer(std::shared_ptr<boost::asio::io_context> io, RedisUrl url, std::chrono::milliseconds connect_timeout,
         std::chrono::milliseconds timeout, Clock& clock);

  /// One attempt at a time. `done` is called once, never from within start.
  void start(Done done);
  void cancel() noexcept;

 private:
  enum class Stage { idle, resolving, connecting, logging_in, testing };
  void resolved(Result<Endpoints> endpoints);
  void connected(const boost::system::error_code& error);
  void log_in();
  void test();
  void on_reply(RespValue reply) override;
  void on_broken(Error why) override;
  void tested(const RespValue& time);
  void within(std::chrono::milliseconds span, const char* what);
  void finish(Result<Dialled> result);
  void fail(std::string why);

  std::shared_ptr<boost::asio::io_context> io_;
  const RedisUrl url_;
  const std::chrono::milliseconds connect_timeout_;
  const std::chrono::milliseconds timeout_;
  Clock& clock_;
  boost::asio::steady_timer timer_;
  std::shared_ptr<Link> link_;
  Done done_;
  Stage stage_ = Stage::idle;
  bool look_up_under_way_ = false;
  std::size_t attempts_ = 0;
  int replies_expected_ = 0;
  bool pong_ = false;
  SteadyTime sent_{};
};

}  // namespace geobreaker::redis
