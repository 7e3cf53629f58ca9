// The tables of a store file and the marks by which one is known.
//
// One number, schema_version, stands for what a store means: its tables, the content keys of its points and
// the config hashes of its runs. To change one of these:
//  1. Raise schema_version.
//  2. Tables: give the new form its version in tables.cpp, list added columns in migrate.cpp. Keys and
//     hashes: nothing, older ones are found no more. If an older key could stand for another point, clear
//     it in `migrate`.
//  3. Build and run `tests/store/versions/make build/release`. It writes the dump of the new version. Dumps
//     never change after that.
//  4. Say in tests/store/versions_test.cpp what the dump holds. Put the new key into
//     tests/engine/content_key_test.cpp.
#pragma once

#include <cstdint>
#include <filesystem>

namespace SQLite {
class Database;
}

namespace benchctl {

/// Kept in SQLite's user_version.
inline constexpr int schema_version = 5;
/// "BNST" in SQLite's application_id, from the first write on: what makes a file a benchctl store.
inline constexpr std::int32_t store_application_id = 0x424e5354;

/// Throws StoreError for a file that exists and is no store, judged by its first bytes: SQLite never
/// opens it, so nothing is written beside it either.
void refuse_foreign_file(const std::filesystem::path& file);

/// Creates the tables in an empty database, brings one of an older version up to this one, and refuses one
/// of a newer.
void prepare_schema(SQLite::Database& database, const std::filesystem::path& file);
/// Throws StoreError: there is no store yet, and what makes one.
[[noreturn]] void refuse_missing_store(const std::filesystem::path& file);
/// For a connection that must not write: sees an older version as this one (core/store/migrate.hpp),
/// refuses a newer.
void see_schema(SQLite::Database& database, const std::filesystem::path& file);

}  // namespace benchctl
