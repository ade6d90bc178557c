#include "support/fake_nominatim_wire.hpp"

#include "support/fake_nominatim.hpp"

#include <algorithm>
#include <cstdio>

namespace geobreaker::test {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      result += ' ';
    } else if (text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 &&
               hex_value(text[i + 2]) >= 0) {
      result += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 429:
      return "Too Many Requests";
    case 500:
      return "Internal Server Error";
    default:
      return "Answer";
  }
}

std::string degrees(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.7f", value);
  return text;
}

std::string place_body(std::string_view lat, std::string_view lon, std::string_view label, bool city) {
  std::string body = R"({"place_id":1,"licence":"fake","osm_type":"way","osm_id":55,"lat":")";
  body.append(lat).append(R"(","lon":")").append(lon).append(R"(",)");
  body += city ? R"("category":"place","type":"city","place_rank":16,"importance":0.5,)"
               : R"("category":"building","type":"house","place_rank":30,"importance":0.0001,)";
  body += R"("display_name":)" + json_quoted(label);
  body += city ? R"(,"address":{"city":"Fake City","country":"Fakeland","country_code":"de"})"
               : R"(,"address":{"house_number":"7","road":"Fake Road","country_code":"de"})";
  return body + R"(,"boundingbox":["0","0","0","0"]})";
}

}  // namespace

std::optional<WireRequest> read_head(std::string_view head) {
  const auto first_end = head.find("\r\n");
  const auto line = head.substr(0, first_end);
  const auto space = line.find(' ');
  const auto second_space = line.rfind(' ');
  if (space == std::string_view::npos || second_space <= space) return std::nullopt;
  WireRequest request;
  request.target = line.substr(space + 1, second_space - space - 1);
  request.keep_alive = line.ends_with("HTTP/1.1");
  const auto question = request.target.find('?');
  request.path = request.target.substr(0, question);
  if (question != std::string::npos) request.query = request.target.substr(question + 1);
  std::string_view rest =
      first_end == std::string_view::npos ? std::string_view{} : head.substr(first_end + 2);
  while (!rest.empty()) {
    const auto end = std::min(rest.find("\r\n"), rest.size());
    const auto header = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 2, rest.size()));
    const auto colon = header.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string name = lower(header.substr(0, colon));
    const auto value_begin = header.find_first_not_of(' ', colon + 1);
    const auto value =
        value_begin == std::string_view::npos ? std::string_view{} : header.substr(value_begin);
    if (name == "user-agent") request.user_agent = value;
    if (name == "connection" && lower(value) == "close") request.keep_alive = false;
  }
  return request;
}

std::string parameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    const auto pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const auto equals = pair.find('=');
    if (decoded(pair.substr(0, equals)) != name) continue;
    return equals == std::string_view::npos ? std::string{} : decoded(pair.substr(equals + 1));
  }
  return {};
}

std::string json_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      result += escape;
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string wire_answer(int status, std::string_view content_type, std::string_view body,
                        std::string_view further_headers) {
  std::string answer = "HTTP/1.1 " + std::to_string(status) + ' ' + std::string(reason_of(status));
  answer.append("\r\nContent-Type: ").append(content_type);
  answer.append("\r\nContent-Length: ").append(std::to_string(body.size())).append("\r\n");
  return answer.append(further_headers).append("\r\n").append(body);
}

std::string search_body(std::string_view q) {
  if (q.find("nowhere") != std::string_view::npos) return "[]";
  const auto place = FakeNominatim::place_of(q);
  const bool city = q.find("cityonly") != std::string_view::npos;
  return "[" + place_body(degrees(place.lat_deg), degrees(place.lon_deg), q, city) + "]";
}

std::string reverse_body(std::string_view lat, std::string_view lon) {
  return place_body(lat, lon, "Fake Road 7, Fake City, Fakeland", false);
}

FakeNominatim::Place FakeNominatim::place_of(std::string_view q) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : q) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ULL;
  }
  const auto cut = [](double degrees_exact) {
    return static_cast<double>(static_cast<std::int64_t>(degrees_exact * 1e7)) / 1e7;
  };
  constexpr double half = 4294967296.0;
  return {cut(static_cast<double>(hash & 0xffffffffULL) / half * 160.0 - 80.0),
          cut(static_cast<double>(hash >> 32U) / half * 358.0 - 179.0)};
}

}  // namespace geobreaker::test
