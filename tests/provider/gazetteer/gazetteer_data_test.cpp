#include "provider/gazetteer/data_file.hpp"

#include <geobreaker/provider/gazetteer.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace geobreaker {
namespace {

using testing::HasSubstr;

/// A changeable copy of the data; operator new aligns it to at least 8.
std::vector<std::byte> copy_of_data() {
  const auto bytes = gazetteer::embedded_bytes();
  return {bytes.begin(), bytes.end()};
}

std::string fault_of(std::span<const std::byte> bytes) {
  const auto opened = Gazetteer::from(bytes);
  return opened ? "none" : opened.error().detail;
}

TEST(GazetteerData, IsWholeAndConsistent) {
  EXPECT_TRUE(Gazetteer::verify(gazetteer::embedded_bytes()));
  EXPECT_GT(Gazetteer::embedded().places(), 170000U);
  EXPECT_LT(gazetteer::embedded_bytes().size(), 20U * 1024 * 1024);
}

TEST(GazetteerData, WorksFromTheCallersMemoryToo) {
  const auto bytes = copy_of_data();
  const auto gazetteer = Gazetteer::from(bytes);
  ASSERT_TRUE(gazetteer);
  AddressQuery query;
  query.text = "Nantes, France";
  ASSERT_TRUE(gazetteer->find(query));
}

TEST(GazetteerData, RefusesAHeaderThatIsNotItsOwn) {
  auto bytes = copy_of_data();
  bytes[0] = std::byte{'X'};
  EXPECT_THAT(fault_of(bytes), HasSubstr("GBGAZET"));
  bytes = copy_of_data();
  bytes[8] = std::byte{77};
  EXPECT_THAT(fault_of(bytes), HasSubstr("version 77; this library reads version 1"));
  bytes = copy_of_data();
  bytes[40] = bytes[40] ^ std::byte{1};
  EXPECT_THAT(fault_of(bytes), HasSubstr("header checksum"));
}

TEST(GazetteerData, RefusesWhatIsCutOrTooLong) {
  auto bytes = copy_of_data();
  EXPECT_THAT(fault_of(std::span(bytes).first(bytes.size() - 8)), HasSubstr("its header says"));
  EXPECT_THAT(fault_of(std::span(bytes).first(16)), HasSubstr("the header alone has"));
  EXPECT_THAT(fault_of({}), HasSubstr("is 0 bytes long"));
  EXPECT_THAT(fault_of(std::span(bytes).subspan(1)), HasSubstr("divisible by 8"));
}

TEST(GazetteerData, RefusesEveryFlippedBitOfTheHeader) {
  auto bytes = copy_of_data();
  for (std::size_t i = 0; i < 128; ++i) {
    bytes[i] ^= std::byte{0x10};
    EXPECT_NE(fault_of(bytes), "none") << "byte " << i;
    bytes[i] ^= std::byte{0x10};
  }
  EXPECT_EQ(fault_of(bytes), "none");
}

TEST(GazetteerData, VerifyNoticesAChangeInTheContent) {
  auto bytes = copy_of_data();
  bytes[bytes.size() / 2] ^= std::byte{1};
  EXPECT_EQ(fault_of(bytes), "none");  // opening reads the header only
  const auto verified = Gazetteer::verify(bytes);
  ASSERT_FALSE(verified);
  EXPECT_EQ(verified.error().code, Errc::invalid_config);
  EXPECT_THAT(verified.error().detail, HasSubstr("checksum of the content"));
}

}  // namespace
}  // namespace geobreaker
