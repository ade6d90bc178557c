#include "redis/decision_text.hpp"

#include "redis/numbers.hpp"

#include <initializer_list>
#include <limits>

namespace geobreaker::redis {

namespace {
constexpr std::int64_t format_number = 1;
}

std::string decision_text(const core::Decision& d) {
  const auto at = [](SharedTime time) { return time.time_since_epoch().count(); };
  std::string text;
  text.reserve(160);
  append_number(text, format_number);
  for (const std::int64_t value :
       {d.version, d.epoch, static_cast<std::int64_t>(d.phase), at(d.open_until), d.cooldown.count(),
        std::int64_t{d.failed_probes}, at(d.lease_end), d.lease.count(), at(d.pause_until), d.pause.count(),
        static_cast<std::int64_t>(d.pause_reason), static_cast<std::int64_t>(d.forced), at(d.forced_until),
        d.forced_for.count(), at(d.failures_until), std::int64_t{d.restored}}) {
    text += ' ';
    append_number(text, value);
  }
  return text;
}

std::optional<core::Decision> parse_decision(std::string_view text) noexcept {
  NumberReader in(text);
  const bool known = in.next() == format_number;
  core::Decision d;
  d.version = in.next();
  d.epoch = in.next();
  d.phase = static_cast<core::Phase>(in.next(2));
  d.open_until = in.next_time();
  d.cooldown = in.next_span();
  d.failed_probes = static_cast<std::int32_t>(in.next(std::numeric_limits<std::int32_t>::max()));
  d.lease_end = in.next_time();
  d.lease = in.next_span();
  d.pause_until = in.next_time();
  d.pause = in.next_span();
  d.pause_reason = static_cast<core::PauseReason>(in.next(2));
  d.forced = static_cast<core::Forced>(in.next(2));
  d.forced_until = in.next_time();
  d.forced_for = in.next_span();
  d.failures_until = in.next_time();
  d.restored = in.next(1) == 1;
  if (!known || !in.finished()) return std::nullopt;
  return d;
}

}  // namespace geobreaker::redis
