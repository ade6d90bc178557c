#pragma once

#include <geobreaker/geocode/query.hpp>

namespace geobreaker {

/// True if the row names a street: it has one in a column of its own, or its one free text looks like it. A
/// house number beside words is what gives a street away; "8001 Zurich" and "75001 Paris" are towns with
/// their postcodes. An opinion for people ("street addresses got only points of their city"), nothing is
/// decided by it.
[[nodiscard]] bool names_street(const AddressQuery& query) noexcept;

}  // namespace geobreaker
