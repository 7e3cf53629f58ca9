// Stores of older schema versions. For core/store/*.cpp only.
#pragma once

namespace SQLite {
class Database;
}

namespace benchctl {

/// The oldest version that can be read.
inline constexpr int oldest_schema_version = 1;

/// Brings a database of an older version to schema_version. Call inside a transaction.
void migrate(SQLite::Database& database, int version);

/// Lets this connection see a database of an older version as one of schema_version, without a change to
/// the file: temporary views stand before tables that have got columns since, temporary tables for those
/// that it lacks.
void shadow_older_tables(SQLite::Database& database);

}  // namespace benchctl
