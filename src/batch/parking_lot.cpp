#include "batch/parking_lot.hpp"

#include "batch/row.hpp"

#include <algorithm>

namespace geobreaker {

namespace {

/// Another process may have closed the breaker, or its probe may have ended: a provider that refuses is
/// looked at so often.
constexpr SteadyClock::duration look_again = std::chrono::seconds{1};

}  // namespace

void ParkingLot::park(Row& row, const Parked& parked, SteadyTime now) {
  Bay& bay = bays_[parked.link];
  if (parked.skipped) bay.hold_until = std::min(parked.until, now + look_again);
  row.seat = {parked.skipped ? now : parked.until, parked.give_up, ++tickets_, parked.link};
  bay.by_due.emplace(row.seat.due, row.seat.ticket, &row);
  bay.by_give_up.emplace(row.seat.give_up, row.seat.ticket, &row);
  ++size_;
}

Row* ParkingLot::take_due(SteadyTime now) {
  for (Bay& bay : bays_) {
    if (bay.by_due.empty()) continue;
    if (std::get<SteadyTime>(*bay.by_give_up.begin()) <= now)
      return take(*std::get<Row*>(*bay.by_give_up.begin()));
    if (bay.hold_until > now || std::get<SteadyTime>(*bay.by_due.begin()) > now) continue;
    if (bay.hold_until != SteadyTime{})
      bay.hold_until = now + look_again;  // this one looks; the others wait for its answer
    return take(*std::get<Row*>(*bay.by_due.begin()));
  }
  return nullptr;
}

Row* ParkingLot::take(Row& row) {
  Bay& bay = bays_[row.seat.link];
  bay.by_due.erase({row.seat.due, row.seat.ticket, &row});
  bay.by_give_up.erase({row.seat.give_up, row.seat.ticket, &row});
  --size_;
  return &row;
}

std::optional<SteadyTime> ParkingLot::next_due() const noexcept {
  std::optional<SteadyTime> next;
  for (const Bay& bay : bays_) {
    if (bay.by_due.empty()) continue;
    const SteadyTime due = std::min(std::get<SteadyTime>(*bay.by_give_up.begin()),
                                    std::max(bay.hold_until, std::get<SteadyTime>(*bay.by_due.begin())));
    if (!next || due < *next) next = due;
  }
  return next;
}

}  // namespace geobreaker
