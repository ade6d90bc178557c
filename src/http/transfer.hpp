#pragma once

#include <geobreaker/http/http_client.hpp>

#include <curl/curl.h>

#include <array>
#include <memory>
#include <string_view>

namespace geobreaker::detail {

/// One easy handle with what one request needs beside it. Used again for the next request.
class Transfer {
 public:
  /// `options` must outlive it; `index` is the owner's name for it.
  Transfer(const HttpClientOptions& options, std::size_t index);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  [[nodiscard]] CURL* easy() const noexcept { return easy_; }
  [[nodiscard]] std::size_t index() const noexcept { return index_; }
  [[nodiscard]] static Transfer* of(CURL* easy) noexcept;
  /// False if the request cannot be sent as it is; failure() then tells why.
  [[nodiscard]] bool prepare(HttpRequest request);
  [[nodiscard]] HttpFailure failure(HttpFault kind, std::string_view why) const;
  /// What curl's verdict means. Leaves the transfer empty.
  [[nodiscard]] HttpResult take_result(CURLcode code);

 private:
  static std::size_t on_body(char* data, std::size_t, std::size_t size, void* self) noexcept;
  static std::size_t on_header(char* data, std::size_t, std::size_t size, void* self) noexcept;
  bool set_headers();
  void read_header(std::string_view line);
  [[nodiscard]] HttpFault fault_of(CURLcode code) const;
  [[nodiscard]] bool went_to_a_proxy() const;
  [[nodiscard]] std::string reason_of(CURLcode code, HttpFault fault) const;

  const HttpClientOptions& options_;
  const std::size_t index_;
  CURL* easy_;
  curl_slist* header_list_ = nullptr;
  HttpRequest request_;
  HttpResponse response_;
  std::size_t body_bytes_max_ = 0;
  std::size_t header_bytes_ = 0;
  bool too_large_ = false;
  std::array<char, CURL_ERROR_SIZE> curl_text_{};
};

}  // namespace geobreaker::detail
