#include "redis/resolve.hpp"

#include "redis/quiet_thread.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <netdb.h>
#include <sys/socket.h>

#include <cstring>
#include <system_error>
#include <thread>

namespace geobreaker::redis {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

Result<Endpoints> look_up(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(host.c_str(), nullptr, &hints, &found); error != 0)
    return Error{Errc::store_unavailable, "redis host " + host + ": " + gai_strerror(error)};
  Endpoints endpoints;
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
    if (at->ai_family != AF_INET && at->ai_family != AF_INET6) continue;
    tcp::endpoint endpoint;
    endpoint.resize(at->ai_addrlen);
    std::memcpy(endpoint.data(), at->ai_addr, at->ai_addrlen);
    endpoint.port(port);
    endpoints.push_back(endpoint);
  }
  freeaddrinfo(found);
  if (endpoints.empty()) return Error{Errc::store_unavailable, "redis host " + host + ": it has no address"};
  return endpoints;
}

}  // namespace

void resolve(std::shared_ptr<asio::io_context> io, const std::string& host, std::uint16_t port,
             std::function<void(Result<Endpoints>)> done) {
  boost::system::error_code no_literal;
  const auto address = asio::ip::make_address(host, no_literal);
  asio::io_context& context = *io;
  if (!no_literal) {
    asio::post(context, [done = std::move(done), endpoint = tcp::endpoint(address, port)] {
      done(Endpoints{endpoint});
    });
    return;
  }
  try {
    quiet_thread([io, host, port, done] {
      auto found = look_up(host, port);
      asio::post(*io, [done, found = std::move(found)]() mutable { done(std::move(found)); });
    }).detach();
  } catch (const std::system_error&) {
    asio::post(context, [done = std::move(done), host] {
      done(Error{Errc::store_unavailable, "redis host " + host + ": no thread to look it up"});
    });
  }
}

}  // namespace geobreaker::redis
