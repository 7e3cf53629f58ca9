#include "store/store.hpp"

#include "store/database.hpp"
#include "store/schema.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <utility>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

/// How long to wait for another process that writes. Its transactions last milliseconds.
constexpr int busy_timeout_ms = 30'000;
/// A connection belongs to one thread, like its store: no lock for each column that is read.
constexpr int one_thread = SQLITE_OPEN_NOMUTEX;

std::string_view advice(int code) {
  switch (code) {
    case SQLITE_FULL:
      return "free some space there, or name a file on another disk with --db. Everything stored before is "
             "safe, and running the same config again resumes";
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return "make the file and its folder writable, or name another file with --db";
    case SQLITE_CANTOPEN:
      return "check that its folder exists and is writable, or name another file with --db";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another process has kept it locked; wait for that, or name another file with --db";
    case SQLITE_IOERR:
      return "check the disk (space, quota, limits, network); everything stored before is safe, and "
             "running the same config again resumes";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "the file is damaged; keep it, and name another file with --db";
    default:
      return "name another file with --db if that persists";
  }
}

/// The file as a URI of SQLite.
std::string uri_of(const fs::path& file) {
  std::string text = "file:";
  for (const char c : file.string()) {
    const bool special = c == '%' || c == '?' || c == '#';
    text += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return text;
}

/// Does a journal hold what is not in the file yet?
bool has_journal(const fs::path& file) {
  const auto holds = [&](const char* ending) {
    std::error_code error;
    const bool empty = fs::is_empty(file.string() + ending, error);
    return !error && !empty;
  };
  return holds("-wal") || holds("-journal");
}

SQLite::Database connect(const std::string& name, int flags) {
  return {name, flags | one_thread, busy_timeout_ms};
}

/// Even reading wants a file of shared memory beside the store, or a journal that a dead process left to be
/// played back: both are writing. Where that is refused, a file without journal is read as one that nobody
/// writes to; one with a journal is opened as for writing, of which nothing but the playing back is done.
SQLite::Database open_for_reading(const fs::path& file) {
  try {
    SQLite::Database database = connect(file.string(), SQLite::OPEN_READONLY);
    static_cast<void>(database.execAndGet("SELECT count(*) FROM sqlite_master"));
    return database;
  } catch (const SQLite::Exception& error) {
    if (error.getErrorCode() != SQLITE_READONLY && error.getErrorCode() != SQLITE_CANTOPEN) throw;
  }
  if (!has_journal(file))
    return connect(uri_of(file) + "?immutable=1", SQLite::OPEN_READONLY | SQLite::OPEN_URI);
  SQLite::Database database = connect(file.string(), SQLite::OPEN_READWRITE);
  static_cast<void>(database.execAndGet("SELECT count(*) FROM sqlite_master"));
  database.exec("PRAGMA query_only = ON");
  return database;
}

/// More bytes than any row of a store has: the largest files that a config brings along have 64 MiB.
constexpr int largest_value = 80 << 20;
/// All that SQLite may keep in memory: the largest value twice, as when it is written, and its caches.
constexpr sqlite3_int64 most_memory = 256 << 20;

/// A file may be a stranger's.
void distrust_contents(SQLite::Database& database) {
  database.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
  sqlite3_limit(database.getHandle(), SQLITE_LIMIT_LENGTH, largest_value);
  sqlite3_hard_heap_limit64(most_memory);  // of the process
}

}  // namespace

std::string explain_sqlite(int code, std::string_view message, std::string_view action,
                           const fs::path& file) {
  return fmt::format("cannot {} the store '{}': {}; {}", action, file, message, advice(code & 0xff));
}

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Store Store::open(const fs::path& file, Access access) {
  const fs::path absolute = fs::absolute(file);
  refuse_foreign_file(absolute);
  const bool read_only = access == Access::read_only;
  std::error_code error;
  static_cast<void>(fs::file_size(absolute, error));
  if (read_only && error) {
    if (error == std::errc::no_such_file_or_directory) refuse_missing_store(absolute);
    throw StoreError(fmt::format("cannot open the store '{}': {}; name another file with --db", absolute,
                                 error.message()));
  }
  return guarded(absolute, "open", [&] {
    const int writing = SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE;
    auto impl = std::make_unique<Impl>(
        Impl{absolute, read_only ? open_for_reading(absolute) : connect(absolute.string(), writing)});
    SQLite::Database& database = impl->database;
    distrust_contents(database);
    if (read_only) {
      see_schema(database, absolute);
    } else {
      prepare_schema(database, absolute);
      // In WAL mode the death of the process loses nothing under NORMAL; only a power cut may lose the
      // last transactions, and none half.
      database.exec(
          "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 4000");
    }
    return Store(std::move(impl));
  });
}

const fs::path& Store::path() const noexcept { return impl_->file; }

}  // namespace benchctl
