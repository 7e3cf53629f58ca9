#include "store/store.hpp"

#include "store/database.hpp"
#include "store/schema.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <ctime>
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
    case SQLITE_INTERRUPT:
      return "reading it takes more steps or time, or gives more bytes, than a file of its size can need. "
             "It is damaged, or made to keep you waiting; name another file with --db";
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

SQLite::Database connect(const std::string& name, int flags, ReadBudget& budget) {
  SQLite::Database database(name, flags | one_thread, busy_timeout_ms);
  budget.watch(database.getHandle());
  return database;
}

/// Even reading wants a file of shared memory beside the store, or a journal that a dead process left to be
/// played back: both are writing. Where that is refused, a file without journal is read as one that nobody
/// writes to; one with a journal is opened as for writing, of which nothing but the playing back is done.
SQLite::Database open_for_reading(const fs::path& file, ReadBudget& budget) {
  try {
    SQLite::Database database = connect(file.string(), SQLite::OPEN_READONLY, budget);
    static_cast<void>(database.execAndGet("SELECT count(*) FROM sqlite_master"));
    return database;
  } catch (const SQLite::Exception& error) {
    if (error.getErrorCode() != SQLITE_READONLY && error.getErrorCode() != SQLITE_CANTOPEN) throw;
  }
  if (!has_journal(file))
    return connect(uri_of(file) + "?immutable=1", SQLite::OPEN_READONLY | SQLite::OPEN_URI, budget);
  SQLite::Database database = connect(file.string(), SQLite::OPEN_READWRITE, budget);
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

/// Steps of SQLite's virtual machine before the clock is read. A step takes 20 ns, or with the largest
/// values 50 ms.
constexpr int steps_between_clocks = 100;
constexpr std::uint64_t steps_between_looks = 1'000'000;
constexpr std::chrono::milliseconds time_between_looks{500};
/// A query over a whole table takes about one step for ten bytes.
constexpr std::uint64_t most_steps_per_byte = 2;
constexpr std::uint64_t most_steps_at_least = 10'000'000;
/// Processor time, far more than reading a whole store takes.
constexpr double most_seconds_at_least = 5;
constexpr double most_seconds_per_byte = 5e-8;
/// Commands read some things more than once while they go through the points of a run.
constexpr std::uint64_t most_given_per_byte = 4;
constexpr std::uint64_t most_given_at_least = 64 << 20;

double processor_seconds_of_thread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

void ReadBudget::watch(sqlite3* database) {
  database_ = database;
  const auto progress = [](void* budget) { return static_cast<ReadBudget*>(budget)->look() ? 1 : 0; };
  sqlite3_progress_handler(database, steps_between_clocks, progress, this);
  const auto trace = [](unsigned event, void* budget, void* statement, void*) {
    auto* own = static_cast<ReadBudget*>(budget);
    auto* running = static_cast<sqlite3_stmt*>(statement);
    if (event == SQLITE_TRACE_ROW) {
      own->count(running);
    } else if (!own->others_run(running)) {
      own->given_ = 0;
      own->began_.reset();
    }
    return 0;
  };
  sqlite3_trace_v2(database, SQLITE_TRACE_STMT | SQLITE_TRACE_ROW, trace, this);
}

void ReadBudget::count(sqlite3_stmt* statement) {
  const int columns = sqlite3_data_count(statement);
  for (int i = 0; i < columns; ++i) {
    const int type = sqlite3_column_type(statement, i);
    if (type == SQLITE_TEXT || type == SQLITE_BLOB)
      given_ += static_cast<std::uint64_t>(sqlite3_column_bytes(statement, i));
  }
  if (given_ <= most_given_) return;
  most_given_ = most_given_at_least + most_given_per_byte * stored_bytes();
  if (given_ > most_given_) sqlite3_interrupt(database_);
}

bool ReadBudget::others_run(const sqlite3_stmt* statement) const {
  for (sqlite3_stmt* one = sqlite3_next_stmt(database_, nullptr); one != nullptr;
       one = sqlite3_next_stmt(database_, one)) {
    if (one != statement && sqlite3_stmt_busy(one) != 0) return true;
  }
  return false;
}

bool ReadBudget::look() {
  unseen_ += steps_between_clocks;
  const auto now = std::chrono::steady_clock::now();
  if (unseen_ < steps_between_looks && now - seen_ < time_between_looks) return false;
  seen_ = now;
  return is_spent(std::exchange(unseen_, 0));
}

bool ReadBudget::is_spent(std::uint64_t steps) {
  std::uint64_t returned = 0;
  for (sqlite3_stmt* one = sqlite3_next_stmt(database_, nullptr); one != nullptr;
       one = sqlite3_next_stmt(database_, one)) {
    if (sqlite3_stmt_readonly(one) != 0) {
      const int taken = sqlite3_stmt_status(one, SQLITE_STMTSTATUS_VM_STEP, 0);  // unsigned in SQLite
      returned = std::max<std::uint64_t>(returned, static_cast<std::uint32_t>(taken));
    } else if (sqlite3_stmt_busy(one) != 0) {
      return false;
    }
  }
  since_ = returned == returned_ ? since_ + steps : 0;
  returned_ = returned;
  const double now = processor_seconds_of_thread();
  if (!began_) began_ = now;
  const double most_seconds =
      most_seconds_at_least + most_seconds_per_byte * static_cast<double>(stored_bytes());
  if (now - *began_ > most_seconds) return true;
  // SQLite counts a query's steps in 32 bits.
  return returned_ + since_ >
         std::min<std::uint64_t>(most_steps_at_least + most_steps_per_byte * stored_bytes(), 4'000'000'000);
}

std::uint64_t ReadBudget::stored_bytes() const noexcept {
  std::uint64_t bytes = 0;
  for (const fs::path& file : files_) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    if (!error) bytes += size;
  }
  return bytes;
}

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
    auto budget = std::make_unique<ReadBudget>(absolute);
    SQLite::Database opened =
        read_only ? open_for_reading(absolute, *budget) : connect(absolute.string(), writing, *budget);
    auto impl = std::make_unique<Impl>(Impl{absolute, std::move(budget), std::move(opened)});
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
