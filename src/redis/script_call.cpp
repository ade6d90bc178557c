#include "redis/script_call.hpp"

#include "redis/decision_text.hpp"
#include "redis/keys.hpp"
#include "redis/numbers.hpp"

#include <charconv>
#include <cmath>
#include <utility>
#include <variant>

namespace geobreaker::redis {

namespace {

void append_hex(std::string& text, std::uint64_t value) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (int shift = 60; shift >= 0; shift -= 4) text += digits[(value >> shift) & 15];
}

bool read_hex(std::string_view text, std::uint64_t& value) noexcept {
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value, 16);
  return error == std::errc{} && end == last;
}

std::string number(std::int64_t value) {
  std::string text;
  append_number(text, value);
  return text;
}

std::string config_text(const BreakerConfig& c) {
  std::string text = "1";
  for (const std::int64_t value :
       {c.window.count(), std::int64_t{c.threshold},
        static_cast<std::int64_t>(std::llround(c.failure_rate * 1e6)), c.short_window_or_default().count(),
        std::int64_t{c.run_threshold}, c.base_cooldown.count(), c.max_cooldown.count(),
        c.probe_lease_or_default().count(), std::int64_t{c.min_reporters}, c.flap_guard.count(),
        c.max_pause_rate.count(), c.max_pause_quota.count()}) {
    text += ' ';
    append_number(text, value);
  }
  return text;
}

/// Appends each event's name and own arguments around the two that all have.
class EventWriter {
 public:
  EventWriter(std::vector<std::string>& out, const StoreCall& call) : out_(out), call_(call) {}

  void operator()(const core::Acquire& event) {
    begin("acquire");
    out_.push_back(token_text(event.token));
  }
  void operator()(const core::Report& event) {
    begin("report");
    out_.push_back(number(event.epoch));
    out_.push_back(token_text(event.token));
    out_.push_back(number(static_cast<std::int64_t>(event.verb)));
    out_.push_back(number(event.successes_before));
    out_.push_back(number(event.age.count()));
    out_.push_back(number(event.flush_interval.count()));
    out_.push_back(encoded_name(event.reporter));
    add(event.pause.value_or(core::PauseRequest{Micros{0}, core::PauseReason::none}));
  }
  void operator()(const core::Evaluate&) { begin("evaluate"); }
  void operator()(const core::Pause& event) {
    begin("pause");
    add(event.request);
  }
  void operator()(const core::Operate& event) {
    begin("operate");
    out_.push_back(number(static_cast<std::int64_t>(event.action)));
    out_.push_back(number(event.duration.count()));
  }

 private:
  void begin(std::string name) {
    out_.push_back(std::move(name));
    out_.push_back(config_text(call_.config));
    out_.push_back(call_.carried.version > 0 ? decision_text(call_.carried) : std::string());
  }
  void add(const core::PauseRequest& request) {
    out_.push_back(number(request.duration.count()));
    out_.push_back(number(static_cast<std::int64_t>(request.reason)));
  }

  std::vector<std::string>& out_;
  const StoreCall& call_;
};

std::optional<core::PhaseChange> parse_change(std::string_view text) noexcept {
  NumberReader in(text);
  core::PhaseChange change;
  change.from = static_cast<core::Phase>(in.next(2));
  change.to = static_cast<core::Phase>(in.next(2));
  change.cause = static_cast<core::Cause>(in.next(static_cast<std::int64_t>(core::Cause::restored)));
  change.at = in.next_time();
  if (!in.finished()) return std::nullopt;
  return change;
}

}  // namespace

std::string token_text(const core::LeaseToken& token) {
  std::string text;
  if (token.empty()) return text;
  text.reserve(32);
  append_hex(text, token.high);
  append_hex(text, token.low);
  return text;
}

std::optional<core::LeaseToken> parse_token(std::string_view text) noexcept {
  core::LeaseToken token;
  if (text.size() != 32 || !read_hex(text.substr(0, 16), token.high) || !read_hex(text.substr(16), token.low))
    return std::nullopt;
  return token;
}

std::vector<std::string> script_arguments(std::string_view prefix, const StoreCall& call) {
  ProviderKeys keys = keys_of(prefix, call.provider);
  std::vector<std::string> all;
  all.reserve(17);
  for (std::string& name : keys.names) all.push_back(std::move(name));
  std::visit(EventWriter(all, call), call.event);
  return all;
}

std::optional<StoreReply> parse_script_reply(const std::vector<std::string>& lines) {
  if (lines.size() < 2) return std::nullopt;
  NumberReader in(lines[0]);
  const bool known = in.next() == 1;
  StoreReply answer;
  answer.now = in.next_time();
  answer.reply.ruling = static_cast<core::Ruling>(in.next(static_cast<std::int64_t>(core::Ruling::stale)));
  const std::int64_t refusal = in.next(static_cast<std::int64_t>(core::Refusal::paused_quota));
  answer.reply.refusal = static_cast<core::Refusal>(refusal);
  answer.reply.retry_after = in.next_span();
  answer.reply.settles_at = in.next_time();
  const auto decision = parse_decision(lines[1]);
  if (!known || !in.finished() || refusal == 0 || !decision) return std::nullopt;
  answer.decision = *decision;
  for (std::size_t i = 2; i < lines.size(); ++i) {
    const auto change = parse_change(lines[i]);
    if (!change) return std::nullopt;
    answer.reply.changes.push_back(*change);
  }
  return answer;
}

}  // namespace geobreaker::redis
