#include "batch/sqlite_file.hpp"

#include <sqlite3.h>
#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

namespace geobreaker {

namespace {

/// Where SQLite's locks begin in every database file (its "pending byte").
constexpr std::uint64_t lock_bytes_begin = 0x40000000;

/// Who holds SQLite's lock on the file, as the kernel tells; empty where it does not.
/// Opening the file to ask would be wrong: closing it again drops this process's own locks on it.
std::string holder_of(const std::string& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) return {};
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    // 1: POSIX  ADVISORY  WRITE 4242 fd:01:1234567 1073741826 1073742335
    std::istringstream fields(line);
    std::string id, kind, advice, access, pid, device, begin;
    fields >> id >> kind >> advice >> access >> pid >> device >> begin;
    const bool same =
        device.size() > 6 && device.substr(device.rfind(':') + 1) == std::to_string(file.st_ino);
    if (kind != "POSIX" || access != "WRITE" || !same) continue;
    if (std::strtoull(begin.c_str(), nullptr, 10) >= lock_bytes_begin) return " " + pid;
  }
  return {};
}

/// "./" keeps SQLite from taking ":memory:" or "file:..." for something else than a name.
std::string plain_path(const std::string& path) { return path.starts_with('/') ? path : "./" + path; }

}  // namespace

void SqliteStatement::Finalize::operator()(sqlite3_stmt* statement) const noexcept {
  sqlite3_finalize(statement);
}

SqliteStatement& SqliteStatement::bind(int place, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), place, value);
  return *this;
}

SqliteStatement& SqliteStatement::bind(int place, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), place, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

SqliteStatement& SqliteStatement::bind_blob(int place, std::string_view bytes) {
  // A null pointer would be bound as NULL.
  const char* data = bytes.data() == nullptr ? "" : bytes.data();
  sqlite3_bind_blob64(statement_.get(), place, data, bytes.size(), SQLITE_STATIC);
  return *this;
}

int SqliteStatement::step() { return sqlite3_step(statement_.get()); }

std::int64_t SqliteStatement::number(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string_view SqliteStatement::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr ? std::string_view() : std::string_view(bytes, static_cast<std::size_t>(size));
}

void SqliteStatement::reset() { sqlite3_reset(statement_.get()); }

void SqliteFile::Close::operator()(sqlite3* database) const noexcept { sqlite3_close_v2(database); }

Result<SqliteFile> SqliteFile::open(const std::string& path) {
  SqliteFile file(path);
  sqlite3* opened = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(plain_path(path).c_str(), &opened, flags, nullptr);
  file.database_.reset(opened);
  if (code != SQLITE_OK) return file.error(code);
  sqlite3_extended_result_codes(opened, 1);
  if (auto locked = file.run("PRAGMA locking_mode = EXCLUSIVE"); !locked) return locked.error();
  return file;
}

Status SqliteFile::run(const char* sql) {
  const int code = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? Status(Done{}) : Status(error(code));
}

Result<SqliteStatement> SqliteFile::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return error(code);
  return SqliteStatement(statement);
}

Result<std::int64_t> SqliteFile::ask(std::string_view sql) {
  auto statement = prepare(sql);
  if (!statement) return statement.error();
  const int code = statement->step();
  if (code != SQLITE_ROW) return error(code);
  return statement->number(0);
}

Status SqliteFile::close() {
  const int code = sqlite3_close(database_.get());
  if (code != SQLITE_OK) return error(code);
  (void)database_.release();
  return Done{};
}

Error SqliteFile::error(int code) const {
  const int system = database_ == nullptr ? 0 : sqlite3_system_errno(database_.get());
  std::string reason = database_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(database_.get());
  if (system != 0) reason += std::string(": ") + std::strerror(system);
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {Errc::conflict,
              "another process" + holder_of(path_) + " holds the lock of " + path_ +
                  ": two runs cannot share a journal; wait for that one, or give another output with -o"};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {Errc::unreadable,
              path_ + " is damaged or no journal (" + reason + "); delete it to start anew"};
    default:
      return {Errc::unreadable, "cannot use " + path_ + ": " + reason};
  }
}

}  // namespace geobreaker
