#include "batch/journal.hpp"

#include "batch/sqlite_file.hpp"
#include "config/quote.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace geobreaker {

namespace {

// "gbj" and the family's number; stored in the file's header, never to be changed.
constexpr int application_id = 0x67626A01;
// So many rows are read ahead: a look at the file then costs little, and no read stays open while rows are
// written.
constexpr std::int64_t rows_ahead = 512;

/// Before the first table: the page size can be chosen only then. Larger pages make fewer of them for rows of
/// a hundred bytes or more.
constexpr const char* new_file = "PRAGMA page_size = 8192";
constexpr const char* settings =
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = NORMAL;"
    "PRAGMA wal_autocheckpoint = 2000";  // pages: 16 MiB of log
constexpr const char* tables =
    "CREATE TABLE identity (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE finished (row INTEGER PRIMARY KEY, status TEXT NOT NULL, cells BLOB NOT NULL);"
    "CREATE TABLE ended (complete INTEGER NOT NULL)";

using Counts = std::map<std::string, std::uint64_t, std::less<>>;

/// "input was "a" and is "b"", or less where the values look alike when they are shortened.
std::string change(const std::string& name, const std::string& was, const std::string& is) {
  const std::string old_value = config::in_quotes(was);
  const std::string new_value = config::in_quotes(is);
  if (old_value == new_value) return name + " has changed";
  return name + " was " + old_value + " and is " + new_value;
}

const std::string* value_in(const JournalIdentity& facts, const std::string& name) {
  const auto found =
      std::find_if(facts.begin(), facts.end(), [&](const JournalFact& f) { return f.name == name; });
  return found == facts.end() ? nullptr : &found->value;
}

/// Every difference, the new run's order first; empty if there is none.
std::string changes(const JournalIdentity& was, const JournalIdentity& is) {
  std::string text;
  const auto add = [&](const std::string& one) { text += (text.empty() ? "" : "; ") + one; };
  for (const JournalFact& fact : is) {
    const std::string* old = value_in(was, fact.name);
    if (old == nullptr) add(fact.name + " was not known and is " + config::in_quotes(fact.value));
    if (old != nullptr && *old != fact.value) add(change(fact.name, *old, fact.value));
  }
  for (const JournalFact& fact : was) {
    if (value_in(is, fact.name) == nullptr)
      add(fact.name + " was " + config::in_quotes(fact.value) + " and is gone");
  }
  return text;
}

}  // namespace

/// The open file, its statements, and the group of rows that is not committed yet.
class Journal::Database {
 public:
  explicit Database(SqliteFile file) : file_(std::move(file)) {}
  ~Database() { (void)close(); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  [[nodiscard]] Status begin(const JournalIdentity& identity) {
    const auto tables_there = file_.ask("SELECT count(*) FROM sqlite_master");
    if (!tables_there) return tables_there.error();
    const auto id = file_.ask("PRAGMA application_id");
    if (!id) return id.error();
    const bool fresh = *tables_there == 0 && *id == 0;
    if (!fresh && *id != application_id) return not_ours();
    if (fresh) {
      if (auto sized = file_.run(new_file); !sized) return sized;
    }
    if (auto set = file_.run(settings); !set) return set;
    auto known = fresh ? create(identity) : compare(identity);
    return known ? prepare() : known;
  }

  [[nodiscard]] Status append(std::uint64_t row, std::string_view status, std::string_view cells) {
    if (auto ready = check(); !ready) return ready;
    if (!in_group_) {
      if (auto begun = run(begin_); !begun) return begun;
      in_group_ = true;
    }
    insert_.bind(1, static_cast<std::int64_t>(row)).bind(2, status).bind_blob(3, cells);
    const int code = insert_.step();
    insert_.reset();
    if (code == SQLITE_CONSTRAINT_PRIMARYKEY || code == SQLITE_CONSTRAINT_ROWID) return fail(has_row(row));
    if (code != SQLITE_DONE) return fail(file_.error(code));
    ++group_rows_;
    return Done{};
  }

  [[nodiscard]] Status commit() {
    if (auto ready = check(); !ready) return ready;
    if (!in_group_) return Done{};
    if (auto done = run(commit_); !done) return done;
    in_group_ = false;
    rows_ += std::exchange(group_rows_, 0);
    return Done{};
  }

  [[nodiscard]] Status mark_complete() {
    if (auto kept = commit(); !kept) return kept;
    if (auto noted = file_.run("INSERT INTO ended VALUES (1)"); !noted) return fail(noted.error());
    complete_ = true;
    return Done{};
  }

  /// The statement that reads the finished rows, set to begin at `row`.
  [[nodiscard]] Result<SqliteStatement*> select_from(std::uint64_t row) {
    if (auto ready = check(); !ready) return ready.error();
    select_.bind(1, static_cast<std::int64_t>(row));
    return &select_;
  }

  [[nodiscard]] Result<Counts> counts() {
    if (auto ready = check(); !ready) return ready.error();
    auto statuses = file_.prepare("SELECT status FROM finished");
    if (!statuses) return statuses.error();
    Counts counts;
    int code = statuses->step();
    for (; code == SQLITE_ROW; code = statuses->step()) {
      const std::string_view status = statuses->text(0);
      auto found = counts.find(status);
      if (found == counts.end()) found = counts.emplace(status, 0).first;
      ++found->second;
    }
    if (code != SQLITE_DONE) return file_.error(code);
    return counts;
  }

  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }

  [[nodiscard]] Status close() {
    if (!file_.is_open()) return Done{};
    Status kept = failed_ ? Status(*failed_) : commit();
    for (SqliteStatement* statement : {&insert_, &begin_, &commit_, &select_}) *statement = SqliteStatement();
    // Closing moves the log too, but would not say that it could not.
    if (kept) kept = file_.run("PRAGMA wal_checkpoint(TRUNCATE)");
    const Status closed = file_.close();
    return kept ? closed : kept;
  }

  [[nodiscard]] Error error(int code) const { return file_.error(code); }
  [[nodiscard]] bool complete() const noexcept { return complete_; }
  [[nodiscard]] const std::string& path() const noexcept { return file_.path(); }

 private:
  [[nodiscard]] Status check() const {
    if (failed_) return *failed_;
    if (!file_.is_open()) return Error{Errc::unreadable, file_.path() + " is closed"};
    return Done{};
  }
  [[nodiscard]] Status fail(Error error) {
    failed_ = std::move(error);
    return *failed_;
  }
  [[nodiscard]] Error has_row(std::uint64_t row) const {
    return {Errc::conflict, path() + " has row " + std::to_string(row) + " already"};
  }
  [[nodiscard]] Error not_ours() const {
    return {
        Errc::conflict,
        path() +
            " is another program's SQLite file, not a journal of geobreaker; give another output with -o"};
  }

  [[nodiscard]] Status run(SqliteStatement& statement) {
    const int code = statement.step();
    statement.reset();
    return code == SQLITE_DONE ? Status(Done{}) : fail(file_.error(code));
  }

  [[nodiscard]] Status create(const JournalIdentity& identity) {
    if (auto begun = file_.run("BEGIN IMMEDIATE"); !begun) return begun;
    if (auto made = file_.run(tables); !made) return made;
    auto add = file_.prepare("INSERT INTO identity VALUES (?, ?)");
    if (!add) return add.error();
    for (const JournalFact& fact : identity) {
      add->bind(1, std::string_view(fact.name)).bind(2, std::string_view(fact.value));
      const int code = add->step();
      add->reset();
      if (code != SQLITE_DONE) return file_.error(code);
    }
    // In the same transaction, so that a file is ours with all its tables or not at all.
    const std::string marks = "PRAGMA application_id = " + std::to_string(application_id) +
                              "; PRAGMA user_version = " + std::to_string(format) + "; COMMIT";
    return file_.run(marks.c_str());
  }

  [[nodiscard]] Status compare(const JournalIdentity& identity) {
    const auto version = file_.ask("PRAGMA user_version");
    if (!version) return version.error();
    if (*version != format) {
      return Error{
          Errc::conflict,
          path() + " has journal format " + std::to_string(*version) + " and this program writes " +
              std::to_string(format) +
              "; finish the job with the version that began it, or delete the journal to start anew"};
    }
    JournalIdentity was;
    auto facts = file_.prepare("SELECT name, value FROM identity ORDER BY name");
    if (!facts) return facts.error();
    int code = facts->step();
    for (; code == SQLITE_ROW; code = facts->step()) {
      was.push_back({std::string(facts->text(0)), std::string(facts->text(1))});
    }
    if (code != SQLITE_DONE) return file_.error(code);
    const std::string changed = changes(was, identity);
    if (!changed.empty()) {
      return Error{Errc::conflict, path() + " belongs to another run: " + changed +
                                       ". Delete it to start anew, or give another output with -o"};
    }
    return read_progress();
  }

  [[nodiscard]] Status read_progress() {
    const auto ended = file_.ask("SELECT count(*) FROM ended");
    if (!ended) return ended.error();
    complete_ = *ended > 0;
    const auto rows = file_.ask("SELECT count(*) FROM finished");
    if (!rows) return rows.error();
    rows_ = static_cast<std::uint64_t>(*rows);
    return Done{};
  }

  [[nodiscard]] Status prepare() {
    auto insert = file_.prepare("INSERT INTO finished VALUES (?, ?, ?)");
    auto begin = file_.prepare("BEGIN IMMEDIATE");
    auto commit = file_.prepare("COMMIT");
    auto select = file_.prepare("SELECT row, status, cells FROM finished WHERE row >= ? ORDER BY row LIMIT " +
                                std::to_string(rows_ahead));
    for (const auto* prepared : {&insert, &begin, &commit, &select}) {
      if (!*prepared) return prepared->error();
    }
    insert_ = std::move(*insert);
    begin_ = std::move(*begin);
    commit_ = std::move(*commit);
    select_ = std::move(*select);
    return Done{};
  }

  SqliteFile file_;
  SqliteStatement insert_;
  SqliteStatement begin_;
  SqliteStatement commit_;
  SqliteStatement select_;
  bool in_group_ = false;
  std::uint64_t group_rows_ = 0;
  std::uint64_t rows_ = 0;
  bool complete_ = false;
  std::optional<Error> failed_;
};

Journal::Journal(std::unique_ptr<Database> database) : database_(std::move(database)) {}
Journal::Journal(Journal&&) noexcept = default;
Journal& Journal::operator=(Journal&&) noexcept = default;
Journal::~Journal() = default;

Result<Journal> Journal::open(const std::string& path, const JournalIdentity& identity) {
  auto file = SqliteFile::open(path);
  if (!file) return file.error();
  auto database = std::make_unique<Database>(std::move(*file));
  if (auto begun = database->begin(identity); !begun) return begun.error();
  return Journal(std::move(database));
}

Status Journal::append(std::uint64_t row, std::string_view status, std::string_view cells) {
  return database_->append(row, status, cells);
}

Status Journal::commit() { return database_->commit(); }

std::uint64_t Journal::rows() const noexcept { return database_->rows(); }
Result<Counts> Journal::counts() { return database_->counts(); }
Status Journal::mark_complete() { return database_->mark_complete(); }
bool Journal::complete() const noexcept { return database_->complete(); }
Status Journal::close() { return database_->close(); }
const std::string& Journal::path() const noexcept { return database_->path(); }

Result<const FinishedRow*> FinishedRows::next_from(std::uint64_t row) {
  for (;;) {
    for (; at_ < places_.size(); ++at_) {
      const Place& place = places_[at_];
      if (place.row < row) continue;
      const std::string_view bytes(text_);
      current_ = {place.row, bytes.substr(place.begin, place.status_size),
                  bytes.substr(place.begin + place.status_size, place.cells_size)};
      return &current_;
    }
    if (ended_) return static_cast<const FinishedRow*>(nullptr);
    if (auto looked = look_ahead(row); !looked) return looked.error();
  }
}

Status FinishedRows::look_ahead(std::uint64_t row) {
  places_.clear();
  text_.clear();
  at_ = 0;
  auto select = journal_->database_->select_from(row);
  if (!select) return select.error();
  SqliteStatement& statement = **select;
  int code = statement.step();
  for (; code == SQLITE_ROW; code = statement.step()) {
    const std::string_view status = statement.text(1);
    const std::string_view cells = statement.text(2);
    places_.push_back(
        {static_cast<std::uint64_t>(statement.number(0)), text_.size(), status.size(), cells.size()});
    text_ += status;
    text_ += cells;
  }
  statement.reset();
  if (code != SQLITE_DONE) return journal_->database_->error(code);
  ended_ = places_.size() < static_cast<std::size_t>(rows_ahead);
  return Done{};
}

}  // namespace geobreaker
