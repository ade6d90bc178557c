#include "batch/csv_source.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <istream>
#include <system_error>

namespace geobreaker {
namespace {

Error cannot_read(const std::string& name, int error) {
  return {Errc::unreadable, "cannot read " + name + ": " + std::generic_category().message(error)};
}

}  // namespace

FdSource::FdSource(int fd, std::string name, Ownership ownership)
    : ByteSource(std::move(name)), fd_(fd), ownership_(ownership) {}

FdSource::~FdSource() {
  if (ownership_ == Ownership::owned) ::close(fd_);
}

Result<std::size_t> FdSource::read(std::span<char> room) {
  for (;;) {
    const ssize_t got = ::read(fd_, room.data(), room.size());
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return cannot_read(name(), errno);
  }
}

Result<std::size_t> StreamSource::read(std::span<char> room) {
  in_.read(room.data(), static_cast<std::streamsize>(room.size()));
  if (in_.bad()) return cannot_read(name(), EIO);
  return static_cast<std::size_t>(in_.gcount());
}

Result<std::unique_ptr<ByteSource>> open_source(const std::string& path) {
  if (path == "-") {
    return std::unique_ptr<ByteSource>(
        std::make_unique<FdSource>(STDIN_FILENO, "standard input", Ownership::borrowed));
  }
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return cannot_read(path, errno);
  // The kernel then reads ahead further; a pipe refuses the advice, which does not matter.
  (void)::posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  return std::unique_ptr<ByteSource>(std::make_unique<FdSource>(fd, path, Ownership::owned));
}

}  // namespace geobreaker
