#include "store/schema.hpp"

#include "store/store.hpp"
#include "store/tables.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>

#include <array>
#include <fstream>
#include <string_view>

namespace benchctl {

namespace {

// The database header of SQLite's file format: magic, then application_id at byte 68, big-endian.
constexpr std::string_view sqlite_magic{"SQLite format 3\0", 16};
constexpr std::size_t application_id_offset = 68;

[[noreturn]] void refuse(const std::filesystem::path& file, std::string_view what) {
  throw StoreError(
      fmt::format("'{}' is not a benchctl store but {}; it was not changed. Name another file with --db",
                  file.string(), what));
}

}  // namespace

void refuse_foreign_file(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) return;
  if (std::filesystem::is_directory(status)) refuse(file, "a folder");
  if (!std::filesystem::is_regular_file(status)) refuse(file, "no regular file");
  std::array<char, 100> header{};
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw StoreError(
        fmt::format("cannot read the store '{}': check its permissions, or name another file "
                    "with --db",
                    file.string()));
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

namespace {

int version_of(SQLite::Database& database) { return database.execAndGet("PRAGMA user_version").getInt(); }

void refuse_other_version(int version, const std::filesystem::path& file) {
  if (version == schema_version) return;
  throw StoreError(fmt::format(
      "the store '{}' has schema version {}; this benchctl ({}) reads version {} only. {}", file.string(),
      version, BENCHCTL_VERSION, schema_version,
      version > schema_version || version < 1
          ? "Use the benchctl that wrote it, or name another file with --db"
          : "Export its runs with the benchctl that wrote it, and name another file with --db"));
}

void mark(SQLite::Database& database) {
  database.exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", store_application_id,
                            schema_version));
}

/// Does it hold no table at all, as before its maker had come to them?
bool is_empty(SQLite::Database& database) {
  return database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
}

}  // namespace

void refuse_missing_store(const std::filesystem::path& file) {
  throw StoreError(fmt::format(
      "there is no store '{}' yet: `benchctl run` makes it; name another file with --db", file.string()));
}

void see_schema(SQLite::Database& database, const std::filesystem::path& file) {
  const int version = version_of(database);
  if (version == 0 && is_empty(database)) refuse_missing_store(file);
  refuse_other_version(version, file);
}

void prepare_schema(SQLite::Database& database, const std::filesystem::path& file) {
  if (version_of(database) < schema_version) {
    // The marks and the tables come in one transaction, and before the switch to WAL: they are in the
    // file itself from the first moment that it holds anything.
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    // Another process may have been quicker.
    const int version = version_of(database);
    if (version == 0 && is_empty(database)) {
      database.exec(create_all_tables());
    } else {
      refuse_other_version(version, file);
    }
    mark(database);
    transaction.commit();
  }
  refuse_other_version(version_of(database), file);
  database.exec("PRAGMA journal_mode = WAL");
}

}  // namespace benchctl
