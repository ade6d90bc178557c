#pragma once

#include <geobreaker/chain/fallback_chain.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace geobreaker {

struct Row;

/// Where a parked row stands.
struct Seat {
  SteadyTime due{};
  SteadyTime give_up{};
  std::uint64_t ticket = 0;
  std::size_t link = 0;
};

/// Rows that wait for a provider. While a provider refuses, one row at a time is sent to look, so that at
/// recovery it meets a single request and not the crowd; once it answers, all that waited for it may go.
/// Threads: one.
class ParkingLot {
 public:
  explicit ParkingLot(std::size_t links) : bays_(links) {}

  void park(Row& row, const Parked& parked, SteadyTime now);
  /// A row that may go now, or null.
  [[nodiscard]] Row* take_due(SteadyTime now);
  /// The provider of this link has just answered somebody.
  void answered(std::size_t link) noexcept { bays_[link].hold_until = {}; }

  /// When take_due may have a row; empty if nothing is parked.
  [[nodiscard]] std::optional<SteadyTime> next_due() const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  using Waiting =
      std::tuple<SteadyTime, std::uint64_t, Row*>;  // the number keeps rows of one instant in their order
  struct Bay {
    SteadyTime hold_until{};       // the provider refuses until then; zero: not known to
    std::set<Waiting> by_due;      // when the row itself wants to go
    std::set<Waiting> by_give_up;  // the same rows
  };
  [[nodiscard]] Row* take(Row& row);

  std::vector<Bay> bays_;
  std::uint64_t tickets_ = 0;
  std::size_t size_ = 0;
};

}  // namespace geobreaker
