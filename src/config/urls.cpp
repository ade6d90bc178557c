#include "config/urls.hpp"

#include "config/quote.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace geobreaker::config {
namespace {

constexpr std::string_view store_allowed =
    ": allowed is `memory:` or `redis://[user:password@]host[:port][/database]`";
constexpr std::string_view server_allowed =
    ": allowed is `http://host[:port][/path]` or `https://...`, without user, password, query and fragment";
constexpr std::uint16_t redis_port = 6379;
constexpr int last_database = 65'535;

bool has_space_or_control(std::string_view text) noexcept {
  return has_control_character(text) || text.find(' ') != std::string_view::npos;
}

template <class Number>
std::optional<Number> whole_number(std::string_view digits, Number least, Number most) noexcept {
  Number number{};
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (read.ec != std::errc{} || read.ptr != digits.data() + digits.size()) return std::nullopt;
  if (number < least || number > most) return std::nullopt;
  return number;
}

bool is_host(std::string_view host) noexcept {
  return !host.empty() && host.find_first_of("[]:/?#@\\ %\"<>|{}^`,") == std::string_view::npos;
}

bool is_ipv6(std::string_view host) noexcept {
  constexpr std::string_view digits = "0123456789abcdefABCDEF:.";
  return host.size() >= 2 && std::count(host.begin(), host.end(), ':') >= 2 &&
         host.find_first_not_of(digits) == std::string_view::npos;
}

struct HostPort {
  std::string host;
  std::optional<std::uint16_t> port;
};

/// Splits `host`, `host:port`, `[v6]` or `[v6]:port`; the error says which part is wrong, without showing it.
std::optional<HostPort> split_host_port(std::string_view text, std::string& problem) {
  std::string_view host = text;
  std::string_view tail;
  const bool bracketed = text.starts_with('[');
  const auto end = bracketed ? text.find(']') : text.find(':');
  if (bracketed && end == std::string_view::npos) {
    problem = "has an IPv6 address without its closing bracket";
    return std::nullopt;
  }
  if (end != std::string_view::npos) {
    host = bracketed ? text.substr(1, end - 1) : text.substr(0, end);
    tail = text.substr(bracketed ? end + 1 : end);
  }
  if (!(bracketed ? is_ipv6(host) : is_host(host))) {
    problem = host.empty() ? "names no host" : "has no valid host";
    return std::nullopt;
  }
  HostPort found{std::string(host), std::nullopt};
  if (tail.empty()) return found;
  found.port = tail.starts_with(':') ? whole_number<std::uint16_t>(tail.substr(1), 1, 65'535) : std::nullopt;
  if (!found.port) {
    problem = "has no valid port (1 to 65535)";
    return std::nullopt;
  }
  return found;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out.push_back(text[i]);
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    unsigned byte = 0;
    const char* const end = text.data() + i + 3;
    if (const auto read = std::from_chars(text.data() + i + 1, end, byte, 16); read.ptr != end)
      return std::nullopt;
    out.push_back(static_cast<char>(byte));
    i += 2;
  }
  return out;
}

/// Fills user and password from `user:password`; false if that is not what `text` is.
bool take_credentials(std::string_view text, StoreAddress& address) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  auto user = percent_decoded(text.substr(0, colon));
  auto password = percent_decoded(text.substr(colon + 1));
  if (!user || !password || password->empty()) return false;
  address.user = std::move(*user);
  address.password = std::move(*password);
  return true;
}

Error bad_store(std::string_view url, std::string_view problem) {
  const std::string shown = in_quotes(redacted_url(url));
  return {Errc::invalid_config, shown + " " + std::string(problem) + std::string(store_allowed)};
}

}  // namespace

Result<StoreAddress> parse_store_url(std::string_view url) {
  constexpr std::string_view scheme = "redis://";
  if (url == "memory:") return StoreAddress{};
  if (url.empty()) return bad_store(url, "is empty");
  if (!url.starts_with(scheme)) return bad_store(url, "is no store that this version knows");
  if (has_space_or_control(url)) return bad_store(url, "holds a space or a control character");

  StoreAddress address{
      .memory = false, .user = {}, .password = {}, .host = {}, .port = redis_port, .database = 0};
  std::string_view rest = url.substr(scheme.size());
  if (const auto at = rest.rfind('@'); at != std::string_view::npos) {
    if (rest.substr(0, at).find_first_of("/?#@") != std::string_view::npos) {
      return bad_store(
          url,
          "has a reserved character in its user or password (write @ as %40, / as %2F, ? as %3F, # as %23)");
    }
    if (!take_credentials(rest.substr(0, at), address)) {
      return bad_store(url,
                       "has no valid user:password before the @ (a password alone is written :password)");
    }
    rest.remove_prefix(at + 1);
  }
  if (rest.find_first_of("?#") != std::string_view::npos) return bad_store(url, "has a query or a fragment");
  const auto slash = std::min(rest.find('/'), rest.size());
  std::string problem;
  auto place = split_host_port(rest.substr(0, slash), problem);
  if (!place) return bad_store(url, problem);
  address.host = std::move(place->host);
  address.port = place->port.value_or(redis_port);
  if (const std::string_view database = rest.substr(slash); database.size() > 1) {
    const auto number = whole_number<int>(database.substr(1), 0, last_database);
    if (!number) return bad_store(url, "has no valid database number (0 to 65535)");
    address.database = *number;
  }
  return address;
}

std::string fault_of_server_url(std::string_view url) {
  const auto fault = [url](std::string_view problem) {
    return in_quotes(redacted_url(url)).append(" ").append(problem).append(server_allowed);
  };
  if (url.empty()) return fault("is empty");
  const auto scheme_end = url.find("://");
  if (scheme_end == std::string_view::npos) return fault("has no scheme");
  std::string scheme(url.substr(0, scheme_end));
  std::transform(scheme.begin(), scheme.end(), scheme.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (scheme != "http" && scheme != "https") return fault("has a scheme that is neither http nor https");
  if (has_space_or_control(url)) return fault("holds a space or a control character");
  const std::string_view rest = url.substr(scheme_end + 3);
  if (rest.find('@') != std::string_view::npos) return fault("holds a user or a password");
  if (rest.find_first_of("?#") != std::string_view::npos) return fault("has a query or a fragment");
  std::string problem;
  if (!split_host_port(rest.substr(0, rest.find('/')), problem)) return fault(problem);
  return {};
}

}  // namespace geobreaker::config
