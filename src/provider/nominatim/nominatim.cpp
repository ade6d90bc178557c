#include <geobreaker/geocode/country.hpp>
#include <geobreaker/geocode/normalise.hpp>
#include <geobreaker/http/url.hpp>
#include <geobreaker/provider/nominatim.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace geobreaker {
namespace {

constexpr std::chrono::milliseconds public_pause{60'000};

bool is_line_safe(std::string_view text) noexcept {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

bool is_blank(std::string_view text) noexcept { return text.find_first_not_of(" \t\r\n") == text.npos; }

bool is_public_host(std::string_view host) noexcept {
  // Nobody runs a server of his own under these names.
  for (const std::string_view domain : {"openstreetmap.org", "osm.org"}) {
    if (host == domain) return true;
    if (host.size() > domain.size() && host.ends_with(domain) &&
        host[host.size() - domain.size() - 1] == '.') {
      return true;
    }
  }
  return false;
}

std::size_t characters_of(std::string_view utf8) noexcept {
  return static_cast<std::size_t>(std::count_if(
      utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// Seven decimals are a centimetre, which is what OpenStreetMap stores.
std::string degrees(double value) {
  std::array<char, 32> text{};
  const auto [end, fault] =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 7);
  return fault == std::errc{} ? std::string(text.data(), end) : std::string{};
}

/// The whole text as two numbers with a comma or a space between, as in "48.1, 11.5".
std::optional<Coordinates> as_point(std::string_view text) noexcept {
  const auto number = [&text]() -> std::optional<double> {
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
  };
  const auto lat = number();
  const auto gap = std::min(text.find_first_not_of(", "), text.size());
  if (!lat || gap == 0) return std::nullopt;
  text.remove_prefix(gap);
  const auto lon = number();
  if (!lon || !text.empty()) return std::nullopt;
  return Coordinates{*lat, *lon};
}

ProviderReply bad_request(std::string why) {
  ProviderReply reply;
  reply.outcome = Outcome::bad_request;
  reply.detail = std::move(why);
  return reply;
}

/// A match in another country than the one asked for is none, however good it looks.
void drop_if_in_another_country(ProviderReply& reply, std::string_view asked_country) {
  if (!reply.answer || reply.answer->country_code.empty() || is_blank(asked_country)) return;
  const auto asked = country_code_of(asked_country);
  if (!asked || countries_agree(*asked, reply.answer->country_code)) return;
  reply.detail =
      "country_mismatch: asked for " + *asked + ", the answer lies in " + reply.answer->country_code;
  reply.outcome = Outcome::no_match;
  reply.answer.reset();
}

void check_countries(std::string_view codes, std::string& faults) {
  while (!codes.empty()) {
    const auto end = std::min(codes.find(','), codes.size());
    const auto code = codes.substr(0, end);
    const bool letters = code.size() == 2 && std::all_of(code.begin(), code.end(), [](char c) {
                           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
                         });
    if (!letters) {
      faults += "countrycodes: \"" + std::string(code) +
                "\" is no country; allowed are codes of two letters, "
                "comma separated, as in \"de,fr\"; ";
    }
    codes.remove_prefix(std::min(end + 1, codes.size()));
  }
}

void check_line(std::string_view name, std::string_view value, std::string& faults) {
  if (is_line_safe(value)) return;
  faults += std::string(name) + ": holds a line break or another control character, which is not allowed; ";
}

void check_numbers(const NominatimOptions& options, std::string& faults) {
  const auto wants_positive = [&faults](std::string_view name, auto count) {
    if (count > 0) return;
    faults += std::string(name) + " = " + std::to_string(count) + ": must be greater than 0; ";
  };
  wants_positive("throttle_pause (ms)", options.throttle_pause.count());
  wants_positive("pause_max (ms)", options.pause_max.count());
  wants_positive("query_chars_max", options.query_chars_max);
  if (options.timeout.count() < 0) {
    faults += "timeout (ms) = " + std::to_string(options.timeout.count()) + ": must not be negative; ";
  }
}

std::string faults_in(const NominatimOptions& options, const Result<BaseUrl>& base) {
  std::string faults;
  if (!base) faults += base.error().detail + "; ";
  if (base && is_public_host(base->host) && is_blank(options.contact)) {
    faults += "contact is missing: " + base->host +
              " answers only users who say who they are. Give an e-mail address or a page of yours, by "
              "--contact you@example.org or contact = \"you@example.org\", or use a server of your own; ";
  }
  check_line("contact", options.contact, faults);
  check_line("user_agent", options.user_agent, faults);
  check_line("language", options.language, faults);
  check_countries(options.countrycodes, faults);
  check_numbers(options, faults);
  if (!faults.empty()) faults.resize(faults.size() - 2);
  return faults;
}

std::string agent_of(const NominatimOptions& options) {
  std::string agent = options.user_agent.empty() ? "geobreaker/" GEOBREAKER_VERSION : options.user_agent;
  if (!is_blank(options.contact)) agent += " (" + options.contact + ")";
  return agent;
}

}  // namespace

bool is_public_nominatim(std::string_view base_url) noexcept {
  const auto base = parse_base_url(base_url);
  return base && is_public_host(base->host);
}

std::optional<double> nominatim_default_rate(std::string_view base_url) noexcept {
  return is_public_nominatim(base_url) ? std::optional(1.0) : std::nullopt;
}

Result<std::unique_ptr<NominatimProvider>> NominatimProvider::create(NominatimOptions options,
                                                                     HttpClient& http, Clock& clock) {
  const auto base = parse_base_url(options.base_url);
  if (std::string faults = faults_in(options, base); !faults.empty()) {
    return Error{Errc::invalid_config, "provider nominatim: " + std::move(faults)};
  }
  return std::unique_ptr<NominatimProvider>(
      new NominatimProvider(std::move(options), base->text, http, clock));
}

NominatimProvider::NominatimProvider(NominatimOptions options, std::string base, HttpClient& http,
                                     Clock& clock)
    : options_(std::move(options)),
      base_(std::move(base)),
      user_agent_(agent_of(options_)),
      public_host_(is_public_nominatim(base_)),
      http_(http),
      clock_(clock) {
  if (public_host_) options_.throttle_pause = std::max(options_.throttle_pause, public_pause);
}

boost::asio::awaitable<ProviderReply> NominatimProvider::forward(const AddressQuery& query) {
  const auto text = normalise_text(query.text);
  if (!text) co_return bad_request(text.error().detail);
  if (text->empty()) co_return bad_request("the address is empty");
  if (const auto length = characters_of(*text); length > options_.query_chars_max) {
    co_return bad_request("the address has " + std::to_string(length) + " characters; allowed are " +
                          std::to_string(options_.query_chars_max));
  }
  UrlBuilder url(base_);
  url.path("search").query("q", *text).query("format", "jsonv2");
  url.query("addressdetails", "1").query("limit", "1");
  if (!options_.countrycodes.empty()) url.query("countrycodes", options_.countrycodes);
  ProviderReply reply = co_await ask(std::move(url).str(), as_point(*text));
  drop_if_in_another_country(reply, query.country);
  co_return reply;
}

boost::asio::awaitable<ProviderReply> NominatimProvider::reverse(Coordinates at) {
  // Written so that NaN is refused too.
  const bool on_globe = std::abs(at.lat_deg) <= 90 && std::abs(at.lon_deg) <= 180;
  if (!on_globe) {
    co_return bad_request("the point " + std::to_string(at.lat_deg) + ", " + std::to_string(at.lon_deg) +
                          " is not on the globe; allowed are -90 to 90 and -180 to 180");
  }
  UrlBuilder url(base_);
  url.path("reverse").query("lat", degrees(at.lat_deg)).query("lon", degrees(at.lon_deg));
  url.query("format", "jsonv2").query("addressdetails", "1");
  co_return co_await ask(std::move(url).str(), at);
}

boost::asio::awaitable<ProviderReply> NominatimProvider::ask(std::string url,
                                                             std::optional<Coordinates> asked) {
  if (!options_.language.empty()) url += "&accept-language=" + percent_encode(options_.language);
  HttpRequest request;
  request.url = std::move(url);
  request.user_agent = user_agent_;
  request.timeout = options_.timeout;
  const HttpResult result = co_await http_.get(std::move(request));
  NominatimContext context;
  context.public_host = public_host_;
  context.throttle_pause = options_.throttle_pause;
  context.pause_max = options_.pause_max;
  context.asked = asked;
  context.now = clock_.shared_now();
  co_return classify(result, context);
}

}  // namespace geobreaker
