#pragma once

#include <geobreaker/result.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace geobreaker {

/// A prepared statement that is used again and again.
class SqliteStatement {
 public:
  SqliteStatement() = default;
  explicit SqliteStatement(sqlite3_stmt* statement) : statement_(statement) {}

  SqliteStatement& bind(int place, std::int64_t value);
  /// The text must stay where it is until the statement is reset.
  SqliteStatement& bind(int place, std::string_view text);
  SqliteStatement& bind_blob(int place, std::string_view bytes);

  /// SQLITE_ROW, SQLITE_DONE or an error of SQLite.
  [[nodiscard]] int step();
  [[nodiscard]] std::int64_t number(int column) const;
  [[nodiscard]] std::string_view text(int column) const;
  void reset();

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const noexcept;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// One SQLite file that this process alone uses, with errors that name it.
/// Threads: one at a time.
class SqliteFile {
 public:
  /// Errors: conflict if another process has it; unreadable.
  [[nodiscard]] static Result<SqliteFile> open(const std::string& path);

  [[nodiscard]] Status run(const char* sql);
  [[nodiscard]] Result<SqliteStatement> prepare(std::string_view sql);
  /// The first column of the first row.
  [[nodiscard]] Result<std::int64_t> ask(std::string_view sql);
  /// All statements must be gone. Errors: unreadable.
  [[nodiscard]] Status close();
  [[nodiscard]] bool is_open() const noexcept { return database_ != nullptr; }

  /// What SQLite's answer `code` means for the user.
  [[nodiscard]] Error error(int code) const;
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  explicit SqliteFile(std::string path) : path_(std::move(path)) {}
  struct Close {
    void operator()(sqlite3* database) const noexcept;
  };
  std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace geobreaker
