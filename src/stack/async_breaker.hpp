#pragma once

#include <geobreaker/breaker.hpp>

#include <boost/asio/awaitable.hpp>

namespace geobreaker {

/// The breaker's answers as coroutines: at once where no waiting is needed, else resumed on the caller's
/// executor.
[[nodiscard]] boost::asio::awaitable<Admission> async_acquire(Breaker& breaker);
[[nodiscard]] boost::asio::awaitable<bool> async_check_current(Breaker& breaker, const Permit& permit);

}  // namespace geobreaker
