#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace geobreaker::test {

/// What the fake reads of a request.
struct WireRequest {
  std::string target;
  std::string path;
  std::string query;  // still encoded
  std::string user_agent;
  bool keep_alive = true;
};

/// Reads the head of a request, without the empty line at its end.
[[nodiscard]] std::optional<WireRequest> read_head(std::string_view head);
/// The decoded value of a query parameter; empty if it is not there.
[[nodiscard]] std::string parameter(std::string_view query, std::string_view name);
[[nodiscard]] std::string json_quoted(std::string_view text);

/// A whole answer.
[[nodiscard]] std::string wire_answer(int status, std::string_view content_type, std::string_view body,
                                      std::string_view further_headers = {});

/// The body of mode ok.
[[nodiscard]] std::string search_body(std::string_view q);
[[nodiscard]] std::string reverse_body(std::string_view lat, std::string_view lon);

}  // namespace geobreaker::test
