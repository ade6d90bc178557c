#include "http/curl_loop.hpp"
#include "http/transfer.hpp"

#include <geobreaker/http/http_client.hpp>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <fstream>
#include <optional>
#include <type_traits>
#include <vector>

namespace geobreaker {
namespace {

using boost::asio::any_io_executor;

bool initialise_curl() {
  static const bool done = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  return done;
}

/// Whom to tell. Telling goes through the executor's queue: the caller never resumes inside of the client.
class Waiter {
 public:
  virtual ~Waiter() = default;
  virtual void tell(HttpResult result) = 0;
};

template <class Handler>
class WaiterOf final : public Waiter {
 public:
  WaiterOf(Handler handler, const any_io_executor& fallback)
      : executor_(boost::asio::prefer(boost::asio::get_associated_executor(handler, fallback),
                                      boost::asio::execution::outstanding_work.tracked)),
        handler_(std::move(handler)) {}

  void tell(HttpResult result) override {
    boost::asio::post(executor_, [handler = std::move(handler_), result = std::move(result)]() mutable {
      std::move(handler)(std::move(result));
    });
  }

 private:
  std::decay_t<decltype(boost::asio::prefer(
      boost::asio::get_associated_executor(std::declval<Handler&>(), std::declval<const any_io_executor&>()),
      boost::asio::execution::outstanding_work.tracked))>
      executor_;
  Handler handler_;
};

/// A transfer and whoever waits for it. The slots are kept and used again.
struct Slot {
  Slot(const HttpClientOptions& options, std::size_t index) : transfer(options, index) {}
  detail::Transfer transfer;
  std::unique_ptr<Waiter> waiter;
  std::uint64_t use = 0;  // a late cancellation of an earlier use must not hit the present one
};

Error bad_option(std::string text) { return Error{Errc::invalid_config, std::move(text)}; }

std::optional<Error> fault_in(const HttpClientOptions& options) {
  if (options.body_bytes_max == 0 || options.body_bytes_max > (std::size_t{1} << 30U)) {
    return bad_option("body_bytes_max = " + std::to_string(options.body_bytes_max) +
                      ": allowed is 1 to 1073741824");
  }
  if (!options.ca_file.empty() && !std::ifstream(options.ca_file).is_open()) {
    return bad_option("ca_file = \"" + options.ca_file + "\": cannot be read; allowed is a PEM file");
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(HttpFault fault) noexcept {
  switch (fault) {
    case HttpFault::timeout:
      return "no answer in time";
    case HttpFault::dns:
      return "name not resolved";
    case HttpFault::connect:
      return "no connection";
    case HttpFault::tls:
      return "TLS failed";
    case HttpFault::reset:
      return "connection broken";
    case HttpFault::truncated:
      return "answer cut short";
    case HttpFault::body_too_large:
      return "answer too large";
    case HttpFault::protocol:
      return "answer is not valid HTTP";
    case HttpFault::proxy:
      return "proxy failed";
    case HttpFault::cancelled:
      return "given up";
    case HttpFault::unusable:
      return "not sent";
  }
  return "";
}

class HttpClient::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(any_io_executor executor, HttpClientOptions options)
      : executor_(std::move(executor)), options_(std::move(options)) {}

  /// Separate from the constructor, since the loop calls back into an object that is complete.
  bool start() {
    loop_ = std::make_shared<detail::CurlLoop>(
        executor_, [this](CURL* easy, CURLcode code) { done(easy, code); }, options_.idle_connections_max);
    return loop_->usable();
  }

  /// Ends every request and all waiting. Nothing is called back afterwards but the waiters.
  void shut_down() {
    for (const auto& slot : slots_) {
      if (slot->waiter) give_up(*slot, "the client was shut down");
    }
    loop_->close();
  }

  [[nodiscard]] std::size_t in_flight() const noexcept { return slots_.size() - free_.size(); }

  template <class Handler>
  void begin(Handler handler, HttpRequest request) {
    Slot& slot = take_slot();
    const auto cancellation = boost::asio::get_associated_cancellation_slot(handler);
    if (cancellation.is_connected()) {
      auto at_cancellation = cancellation;
      at_cancellation.assign(Cancel{weak_from_this(), slot.transfer.index(), slot.use});
    }
    slot.waiter = std::make_unique<WaiterOf<Handler>>(std::move(handler), executor_);
    if (!slot.transfer.prepare(std::move(request))) {
      finish(slot, slot.transfer.failure(HttpFault::unusable,
                                         "the URL, a header or the user agent holds a control character, or "
                                         "memory ran out"));
    } else if (loop_->add(slot.transfer.easy()) != CURLM_OK) {
      finish(slot, slot.transfer.failure(HttpFault::unusable, "curl took no further transfer"));
    }
  }

 private:
  struct Cancel {
    std::weak_ptr<Impl> impl;
    std::size_t index;
    std::uint64_t use;
    void operator()(boost::asio::cancellation_type) const {
      const auto alive = impl.lock();
      if (!alive) return;
      Slot& slot = *alive->slots_[index];
      if (slot.use == use && slot.waiter) alive->give_up(slot, "cancelled by the caller");
    }
  };

  Slot& take_slot() {
    if (free_.empty()) {
      slots_.push_back(std::make_unique<Slot>(options_, slots_.size()));
      free_.reserve(slots_.size());
      if (slots_.back()->transfer.easy() != nullptr) loop_->adopt(slots_.back()->transfer.easy());
      return *slots_.back();
    }
    Slot& slot = *slots_[free_.back()];
    free_.pop_back();
    return slot;
  }

  void done(CURL* easy, CURLcode code) {
    detail::Transfer* const transfer = detail::Transfer::of(easy);
    finish(*slots_[transfer->index()], transfer->take_result(code));
  }

  void give_up(Slot& slot, std::string_view why) {
    loop_->remove(slot.transfer.easy());
    finish(slot, slot.transfer.failure(HttpFault::cancelled, why));
  }

  void finish(Slot& slot, HttpResult result) {
    const auto waiter = std::move(slot.waiter);
    ++slot.use;
    free_.push_back(slot.transfer.index());
    waiter->tell(std::move(result));
  }

  any_io_executor executor_;
  HttpClientOptions options_;
  std::shared_ptr<detail::CurlLoop> loop_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<std::size_t> free_;  // indices of slots_, last used first: its memory is warm
};

HttpClient::HttpClient(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

HttpClient::~HttpClient() { impl_->shut_down(); }

Result<std::unique_ptr<HttpClient>> HttpClient::create(any_io_executor executor, HttpClientOptions options) {
  if (auto fault = fault_in(options)) return *std::move(fault);
  if (!initialise_curl()) return bad_option("libcurl cannot be initialised");
  auto impl = std::make_shared<Impl>(std::move(executor), std::move(options));
  if (!impl->start()) return bad_option("no epoll descriptor or curl handle: out of descriptors or memory");
  return std::unique_ptr<HttpClient>(new HttpClient(std::move(impl)));
}

boost::asio::awaitable<HttpResult> HttpClient::get(HttpRequest request) {
  co_return co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<>&, void(HttpResult)>(
      [this](auto handler, HttpRequest to_send) { impl_->begin(std::move(handler), std::move(to_send)); },
      boost::asio::use_awaitable, std::move(request));
}

std::size_t HttpClient::in_flight() const noexcept { return impl_->in_flight(); }

}  // namespace geobreaker
