// The tables of a store file and the marks by which one is known.
//
// One number, schema_version, stands for what a store means: its tables, the content keys of its points and
// the config hashes of its runs. Whoever changes one of these raises it. Other versions are refused.
#pragma once

#include <cstdint>
#include <filesystem>

namespace SQLite {
class Database;
}

namespace benchctl {

/// Kept in SQLite's user_version.
inline constexpr int schema_version = 6;
/// "BNST" in SQLite's application_id, from the first write on: what makes a file a benchctl store.
inline constexpr std::int32_t store_application_id = 0x424e5354;

/// Throws StoreError for a file that exists and is not a store, judged by its first bytes: SQLite never
/// opens it, so nothing is written beside it either.
void refuse_foreign_file(const std::filesystem::path& file);

/// Creates the tables in an empty database, and refuses one of another version.
void prepare_schema(SQLite::Database& database, const std::filesystem::path& file);
/// Throws StoreError: there is no store yet, and what makes one.
[[noreturn]] void refuse_missing_store(const std::filesystem::path& file);
/// For a connection that must not write: refuses another version.
void see_schema(SQLite::Database& database, const std::filesystem::path& file);

}  // namespace benchctl
