#include "redis/engine.hpp"

#include "redis/decision_text.hpp"
#include "redis/keys.hpp"
#include "redis/quiet_thread.hpp"
#include "redis/script_call.hpp"
#include "redis/server_error.hpp"
#include "redis/sha1.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace geobreaker {

namespace asio = boost::asio;
using boost::system::error_code;
using redis::RespValue;

namespace {

constexpr int keys_of_a_script_call = 5;

/// EVALSHA or EVAL, the script's name or text, and the number of keys; `rest` is what script_call_bytes made.
std::string script_command(std::string_view verb, std::string_view script, const std::string& rest) {
  // `rest` begins with the number of words that follow the script, then a line break.
  const std::size_t end = rest.find('\n');
  std::string bytes = "*" + std::to_string(2 + std::stoi(rest.substr(0, end))) + "\r\n";
  bytes.reserve(script.size() + rest.size() + 64);
  redis::append_bulk(bytes, verb);
  redis::append_bulk(bytes, script);
  return bytes.append(rest, end + 1);
}

std::string script_call_bytes(std::string_view prefix, const StoreCall& call) {
  const std::vector<std::string> words = redis::script_arguments(prefix, call);
  std::string bytes = std::to_string(words.size() + 1) + "\n";
  bytes.reserve(768);
  redis::append_bulk(bytes, std::to_string(keys_of_a_script_call));
  for (const std::string& word : words) redis::append_bulk(bytes, word);
  return bytes;
}

}  // namespace

RedisStore::Engine::Engine(redis::RedisUrl url, RedisStoreOptions options, Clock& clock, std::string script)
    : url_(std::move(url)),
      options_(std::move(options)),
      clock_(clock),
      script_(std::move(script)),
      script_name_(redis::sha1_hex(script_)),
      io_(std::make_shared<asio::io_context>(1)),
      dialer_(io_, url_, options_.connect_timeout, options_.timeout, clock_),
      deadline_timer_(*io_),
      retry_timer_(*io_),
      flush_timer_(*io_) {}

void RedisStore::Engine::start() {
  asio::post(*io_, [this] { dial(); });
  thread_ = redis::quiet_thread([this] {
    const auto work = asio::make_work_guard(*io_);
    io_->run();
  });
}

// Any thread
// ------------------------------------------------------------------------------------------------------------

Error RedisStore::Engine::fault(Errc code, const std::string& what) const {
  return {code, "redis " + url_.shown() + ": " + what};
}

void RedisStore::Engine::finish(Call& call, Error why) {
  --pending_;
  if (why.code == Errc::store_timeout) ++timeouts_;
  if (auto* const read = std::get_if<ReadHandler>(&call.done))
    (*read)(std::move(why));
  else
    std::get<ApplyHandler>(call.done)(std::move(why));
}

void RedisStore::Engine::read(std::string_view provider, ReadHandler done) {
  Call call;
  if (state_.load(std::memory_order_relaxed) != State::down)
    redis::append_command(call.bytes, {"GET", redis::decision_key(options_.prefix, provider)});
  call.done = std::move(done);
  submit(std::move(call));
}

void RedisStore::Engine::apply(const StoreCall& store_call, ApplyHandler done) {
  Call call;
  if (state_.load(std::memory_order_relaxed) != State::down)
    call.bytes = script_call_bytes(options_.prefix, store_call);
  call.done = std::move(done);
  submit(std::move(call));
}

void RedisStore::Engine::submit(Call call) {
  ++pending_;
  call.deadline = std::chrono::steady_clock::now() + options_.timeout;
  if (auto error = refuse_or_enqueue(call)) {
    ++rejected_;
    finish(call, std::move(*error));
  }
}

std::optional<Error> RedisStore::Engine::refuse_or_enqueue(Call& call) {
  const std::lock_guard lock(mutex_);
  if (shutting_down_) return fault(Errc::store_unavailable, "the store is being closed");
  // A call that saw the store away a moment ago, when it is back by now, has no bytes: it is told the former.
  if (state_ == State::down || call.bytes.empty()) return why_down_;
  if (pending_ > options_.max_pending)
    return fault(Errc::store_unavailable, std::to_string(options_.max_pending) +
                                              " calls are on their way already, which is max_pending");
  inbox_.push_back(std::move(call));
  if (inbox_.size() == 1) asio::post(*io_, [this] { take_inbox(); });
  return std::nullopt;
}

RedisStoreStats RedisStore::Engine::stats() const noexcept {
  RedisStoreStats now;
  now.round_trips = round_trips_;
  now.errors = errors_;
  now.timeouts = timeouts_;
  now.rejected = rejected_;
  now.reconnects = std::max<std::int64_t>(0, connections_ - 1);
  now.reloads = reloads_;
  now.connected = state_ == State::up;
  return now;
}

void RedisStore::Engine::shut_down() {
  {
    const std::lock_guard lock(mutex_);
    shutting_down_ = true;
  }
  asio::post(*io_, [this] { begin_shutdown(); });
  thread_.join();
}

// The store's thread: calls
// ------------------------------------------------------------------------------------------------

void RedisStore::Engine::take_inbox() {
  std::vector<Call> calls;
  State state;
  Error why{Errc::store_unavailable, {}};
  {
    const std::lock_guard lock(mutex_);
    calls.swap(inbox_);
    state = state_;
    why = why_down_;
  }
  for (Call& call : calls) {
    if (state == State::down) {
      finish(call, why);
    } else if (state == State::up && link_) {
      send(std::move(call));
    } else {
      watch_deadline(call.deadline);
      waiting_.push_back(std::move(call));
    }
  }
}

void RedisStore::Engine::send(Call call) {
  call.sent = clock_.steady_now();
  watch_deadline(call.deadline);
  if (std::holds_alternative<ReadHandler>(call.done)) {
    link_->send(call.bytes);
  } else if (call.with_script) {
    link_->send(script_command("EVAL", script_, call.bytes));
  } else {
    link_->send(script_command("EVALSHA", script_name_, call.bytes));
  }
  on_the_way_.push_back(std::move(call));
}

/// One timer for all: it is set when it is not, and looks for the next deadline when it fires.
void RedisStore::Engine::watch_deadline(Instant deadline) {
  if (deadline_watched_) return;
  deadline_watched_ = true;
  deadline_timer_.expires_at(deadline);
  deadline_timer_.async_wait([this](const error_code& error) {
    deadline_watched_ = false;
    if (!error) deadline_passed();
  });
}

void RedisStore::Engine::deadline_passed() {
  const auto expired = [now = std::chrono::steady_clock::now()](const Call& call) {
    return call.deadline <= now;
  };
  // An answer that is there, and only waits for this thread, is no time-out.
  if (link_ && std::any_of(on_the_way_.begin(), on_the_way_.end(), expired)) link_->take_what_is_there();
  const bool lost = std::any_of(on_the_way_.begin(), on_the_way_.end(), expired) ||
                    std::any_of(waiting_.begin(), waiting_.end(), expired);
  if (lost) {
    const std::string what = "no answer within " + std::to_string(options_.timeout.count()) + " ms";
    return go_down(fault(Errc::store_unavailable, what), Errc::store_timeout);
  }
  // Calls that were sent again stand behind later ones.
  Instant next = Instant::max();
  for (const Call& call : on_the_way_) next = std::min(next, call.deadline);
  for (const Call& call : waiting_) next = std::min(next, call.deadline);
  if (next != Instant::max()) watch_deadline(next);
}

// The store's thread: the connection
// ------------------------------------------------------------------------------------------

void RedisStore::Engine::dial() {
  dialer_.start([this](Result<redis::Dialled> result) { dialled(std::move(result)); });
}

void RedisStore::Engine::dialled(Result<redis::Dialled> result) {
  if (stopping_ && !result) return stop_now();
  if (result) return go_up(std::move(*result));
  go_down(result.error(), Errc::store_unavailable);
}

void RedisStore::Engine::go_up(redis::Dialled dialled) {
  time_.measured(dialled.store_time, dialled.sent, dialled.received);
  link_ = std::move(dialled.link);
  link_->set_user(this);
  loading_script_ = false;
  ++connections_;
  {
    const std::lock_guard lock(mutex_);
    state_ = State::up;
  }
  for (std::deque<Call> calls = std::exchange(waiting_, {}); Call & call : calls) send(std::move(call));
  stop_if_idle();
}

/// Every call is answered, further ones are refused at once, and the connection is tried again after a while.
void RedisStore::Engine::go_down(const Error& why, Errc for_calls_on_the_way) {
  std::deque<Call> calls = std::exchange(on_the_way_, {});
  const std::size_t sent = calls.size();
  std::move(waiting_.begin(), waiting_.end(), std::back_inserter(calls));
  waiting_.clear();
  {
    const std::lock_guard lock(mutex_);
    state_ = State::down;
    why_down_ = {Errc::store_unavailable, why.detail};
    std::move(inbox_.begin(), inbox_.end(), std::back_inserter(calls));
    inbox_.clear();
  }
  const bool was_connected = link_ != nullptr;
  if (was_connected) {
    link_->set_user(nullptr);
    link_->close();
    link_ = nullptr;
  }
  const bool waited_in_vain = !was_connected && for_calls_on_the_way == Errc::store_timeout;
  // An attempt to connect that is under way goes on; it has a time-out of its own.
  if (!waited_in_vain) retry_later();
  for (std::size_t i = 0; i < calls.size(); ++i)
    finish(calls[i],
           {i < sent || waited_in_vain ? for_calls_on_the_way : Errc::store_unavailable, why.detail});
  stop_if_idle();
}

void RedisStore::Engine::retry_later() {
  if (stopping_) return;
  const auto span =
      std::min(options_.backoff_max, options_.backoff_min * (1 << std::min(failures_in_a_row_, 10)));
  ++failures_in_a_row_;
  const double share = 0.5 + 0.5 * random_.unit();
  retry_timer_.expires_after(std::chrono::duration_cast<std::chrono::microseconds>(span * share));
  retry_timer_.async_wait([this](const error_code& error) {
    if (!error) dial();
  });
}

void RedisStore::Engine::on_broken(Error why) {
  ++errors_;
  const Errc code = why.code;
  go_down(why, code);
}

// The store's thread: answers
// ---------------------------------------------------------------------------------------------------

void RedisStore::Engine::on_reply(RespValue reply) {
  if (on_the_way_.empty()) {
    return go_down(fault(Errc::bad_reply, "it spoke without being asked"), Errc::bad_reply);
  }
  ++round_trips_;
  Call call = std::move(on_the_way_.front());
  on_the_way_.pop_front();
  if (std::holds_alternative<ReadHandler>(call.done))
    read_answered(call, reply);
  else
    script_answered(std::move(call), reply);
  stop_if_idle();
}

void RedisStore::Engine::read_answered(Call& call, const RespValue& reply) {
  if (reply.kind == RespValue::Kind::error) {
    ++errors_;
    const Error why = fault(Errc::store_refused, reply.text.substr(0, 200));
    if (redis::reaction_to(reply.text) == redis::Reaction::retest) go_down(why, Errc::store_unavailable);
    return finish(call, why);
  }
  Reading reading;
  if (reply.kind == RespValue::Kind::text) {
    const auto decision = redis::parse_decision(reply.text);
    if (!decision) {
      ++errors_;
      return finish(call, fault(Errc::bad_reply, "the text under a decision's key is no decision"));
    }
    reading.decision = *decision;
  } else if (reply.kind != RespValue::Kind::nil) {
    ++errors_;
    return finish(call, fault(Errc::bad_reply, "the answer to GET is no text"));
  }
  reading.now = time_.at(clock_.steady_now());
  --pending_;
  std::get<ReadHandler>(call.done)(std::move(reading));
}

void RedisStore::Engine::script_answered(Call call, const RespValue& reply) {
  if (call.with_script) {
    loading_script_ = false;
    if (reply.kind != RespValue::Kind::error) ++reloads_;
  }
  if (reply.kind == RespValue::Kind::error) return script_failed(std::move(call), reply.text);
  std::vector<std::string> lines;
  lines.reserve(reply.items.size());
  for (const RespValue& item : reply.items) lines.push_back(item.text);
  auto answer = redis::parse_script_reply(lines);
  if (!answer) {
    ++errors_;
    return finish(call, fault(Errc::bad_reply, "the script's answer is none of this protocol"));
  }
  failures_in_a_row_ = 0;
  time_.measured(answer->now, call.sent, clock_.steady_now());
  --pending_;
  std::get<ApplyHandler>(call.done)(std::move(*answer));
}

void RedisStore::Engine::script_failed(Call call, const std::string& text) {
  const redis::Reaction reaction = redis::reaction_to(text);
  if (reaction == redis::Reaction::reload && !call.with_script) return send_again(std::move(call));
  ++errors_;
  const Error why = fault(Errc::store_refused, text.substr(0, 200));
  if (reaction == redis::Reaction::retest) go_down(why, Errc::store_unavailable);
  finish(call, why);
}

/// The server does not know the script, and so has done nothing. The first call that learns it carries the
/// script's text; those behind it need not, for they arrive after it. Who meets it twice, because the scripts
/// were flushed once more in between, carries the text itself: nobody is sent a fourth time.
void RedisStore::Engine::send_again(Call call) {
  call.with_script = call.sent_again || !loading_script_;
  call.sent_again = true;
  loading_script_ = loading_script_ || call.with_script;
  send(std::move(call));
}

// The store's thread: the end
// ---------------------------------------------------------------------------------------------------

void RedisStore::Engine::begin_shutdown() {
  take_inbox();
  stopping_ = true;
  retry_timer_.cancel();
  flush_timer_.expires_after(options_.flush_timeout);
  flush_timer_.async_wait([this](const error_code& error) {
    if (!error) stop_now();
  });
  stop_if_idle();
}

void RedisStore::Engine::stop_if_idle() {
  if (stopping_ && on_the_way_.empty() && waiting_.empty()) stop_now();
}

void RedisStore::Engine::stop_now() {
  if (io_->stopped()) return;
  io_->stop();
  dialer_.cancel();
  std::deque<Call> calls = std::exchange(on_the_way_, {});
  std::move(waiting_.begin(), waiting_.end(), std::back_inserter(calls));
  waiting_.clear();
  if (link_) {
    link_->set_user(nullptr);
    link_->close();
  }
  for (Call& call : calls)
    finish(call, fault(Errc::store_unavailable, "the store was closed before it answered"));
}

}  // namespace geobreaker
