#include "redis/dialer.hpp"

#include <charconv>
#include <optional>
#include <utility>

namespace geobreaker::redis {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

std::optional<std::int64_t> whole_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

/// Seconds and microseconds, as TIME answers them.
std::optional<SharedTime> time_of(const RespValue& reply) {
  if (reply.kind != RespValue::Kind::array || reply.items.size() != 2) return std::nullopt;
  const auto seconds = whole_number(reply.items[0].text);
  const auto micros = whole_number(reply.items[1].text);
  if (!seconds || !micros || *seconds > 9'000'000'000 || *micros >= 1'000'000) return std::nullopt;
  return SharedTime{std::chrono::seconds{*seconds} + Micros{*micros}};
}

}  // namespace

Dialer::Dialer(std::shared_ptr<asio::io_context> io, RedisUrl url, std::chrono::milliseconds connect_timeout,
               std::chrono::milliseconds timeout, Clock& clock)
    : io_(std::move(io)),
      url_(std::move(url)),
      connect_timeout_(connect_timeout),
      timeout_(timeout),
      clock_(clock),
      timer_(*io_) {}

void Dialer::start(Done done) {
  done_ = std::move(done);
  stage_ = Stage::resolving;
  within(connect_timeout_, "no connection within the connect time-out");
  if (look_up_under_way_) return;  // one that an earlier attempt began will do, and will come
  look_up_under_way_ = true;
  resolve(io_, url_.host, url_.port, [this](Result<Endpoints> found) {
    look_up_under_way_ = false;
    resolved(std::move(found));
  });
}

void Dialer::cancel() noexcept {
  stage_ = Stage::idle;
  done_ = nullptr;
  timer_.cancel();
  if (const auto link = std::exchange(link_, nullptr)) {
    link->set_user(nullptr);
    link->close();
  }
}

void Dialer::resolved(Result<Endpoints> found) {
  if (stage_ != Stage::resolving) return;
  if (!found) return finish(found.error());
  stage_ = Stage::connecting;
  link_ = std::make_shared<Link>(*io_, url_.shown());
  link_->set_user(this);
  // Each attempt tries the next address: one that swallows packets must not hide the others.
  const auto& endpoint = (*found)[attempts_++ % found->size()];
  link_->connect(endpoint, [this, link = link_.get()](const error_code& error) {
    if (stage_ == Stage::connecting && link == link_.get()) connected(error);
  });
}

void Dialer::connected(const error_code& error) {
  if (error) return fail(error.message());
  log_in();
}

void Dialer::log_in() {
  stage_ = Stage::logging_in;
  std::string bytes;
  replies_expected_ = 0;
  const auto add = [&](const std::vector<std::string>& words) {
    append_command(bytes, words);
    ++replies_expected_;
  };
  if (!url_.password.empty()) {
    if (url_.user.empty())
      add({"AUTH", url_.password});
    else
      add({"AUTH", url_.user, url_.password});
  }
  if (url_.database != 0) add({"SELECT", std::to_string(url_.database)});
  if (replies_expected_ == 0) return test();
  link_->send(bytes);
}

void Dialer::test() {
  stage_ = Stage::testing;
  pong_ = false;
  sent_ = clock_.steady_now();
  within(timeout_, "it is connected, but did not answer within the time-out");
  std::string bytes;
  append_command(bytes, {"PING"});
  append_command(bytes, {"TIME"});
  link_->send(bytes);
}

void Dialer::on_reply(RespValue reply) {
  if (reply.kind == RespValue::Kind::error) return fail(reply.text.substr(0, 200));
  if (stage_ == Stage::logging_in) {
    if (--replies_expected_ == 0) test();
    return;
  }
  if (stage_ != Stage::testing) return fail("it spoke without being asked");
  if (pong_) return tested(reply);
  pong_ = true;
  if (reply.text != "PONG") fail("it did not answer PING with PONG");
}

void Dialer::on_broken(Error why) { finish(std::move(why)); }

void Dialer::tested(const RespValue& reply) {
  const auto time = time_of(reply);
  if (!time) return fail("its answer to TIME is malformed");
  finish(Dialled{link_, *time, sent_, clock_.steady_now()});
}

void Dialer::within(std::chrono::milliseconds span, const char* what) {
  timer_.expires_after(span);
  timer_.async_wait([this, what, stage = stage_](const error_code& error) {
    // A wait that another one has replaced may have ended already, and only be reported now.
    if (error || stage_ == Stage::idle || timer_.expiry() > std::chrono::steady_clock::now()) return;
    if (stage == Stage::testing && link_) {
      link_->take_what_is_there();
      if (stage_ != Stage::testing) return;
    }
    fail(what);
  });
}

void Dialer::fail(std::string why) {
  finish(Error{Errc::store_unavailable, "redis " + url_.shown() + ": " + std::move(why)});
}

void Dialer::finish(Result<Dialled> result) {
  if (stage_ == Stage::idle) return;
  Done done = std::move(done_);
  if (result) link_ = nullptr;  // it belongs to the caller now
  cancel();
  done(std::move(result));
}

}  // namespace geobreaker::redis
