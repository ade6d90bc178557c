#pragma once

#include <geobreaker/geocode/answer.hpp>
#include <geobreaker/geocode/query.hpp>
#include <geobreaker/result.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace geobreaker {

/// A town that the gazetteer found.
struct GazetteerHit {
  Coordinates at;                 ///< of the town's centre, never of a street
  std::string name;               ///< the town's own name as the data has it
  std::string label;              ///< "Louisville, Kentucky, United States"
  std::string country_code;       ///< ISO 3166-1 alpha-2, lower case
  double confidence = 0;          ///< 0 to 1, see Gazetteer::find
  double distance_km = 0;         ///< reverse: from the asked point; 0 otherwise
  std::uint32_t population = 0;   ///< 0 if unknown
  std::uint32_t geonames_id = 0;  ///< 0 if unknown
};

/// Towns of the world, by name in most of its scripts and by position.
///
/// The data (GeoNames, CC BY 4.0, see data/NOTICE) are linked in and used where they lie: nothing is read or
/// parsed at the start.
/// Threads: any, concurrently; no state changes.
class Gazetteer {
 public:
  /// Reverse look-ups find no place farther away than this.
  static constexpr double reach_km = 50;

  /// The data linked into the library.
  [[nodiscard]] static const Gazetteer& embedded();

  /// Data of the same format that the caller holds, 8-aligned, for as long as the gazetteer is used.
  /// Errors:  invalid_config, naming what is wrong with the header. The content itself is not read: see
  /// `verify`.
  [[nodiscard]] static Result<Gazetteer> from(std::span<const std::byte> bytes);

  /// Reads the whole data once: checksum and references. For tests and for data that came from elsewhere.
  [[nodiscard]] static Status verify(std::span<const std::byte> bytes);

  /// The town of an address. If `query.city` is filled the town is looked for there, and `state`, `country`
  /// and `postcode` choose between namesakes; else in `query.text`, where street names are told from towns.
  /// None if no town is named, if only a region or country is, or if two namesakes are equally likely.
  ///
  /// Confidence: 0.3 + 0.4 times how far the evidence (name, position in the text, region, country, postcode,
  /// population) exceeds the least that is answered + 0.3 times the lead over the best place more than 40 km
  /// away.
  [[nodiscard]] std::optional<GazetteerHit> find(const AddressQuery& query) const;

  /// The place nearest to a point, none if there is none within `reach_km` or the point is no point on earth.
  [[nodiscard]] std::optional<GazetteerHit> nearest(Coordinates at) const;

  [[nodiscard]] std::size_t places() const noexcept;

 private:
  struct Data;
  explicit Gazetteer(std::shared_ptr<const Data> data) noexcept;
  [[nodiscard]] GazetteerHit hit(std::uint32_t place, double confidence) const;

  std::shared_ptr<const Data> data_;  // copies of a gazetteer share the views of its sections
};

}  // namespace geobreaker
