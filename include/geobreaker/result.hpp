#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace geobreaker {

/// What went wrong, for the code that has to react to it.
enum class Errc {
  store_unavailable = 1,  ///< no connection to the store, or its circuit is open: answered at once
  store_timeout,          ///< the store did not answer within its time-out
  store_refused,          ///< the store answered with an error (read-only, full, no permission, ...)
  bad_reply,              ///< the store answered something that is no reply of this protocol
  invalid_config,         ///< a setting is out of range; `detail` names every faulty one
  unreadable,             ///< a file or stream cannot be read or written
  conflict,               ///< what is there does not belong to what was asked
};

/// An error with a sentence that names the thing, its value and what is allowed. Never holds a secret.
struct Error {
  Errc code;
  std::string detail;
  friend bool operator==(const Error&, const Error&) = default;
};

/// A value or an Error: the one way in which this library reports failure (exceptions stay inside).
/// C++20 has no std::expected, and the breaker library needs nothing beyond the standard library.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : held_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const noexcept { return held_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  [[nodiscard]] T& value() & {
    assert(has_value());
    return *std::get_if<0>(&held_);
  }
  [[nodiscard]] const T& value() const& {
    assert(has_value());
    return *std::get_if<0>(&held_);
  }
  [[nodiscard]] T&& value() && { return std::move(value()); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  [[nodiscard]] const Error& error() const {
    assert(!has_value());
    return *std::get_if<1>(&held_);
  }

 private:
  std::variant<T, Error> held_;
};

/// Success without a value.
using Done = std::monostate;
using Status = Result<Done>;

}  // namespace geobreaker
