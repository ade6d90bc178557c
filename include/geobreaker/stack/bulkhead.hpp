#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <deque>
#include <utility>

namespace geobreaker {

/// Bounds how many calls to one provider are in flight; the rest wait in the order in which they came.
/// Threads: one executor. Must outlive its slots.
class Bulkhead {
 public:
  explicit Bulkhead(std::size_t limit) : free_(limit) {}

  /// One place inside; given back when it is destroyed.
  class [[nodiscard]] Slot {
   public:
    explicit Slot(Bulkhead* owner) noexcept : owner_(owner) {}
    Slot(Slot&& other) noexcept : owner_(std::exchange(other.owner_, nullptr)) {}
    Slot& operator=(Slot&&) = delete;
    ~Slot() {
      if (owner_ != nullptr) owner_->leave();
    }

   private:
    Bulkhead* owner_;
  };

  [[nodiscard]] boost::asio::awaitable<Slot> enter();
  [[nodiscard]] std::size_t waiting() const noexcept { return waiting_.size(); }

 private:
  struct Seat {
    boost::asio::steady_timer wake;
    bool given = false;
  };
  void leave() noexcept;

  std::size_t free_;
  std::deque<Seat*> waiting_;
};

}  // namespace geobreaker
