#include "http/transfer.hpp"

#include <geobreaker/http/url.hpp>

#include <algorithm>

namespace geobreaker::detail {
namespace {

// No honest answer comes near it; curl itself keeps every header line that it is sent.
constexpr std::size_t header_bytes_max = std::size_t{64} << 10;

bool is_line_safe(std::string_view text) noexcept {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

std::string_view trimmed(std::string_view text) noexcept {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_ignoring_case(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

/// `host:port` as the URL writes it, without a user.
std::string_view authority_of(std::string_view url) noexcept {
  const auto scheme = url.find("://");
  if (scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  url = url.substr(0, std::min(url.find_first_of("/?#"), url.size()));
  const auto at = url.rfind('@');
  if (at != std::string_view::npos) url.remove_prefix(at + 1);
  return url;
}

bool is_tls(CURLcode code) noexcept {
  switch (code) {
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_ENGINE_NOTFOUND:
    case CURLE_SSL_ENGINE_SETFAILED:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_USE_SSL_FAILED:
    case CURLE_SSL_ENGINE_INITFAILED:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_SHUTDOWN_FAILED:
    case CURLE_SSL_CRL_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_CLIENTCERT:
      return true;
    default:
      return false;
  }
}

}  // namespace

Transfer::Transfer(const HttpClientOptions& options, std::size_t index)
    : options_(options), index_(index), easy_(curl_easy_init()) {
  if (easy_ == nullptr) return;
  curl_easy_setopt(easy_, CURLOPT_PRIVATE, this);
  curl_easy_setopt(easy_, CURLOPT_NOSIGNAL, 1L);
  // Giving up while the resolver's thread is stuck must not wait for that thread.
  curl_easy_setopt(easy_, CURLOPT_QUICK_EXIT, 1L);
  curl_easy_setopt(easy_, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy_, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy_, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS);
  curl_easy_setopt(easy_, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(easy_, CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(easy_, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2);
  if (!options.ca_file.empty()) curl_easy_setopt(easy_, CURLOPT_CAINFO, options.ca_file.c_str());
  curl_easy_setopt(easy_, CURLOPT_ACCEPT_ENCODING, "");  // everything that this curl can undo
  curl_easy_setopt(easy_, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(easy_, CURLOPT_NOPROGRESS, 1L);
  curl_easy_setopt(easy_, CURLOPT_ERRORBUFFER, curl_text_.data());
  curl_easy_setopt(easy_, CURLOPT_WRITEFUNCTION, &Transfer::on_body);
  curl_easy_setopt(easy_, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(easy_, CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  curl_easy_setopt(easy_, CURLOPT_HEADERDATA, this);
}

Transfer::~Transfer() {
  if (easy_ != nullptr) curl_easy_cleanup(easy_);
  curl_slist_free_all(header_list_);
}

Transfer* Transfer::of(CURL* easy) noexcept {
  char* self = nullptr;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &self);
  return static_cast<Transfer*>(static_cast<void*>(self));
}

bool Transfer::prepare(HttpRequest request) {
  request_ = std::move(request);
  response_ = {};
  header_bytes_ = 0;
  too_large_ = false;
  curl_text_[0] = '\0';
  if (easy_ == nullptr || !is_line_safe(request_.url)) return false;
  body_bytes_max_ = request_.body_bytes_max != 0 ? request_.body_bytes_max : options_.body_bytes_max;
  const std::string& agent = request_.user_agent.empty() ? options_.user_agent : request_.user_agent;
  if (!is_line_safe(agent) || !set_headers()) return false;
  // Over TLS a burst shares one connection where the server speaks HTTP/2, instead of opening one each.
  curl_easy_setopt(easy_, CURLOPT_PIPEWAIT, request_.url.starts_with("https:") ? 1L : 0L);
  curl_easy_setopt(easy_, CURLOPT_TIMEOUT_MS, static_cast<long>(request_.timeout.count()));
  curl_easy_setopt(easy_, CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(body_bytes_max_));
  return curl_easy_setopt(easy_, CURLOPT_USERAGENT, agent.c_str()) == CURLE_OK &&
         curl_easy_setopt(easy_, CURLOPT_URL, request_.url.c_str()) == CURLE_OK;
}

bool Transfer::set_headers() {
  curl_slist_free_all(std::exchange(header_list_, nullptr));
  for (const auto& [name, value] : request_.headers) {
    if (!is_line_safe(name) || !is_line_safe(value)) return false;
    curl_slist* const grown = curl_slist_append(header_list_, (name + ": " + value).c_str());
    if (grown == nullptr) return false;
    header_list_ = grown;
  }
  return curl_easy_setopt(easy_, CURLOPT_HTTPHEADER, header_list_) == CURLE_OK;
}

std::size_t Transfer::on_body(char* data, std::size_t, std::size_t size, void* self) noexcept {
  auto& transfer = *static_cast<Transfer*>(self);
  std::string& body = transfer.response_.body;
  if (size > transfer.body_bytes_max_ - body.size()) {
    transfer.too_large_ = true;
    return 0;  // curl ends the transfer
  }
  body.append(data, size);
  return size;
}

std::size_t Transfer::on_header(char* data, std::size_t, std::size_t size, void* self) noexcept {
  auto& transfer = *static_cast<Transfer*>(self);
  transfer.header_bytes_ += size;
  if (transfer.header_bytes_ > header_bytes_max) {
    transfer.too_large_ = true;
    return 0;
  }
  transfer.read_header({data, size});
  return size;
}

void Transfer::read_header(std::string_view line) {
  if (line.starts_with("HTTP/")) {  // what an interim answer (103 and its like) said before does not count
    response_ = {};
    return;
  }
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const auto name = line.substr(0, colon);
  const auto value = trimmed(line.substr(colon + 1));
  if (same_ignoring_case(name, "content-type")) response_.content_type = value;
  if (same_ignoring_case(name, "retry-after")) response_.retry_after = value;
  if (same_ignoring_case(name, "date")) response_.date = value;
  if (same_ignoring_case(name, "location")) response_.location = value;
}

HttpResult Transfer::take_result(CURLcode code) {
  if (code == CURLE_OK) {
    long status = 0;
    curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
    response_.status = static_cast<int>(status);
    return std::exchange(response_, {});
  }
  const HttpFault fault = fault_of(code);
  HttpResult result = failure(fault, reason_of(code, fault));
  response_ = {};
  return result;
}

HttpFault Transfer::fault_of(CURLcode code) const {
  if (too_large_) return HttpFault::body_too_large;
  if (is_tls(code)) return HttpFault::tls;
  if (code != CURLE_OPERATION_TIMEDOUT && went_to_a_proxy()) return HttpFault::proxy;
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
      return HttpFault::timeout;
    case CURLE_COULDNT_RESOLVE_HOST:
      return HttpFault::dns;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_PROXY:
      return HttpFault::proxy;
    case CURLE_COULDNT_CONNECT:
    case CURLE_INTERFACE_FAILED:
    case CURLE_NO_CONNECTION_AVAILABLE:
      return HttpFault::connect;
    case CURLE_PARTIAL_FILE:
      return HttpFault::truncated;
    case CURLE_FILESIZE_EXCEEDED:
      return HttpFault::body_too_large;
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL:  // an answer that is no HTTP/1 or 2; the scheme was checked before
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_WRITE_ERROR:
      return HttpFault::protocol;
    case CURLE_URL_MALFORMAT:
    case CURLE_OUT_OF_MEMORY:
    case CURLE_FAILED_INIT:
      return HttpFault::unusable;
    default:
      return HttpFault::reset;  // receive, send, nothing received, HTTP/2 framing and streams
  }
}

bool Transfer::went_to_a_proxy() const {
  long connect_status = 0;
  curl_easy_getinfo(easy_, CURLINFO_HTTP_CONNECTCODE, &connect_status);
  if (connect_status != 0 && connect_status / 100 != 2) return true;
  // curl names whom it could not reach; if that is not the host of the URL, it was a proxy.
  static constexpr std::string_view failed = "Failed to connect to ";
  const std::string_view text = curl_text_.data();
  if (!text.starts_with(failed)) return false;
  std::string_view authority = authority_of(request_.url);
  std::string_view port = request_.url.starts_with("https:") ? "443" : "80";
  const auto colon = authority.rfind(':');
  if (colon != std::string_view::npos && authority.find(']', colon) == std::string_view::npos) {
    if (colon + 1 < authority.size()) port = authority.substr(colon + 1);
    authority = authority.substr(0, colon);
  }
  if (authority.starts_with('[')) authority = authority.substr(1, authority.size() - 2);
  if (authority.ends_with('.')) authority.remove_suffix(1);  // as curl does
  const std::string own = std::string(authority) + " port " + std::string(port) + " ";
  return !same_ignoring_case(text.substr(failed.size(), own.size()), own);
}

std::string Transfer::reason_of(CURLcode code, HttpFault fault) const {
  if (fault == HttpFault::body_too_large) {
    return header_bytes_ > header_bytes_max
               ? "its headers are larger than " + std::to_string(header_bytes_max) + " bytes"
               : "its body is larger than the " + std::to_string(body_bytes_max_) + " bytes allowed";
  }
  std::string reason = curl_text_[0] != '\0' ? curl_text_.data() : curl_easy_strerror(code);
  if (fault == HttpFault::tls) {
    reason += "; verification is always on, ca_file names further authorities to trust";
  }
  return reason;
}

HttpFailure Transfer::failure(HttpFault kind, std::string_view why) const {
  return {kind,
          std::string(authority_of(request_.url)) + ": " + std::string(to_string(kind)) + ": " + redact(why)};
}

}  // namespace geobreaker::detail
