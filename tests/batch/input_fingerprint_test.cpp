#include "batch/input_fingerprint.hpp"

#include "batch/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace geobreaker {
namespace {

TEST(InputFingerprint, IsSizeAndSha256) {
  const testing::TemporaryFolder folder;
  EXPECT_EQ(*fingerprint_file(folder.with("a", "")), "0 bytes, SHA-256 e3b0c44298fc1c149afbf4c8996fb924");
  EXPECT_EQ(*fingerprint_file(folder.with("a", "abc")), "3 bytes, SHA-256 ba7816bf8f01cfea414140de5dae2223");
  // The vector of FIPS 180-2, appendix B.3, over several blocks.
  EXPECT_EQ(*fingerprint_file(folder.with("a", std::string(1'000'000, 'a'))),
            "1,000,000 bytes, SHA-256 cdc76e5c9914fb9281a1c7e284d73e67");
}

TEST(InputFingerprint, AMissingFileIsNamed) {
  EXPECT_EQ(fingerprint_file("/nowhere/in.csv").error().detail,
            "cannot read /nowhere/in.csv: No such file or directory");
}

}  // namespace
}  // namespace geobreaker
