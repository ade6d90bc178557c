#pragma once

#include "redis/resp.hpp"

#include <geobreaker/result.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace geobreaker::redis {

/// Whoever a connection tells what happens on it.
class LinkUser {
 public:
  virtual void on_reply(RespValue reply) = 0;
  /// The connection is closed already, and says nothing after this.
  virtual void on_broken(Error why) = 0;

 protected:
  ~LinkUser() = default;
};

/// One TCP connection to a server that speaks RESP. Commands are written together as far as the socket takes
/// them. Threads: the one that runs the io_context.
class Link final : public std::enable_shared_from_this<Link> {
 public:
  using Connected = std::function<void(const boost::system::error_code&)>;
  Link(boost::asio::io_context& io, std::string shown_address);

  void connect(const boost::asio::ip::tcp::endpoint& endpoint, Connected done);
  /// `user` hears of everything from now on; nullptr: nobody does.
  void set_user(LinkUser* user) noexcept { user_ = user; }
  /// Appends whole commands; they leave at the end of the present turn of the event loop, or with the write
  /// under way.
  void send(std::string_view bytes);
  /// Handles what has arrived already but was not read yet: a deadline must not pass over an answer that is
  /// there.
  void take_what_is_there();
  void close() noexcept;

 private:
  void start_reading();
  void start_writing();
  void received(std::string_view bytes);
  [[nodiscard]] Error fault(const boost::system::error_code& error) const;
  void broke(Error why);

  boost::asio::ip::tcp::socket socket_;
  std::string shown_address_;
  RespReader reader_;
  LinkUser* user_ = nullptr;
  std::array<char, 16384> input_{};
  std::string unsent_;   // appended to by send
  std::string sending_;  // owned by the write under way
  bool writing_ = false;
  bool open_ = false;
};

}  // namespace geobreaker::redis
