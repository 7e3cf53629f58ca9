#include "store/schema.hpp"

#include "store/database.hpp"

#include <fmt/format.h>

#include <fstream>

namespace benchctl {

namespace {

// Text columns that end in `_json` hold JSON; `ns` holds little-endian float64. A NaN is NULL.
constexpr std::string_view all_tables = R"sql(
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  question TEXT NOT NULL,
  config_text TEXT NOT NULL,
  config_hash TEXT NOT NULL,
  command TEXT NOT NULL,
  version TEXT NOT NULL,
  seed INTEGER NOT NULL,
  environment_json TEXT NOT NULL,
  published_json TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'interrupted', 'complete')),
  created_at TEXT NOT NULL,
  finished_at TEXT NOT NULL,
  placed_at TEXT NOT NULL
) STRICT;
CREATE INDEX runs_by_config ON runs (config_hash);

CREATE TABLE lanes (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs,
  name TEXT NOT NULL,
  backend TEXT NOT NULL,
  device_json TEXT NOT NULL,
  UNIQUE (run, name)
) STRICT;

CREATE TABLE points (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs,
  ordinal INTEGER NOT NULL,
  sweep INTEGER NOT NULL,
  label TEXT NOT NULL,
  apart TEXT NOT NULL,
  workload TEXT NOT NULL,
  variant TEXT NOT NULL,
  backend TEXT NOT NULL,
  device TEXT NOT NULL,
  problem_json TEXT NOT NULL,
  layout TEXT NOT NULL,
  tunables_json TEXT NOT NULL,
  measure_json TEXT NOT NULL,
  time_basis TEXT NOT NULL,
  expect TEXT NOT NULL,
  content_key TEXT NOT NULL,
  vendor INTEGER NOT NULL,
  flops REAL,
  bytes_read REAL,
  bytes_written REAL,
  accesses REAL,
  status TEXT NOT NULL,
  reason TEXT NOT NULL,
  finished INTEGER NOT NULL,
  reused_from INTEGER REFERENCES points,
  UNIQUE (run, ordinal)
) STRICT;
CREATE INDEX points_by_content ON points (content_key) WHERE finished = 1 AND status = 'ok';

CREATE TABLE measurements (
  point INTEGER PRIMARY KEY REFERENCES points,
  n_samples INTEGER NOT NULL,
  batch INTEGER NOT NULL,
  gated INTEGER NOT NULL,
  median_ns REAL, ci_low_ns REAL, ci_high_ns REAL,
  min_ns REAL, max_ns REAL, mean_ns REAL, mad_ns REAL,
  p5_ns REAL, p25_ns REAL, p75_ns REAL, p95_ns REAL,
  warmup_ns REAL,
  processes INTEGER NOT NULL,
  stop TEXT NOT NULL,
  note TEXT NOT NULL
) STRICT;

CREATE TABLE verifications (
  point INTEGER NOT NULL REFERENCES points,
  phase TEXT NOT NULL CHECK (phase IN ('before', 'after')),
  ok INTEGER NOT NULL,
  reason TEXT NOT NULL,
  error_norm REAL, tolerance_norm REAL,
  worst_error REAL, worst_tolerance REAL,
  worst_element TEXT NOT NULL,
  checked INTEGER NOT NULL,
  not_a_number INTEGER NOT NULL,
  guard_bytes_changed INTEGER NOT NULL,
  PRIMARY KEY (point, phase)
) STRICT, WITHOUT ROWID;

CREATE TABLE resources (
  point INTEGER NOT NULL REFERENCES points,
  metric TEXT NOT NULL,
  value REAL,
  PRIMARY KEY (point, metric)
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (
  point INTEGER NOT NULL REFERENCES points,
  key TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (point, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs,
  time TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE roofs (
  run INTEGER NOT NULL REFERENCES runs,
  lane TEXT NOT NULL,
  probe TEXT NOT NULL,
  per_second REAL NOT NULL,
  source INTEGER NOT NULL REFERENCES points,
  PRIMARY KEY (run, lane, probe)
) STRICT, WITHOUT ROWID;

CREATE TABLE samples (
  id INTEGER PRIMARY KEY,
  point INTEGER NOT NULL REFERENCES points,
  session INTEGER NOT NULL,
  replicate INTEGER NOT NULL,
  round INTEGER NOT NULL,
  batch INTEGER NOT NULL,
  gated INTEGER NOT NULL,
  ns BLOB NOT NULL,
  readings_json TEXT NOT NULL,
  note TEXT NOT NULL,
  used INTEGER NOT NULL,
  stored_at TEXT NOT NULL,
  UNIQUE (point, session, replicate, round)
) STRICT;

CREATE TABLE comparisons (
  point INTEGER NOT NULL REFERENCES points,
  against TEXT NOT NULL,
  other INTEGER NOT NULL,
  label TEXT NOT NULL,
  rounds INTEGER NOT NULL,
  time_ratio REAL, ci_low REAL, ci_high REAL,
  comparisons INTEGER NOT NULL,
  threshold REAL NOT NULL,
  verdict TEXT NOT NULL,
  PRIMARY KEY (point, against)
) STRICT, WITHOUT ROWID;

CREATE TABLE baselines (
  name TEXT PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs,
  set_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE run_files (
  run INTEGER NOT NULL REFERENCES runs,
  name TEXT NOT NULL,
  contents BLOB NOT NULL,
  PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE merged_runs (
  run INTEGER PRIMARY KEY REFERENCES runs,
  store TEXT NOT NULL,
  original INTEGER NOT NULL,
  conflicts_with INTEGER REFERENCES runs,
  merged_at TEXT NOT NULL
) STRICT;
)sql";

// The database header of SQLite's file format: magic, then application_id at byte 68, big-endian.
constexpr std::string_view sqlite_magic{"SQLite format 3\0", 16};
constexpr std::size_t application_id_offset = 68;

[[noreturn]] void refuse(const std::filesystem::path& file, std::string_view what) {
  throw StoreError(fmt::format(
      "'{}' is not a benchctl store but {}; it was not changed. Name another file with --db", file, what));
}

int version_of(SQLite::Database& database) { return database.execAndGet("PRAGMA user_version").getInt(); }

void refuse_other_version(int version, const std::filesystem::path& file) {
  if (version == schema_version) return;
  throw StoreError(fmt::format(
      "the store '{}' has schema version {}; this benchctl ({}) reads version {} only. {}", file, version,
      BENCHCTL_VERSION, schema_version,
      version > schema_version || version < 1
          ? "Use the benchctl that wrote it, or name another file with --db"
          : "Export its runs with the benchctl that wrote it, and name another file with --db"));
}

/// Does it hold no table at all, as before its maker had come to them?
bool is_empty(SQLite::Database& database) {
  return database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
}

/// A store is data: a view, a trigger or a computed column would be a program of whoever made the file.
void refuse_other_contents(SQLite::Database& database, const std::filesystem::path& file) {
  SQLite::Statement query(database, "SELECT type, name, ifnull(sql, '') FROM sqlite_master");
  while (query.executeStep()) {
    const std::string type = query.getColumn(0).getString();
    const std::string name = query.getColumn(1).getString();
    const std::string sql = query.getColumn(2).getString();
    const bool ours = sql.empty() ? type == "index" && name.starts_with("sqlite_autoindex_")
                                  : all_tables.find(sql + ';') != std::string_view::npos;
    if (!ours) refuse(file, fmt::format("a database with the {} '{}' that no store has", type, name));
  }
}

/// So large a store is opened without reading all of it: 10 MiB, which take 50 ms.
constexpr int most_checked_pages = 2560;

/// Pages that refer to one another in circles would never be read to their end.
void refuse_damage(SQLite::Database& database, const std::filesystem::path& file) {
  if (database.execAndGet("PRAGMA page_count").getInt() > most_checked_pages) return;
  const std::string found = database.execAndGet("PRAGMA quick_check(1)").getString();
  if (found != "ok")
    throw StoreError(explain_sqlite(SQLITE_CORRUPT, found.substr(found.rfind('\n') + 1), "open", file));
}

}  // namespace

void refuse_foreign_file(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) return;
  if (std::filesystem::is_directory(status)) refuse(file, "a folder");
  if (!std::filesystem::is_regular_file(status)) refuse(file, "a device, pipe or socket");
  std::array<char, 100> header{};
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw StoreError(fmt::format(
        "cannot read the store '{}': check its permissions, or name another file with --db", file));
  }
  stream.read(header.data(), header.size());
  const auto length = static_cast<std::size_t>(stream.gcount());
  if (length == 0) return;  // a store whose creation was interrupted, or an empty file to fill
  const std::string_view bytes{header.data(), length};
  if (!bytes.starts_with(sqlite_magic) || length < header.size()) refuse(file, "a file of another kind");
  std::uint32_t application_id{};
  for (std::size_t i = 0; i < 4; ++i) {
    application_id = application_id << 8 | static_cast<unsigned char>(bytes[application_id_offset + i]);
  }
  if (application_id != static_cast<std::uint32_t>(store_application_id)) {
    refuse(file, "an SQLite database of another program");
  }
}

void refuse_missing_store(const std::filesystem::path& file) {
  throw StoreError(fmt::format(
      "there is no store '{}' yet: `benchctl run` makes it; name another file with --db", file));
}

void see_schema(SQLite::Database& database, const std::filesystem::path& file) {
  const int version = version_of(database);
  if (version == 0 && is_empty(database)) refuse_missing_store(file);
  refuse_other_version(version, file);
  refuse_other_contents(database, file);
  refuse_damage(database, file);
}

void prepare_schema(SQLite::Database& database, const std::filesystem::path& file) {
  if (version_of(database) < schema_version) {
    // The marks and the tables come in one transaction, and before the switch to WAL: they are in the
    // file itself from the first moment that it holds anything.
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    // Another process may have been quicker.
    const int version = version_of(database);
    if (version == 0 && is_empty(database)) {
      database.exec(fmt::format("{}PRAGMA application_id = {}; PRAGMA user_version = {};", all_tables,
                                store_application_id, schema_version));
    } else {
      refuse_other_version(version, file);
    }
    transaction.commit();
  }
  refuse_other_version(version_of(database), file);
  refuse_other_contents(database, file);
  refuse_damage(database, file);
  database.exec("PRAGMA journal_mode = WAL");
}

}  // namespace benchctl
