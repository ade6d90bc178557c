#pragma once

#include <geobreaker/result.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace geobreaker::redis {

using Endpoints = std::vector<boost::asio::ip::tcp::endpoint>;

/// Looks a host up and hands the answer to `done` on `io`'s thread. A name is looked up on a thread of its
/// own that nobody waits for: the system's resolver cannot be interrupted, and neither a call nor a shutdown
/// may wait for it. If `io` has stopped by then, `done` is dropped.
void resolve(std::shared_ptr<boost::asio::io_context> io, const std::string& host, std::uint16_t port,
             std::function<void(Result<Endpoints>)> done);

}  // namespace geobreaker::redis
