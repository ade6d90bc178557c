#include "provider/gazetteer/data_file.hpp"

// The file goes into the read-only data as it is: the kernel maps it with the program and reads a page when a
// look-up touches it. Hidden symbols need no relocation, so it may sit in a shared library as well.
// GEOBREAKER_GAZETTEER_FILE is the path, given by CMakeLists.txt.
asm(".pushsection .rodata.geobreaker_gazetteer, \"a\", %progbits\n"
    ".balign 64\n"
    ".globl geobreaker_gazetteer_begin\n"
    ".hidden geobreaker_gazetteer_begin\n"
    ".globl geobreaker_gazetteer_end\n"
    ".hidden geobreaker_gazetteer_end\n"
    "geobreaker_gazetteer_begin:\n"
    ".incbin \"" GEOBREAKER_GAZETTEER_FILE
    "\"\n"
    "geobreaker_gazetteer_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
[[gnu::visibility("hidden")]] extern const std::byte geobreaker_gazetteer_begin[];
[[gnu::visibility("hidden")]] extern const std::byte geobreaker_gazetteer_end[];
}

namespace geobreaker::gazetteer {

std::span<const std::byte> embedded_bytes() noexcept {
  return {geobreaker_gazetteer_begin,
          static_cast<std::size_t>(geobreaker_gazetteer_end - geobreaker_gazetteer_begin)};
}

}  // namespace geobreaker::gazetteer
