#include "provider/nominatim/reading.hpp"

#include <geobreaker/http/retry_after.hpp>
#include <geobreaker/http/url.hpp>
#include <geobreaker/provider/nominatim.hpp>

#include <algorithm>
#include <utility>

namespace geobreaker {
namespace {

using nominatim::Reading;
using std::chrono::milliseconds;

// The public host's front end answers 429 with `retry-after: 0`; its policy leaves the pause to us.
constexpr milliseconds public_pause_min{60'000};
// An allowance of traffic, not of speed: it does not come back within minutes.
constexpr milliseconds bandwidth_pause{3'600'000};
constexpr std::size_t mark_bytes = 4096;

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool contains(std::string_view text, std::string_view lower_case_mark) noexcept {
  return std::search(text.begin(), text.end(), lower_case_mark.begin(), lower_case_mark.end(),
                     [](char c, char mark) { return lower(c) == mark; }) != text.end();
}

/// The part of a body in which a front end's own words stand; a JSON body has none.
std::string_view marks_of(std::string_view body) noexcept {
  const auto first = body.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || body[first] == '[' || body[first] == '{') return {};
  return body.substr(0, mark_bytes);
}

bool is_html(const HttpResponse& response) noexcept {
  const auto start = marks_of(response.body);
  return contains(response.content_type, "html") || contains(start, "<html") || contains(start, "<!doctype");
}

/// A message of the server, fit to be shown: one line, bounded, without secrets.
std::string shown(std::string_view text) {
  constexpr std::size_t bytes_max = 200;
  std::string line(text.substr(0, bytes_max));
  if (text.size() > bytes_max) {
    while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xC0U) == 0x80U) line.pop_back();
    if (!line.empty() && static_cast<unsigned char>(line.back()) >= 0x80) line.pop_back();
    line += "...";
  }
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return redact(line);
}

ProviderReply reply(Outcome outcome, std::string detail, std::optional<milliseconds> pause = {}) {
  ProviderReply result;
  result.outcome = outcome;
  result.pause = pause;
  result.detail = std::move(detail);
  return result;
}

std::string status_text(const HttpResponse& response, std::string_view what) {
  return "HTTP " + std::to_string(response.status) + ": " + std::string(what);
}

ProviderReply without_response(const HttpFailure& failure) {
  switch (failure.kind) {
    case HttpFault::timeout:
      return reply(Outcome::timeout, failure.text);
    case HttpFault::dns:
    case HttpFault::connect:
    case HttpFault::tls:
    case HttpFault::reset:
    case HttpFault::truncated:
    case HttpFault::proxy:
      return reply(Outcome::network, failure.text);
    case HttpFault::body_too_large:
    case HttpFault::protocol:
      return reply(Outcome::provider_error, failure.text);
    case HttpFault::cancelled:
    case HttpFault::unusable:
      break;
  }
  return reply(Outcome::cancelled,
               failure.text);  // nobody's fault but ours, and nothing is known of the provider
}

ProviderReply throttled(const HttpResponse& response, const NominatimContext& context) {
  // The server's own clock, where it tells it, makes a date independent of ours.
  const SharedTime now = parse_http_date(response.date, context.now).value_or(context.now);
  const auto told = parse_retry_after(response.retry_after, now, context.pause_max);
  milliseconds pause = told.value_or(context.throttle_pause);
  if (context.public_host) pause = std::max(pause, public_pause_min);
  return reply(Outcome::rate_limited, status_text(response, "too many requests"), pause);
}

bool is_null_island(const Answer& answer, const NominatimContext& context) noexcept {
  const Coordinates origin{};
  return answer.at == origin && context.asked != origin;
}

ProviderReply of_places(Reading reading, const NominatimContext& context) {
  if (reading.places.empty()) return reply(Outcome::no_match, "nothing found");
  const auto usable = std::find_if(reading.places.begin(), reading.places.end(),
                                   [&](const Answer& answer) { return !is_null_island(answer, context); });
  if (usable == reading.places.end()) return reply(Outcome::no_match, "null_island: the answer was 0,0");
  ProviderReply result = reply(Outcome::ok, {});
  result.answer = std::move(*usable);
  return result;
}

/// {"error": ...}: the body's own number counts more than the status that it came with.
std::optional<ProviderReply> of_error(const HttpResponse& response, const Reading& reading) {
  if (reading.kind != Reading::Kind::error || response.status >= 500) return std::nullopt;
  if (contains(reading.error_message, "unable to geocode")) {
    return reply(Outcome::no_match, "nothing found");
  }
  const int code = reading.error_code != 0 ? reading.error_code : response.status;
  if (code == 400) return reply(Outcome::bad_request, status_text(response, shown(reading.error_message)));
  return std::nullopt;
}

ProviderReply of_success(const HttpResponse& response, Reading reading, const NominatimContext& context) {
  if (is_html(response)) return reply(Outcome::provider_error, status_text(response, "a web page, not JSON"));
  switch (reading.kind) {
    case Reading::Kind::places:
      return of_places(std::move(reading), context);
    case Reading::Kind::error:
      return reply(Outcome::provider_error, status_text(response, "error: " + shown(reading.error_message)));
    case Reading::Kind::not_json:
      return reply(Outcome::provider_error, status_text(response, "the body is not JSON: " + reading.fault));
    case Reading::Kind::no_promise:
      break;
  }
  return reply(Outcome::provider_error,
               status_text(response, "the body is not what was promised: " + reading.fault));
}

ProviderReply of_server_fault(const HttpResponse& response) {
  if (response.status == 503 && !is_html(response) &&
      contains(std::string_view(response.body).substr(0, mark_bytes), "too long")) {
    return reply(Outcome::timeout, status_text(response, "the server gave up: the query took too long"));
  }
  return reply(Outcome::provider_error, status_text(response, "the server failed"));
}

ProviderReply of_client_fault(const HttpResponse& response) {
  switch (response.status) {
    case 400:
    case 413:
    case 414:
    case 422:
    case 431:
      return reply(Outcome::bad_request, status_text(response, "the server refuses this address"));
    case 401:
      return reply(Outcome::auth,
                   status_text(response, "the server wants a log-in, which nominatim has none of"));
    case 403:
      return reply(
          Outcome::auth,
          status_text(response, "refused: the user agent or this address of the network is blocked"));
    case 407:
      return reply(Outcome::network, status_text(response, "the proxy wants a log-in"));
    case 408:
      return reply(Outcome::timeout, status_text(response, "the server waited too long"));
    case 404:
      if (contains(std::string_view(response.body).substr(0, mark_bytes), "search not available")) {
        return reply(Outcome::auth, status_text(response, "this server is built for reverse look-ups only"));
      }
      return reply(Outcome::provider_error, status_text(response, "nothing at this URL"));
    default:
      return reply(Outcome::provider_error, status_text(response, "an answer that is not expected"));
  }
}

}  // namespace

ProviderReply classify(const HttpResult& result, const NominatimContext& context) {
  if (const auto* failure = std::get_if<HttpFailure>(&result)) return without_response(*failure);
  const auto& response = std::get<HttpResponse>(result);
  if (response.status == 509 || contains(marks_of(response.body), "bandwidth limit exceeded")) {
    return reply(Outcome::rate_limited, status_text(response, "bandwidth limit exceeded"), bandwidth_pause);
  }
  if (response.status == 429) return throttled(response, context);
  if (response.status >= 500) return of_server_fault(response);
  if (response.status >= 300 && response.status < 400) {
    return reply(Outcome::provider_error,
                 status_text(response, "redirected to \"" + shown(response.location) +
                                           "\", which is not followed; set url to where the server is"));
  }
  Reading reading = nominatim::read_body(response.body);
  if (auto told = of_error(response, reading)) return *std::move(told);
  if (response.status >= 400) return of_client_fault(response);
  return of_success(response, std::move(reading), context);
}

}  // namespace geobreaker
