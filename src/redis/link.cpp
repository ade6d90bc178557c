#include "redis/link.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>

namespace geobreaker::redis {

namespace asio = boost::asio;
using boost::system::error_code;

Link::Link(asio::io_context& io, std::string shown_address)
    : socket_(io), shown_address_(std::move(shown_address)) {}

void Link::connect(const asio::ip::tcp::endpoint& endpoint, Connected done) {
  socket_.async_connect(endpoint, [self = shared_from_this(), done = std::move(done)](error_code error) {
    if (error == asio::error::operation_aborted) return;
    if (!error) {
      error_code ignored;  // options that make it faster, not right
      self->socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
      self->socket_.set_option(asio::socket_base::keep_alive(true), ignored);
      self->socket_.non_blocking(true, ignored);
      self->open_ = true;
      self->start_reading();
    }
    done(error);
  });
}

void Link::send(std::string_view bytes) {
  if (!open_) return;
  const bool scheduled = writing_ || !unsent_.empty();
  unsent_.append(bytes);
  if (scheduled) return;
  asio::post(socket_.get_executor(), [self = shared_from_this()] {
    if (!self->writing_) self->start_writing();
  });
}

void Link::start_writing() {
  if (!open_ || unsent_.empty()) return;
  writing_ = true;
  sending_.swap(unsent_);
  unsent_.clear();
  asio::async_write(socket_, asio::buffer(sending_),
                    [self = shared_from_this()](error_code error, std::size_t) {
                      self->writing_ = false;
                      if (error) return self->broke(self->fault(error));
                      self->start_writing();
                    });
}

void Link::start_reading() {
  // Waiting and reading apart: only so may take_what_is_there read in between without upsetting the order.
  socket_.async_wait(asio::socket_base::wait_read, [self = shared_from_this()](error_code error) {
    if (!self->open_) return;
    if (error) return self->broke(self->fault(error));
    self->take_what_is_there();
    if (self->open_) self->start_reading();
  });
}

void Link::take_what_is_there() {
  const auto self = shared_from_this();  // handling an answer may drop the last other reference
  while (open_) {
    error_code error;
    const std::size_t size = socket_.read_some(asio::buffer(input_), error);
    if (error == asio::error::would_block || error == asio::error::interrupted) return;
    if (error) return broke(fault(error));
    received({input_.data(), size});
    if (size < input_.size()) return;
  }
}

void Link::received(std::string_view bytes) {
  bool good = reader_.feed(bytes);
  while (good && open_) {
    std::optional<RespValue> reply = reader_.next();
    if (!reply) break;
    if (user_ != nullptr) user_->on_reply(std::move(*reply));
  }
  if (open_ && reader_.broken())
    broke({Errc::bad_reply, "redis " + shown_address_ + ": what it answers is not the Redis protocol"});
}

Error Link::fault(const error_code& error) const {
  return {Errc::store_unavailable, "redis " + shown_address_ + ": " + error.message()};
}

void Link::broke(Error why) {
  if (!open_) return;
  close();
  if (LinkUser* const user = std::exchange(user_, nullptr); user != nullptr) user->on_broken(std::move(why));
}

void Link::close() noexcept {
  open_ = false;
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace geobreaker::redis
