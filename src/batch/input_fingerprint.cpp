#include "batch/input_fingerprint.hpp"

#include "batch/csv_source.hpp"

#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace geobreaker {

namespace {

constexpr std::size_t block_bytes = std::size_t{256} << 10;
constexpr std::size_t digest_bytes_shown = 16;

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string hex(const unsigned char* bytes, std::size_t size) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 15];
  }
  return text;
}

}  // namespace

Result<std::string> fingerprint_file(const std::string& path) {
  auto source = open_source(path);
  if (!source) return source.error();
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> hash(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  bool good = hash != nullptr && EVP_DigestInit_ex(hash.get(), EVP_sha256(), nullptr) == 1;
  std::vector<char> block(block_bytes);
  std::uint64_t size = 0;
  while (good) {
    const auto got = (*source)->read(block);
    if (!got) return got.error();
    if (*got == 0) break;
    size += *got;
    good = EVP_DigestUpdate(hash.get(), block.data(), *got) == 1;
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  good = good && EVP_DigestFinal_ex(hash.get(), digest.data(), nullptr) == 1;
  if (!good) return Error{Errc::unreadable, "cannot hash " + path + ": OpenSSL offers no SHA-256"};
  return grouped(size) + " bytes, SHA-256 " + hex(digest.data(), digest_bytes_shown);
}

}  // namespace geobreaker
