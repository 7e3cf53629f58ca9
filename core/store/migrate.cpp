#include "store/migrate.hpp"

#include "store/tables.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <array>

namespace benchctl {

namespace {

/// A column that was added to a table.
struct AddedColumn {
  std::string_view table;
  std::string_view name;
  std::string_view type;
  std::string_view value;  ///< in rows from before
};

constexpr auto added_columns = std::to_array<AddedColumn>({
    {"points", "accesses", "REAL", "NULL"},
    {"runs", "published_json", "TEXT NOT NULL DEFAULT '[]'", "'[]'"},
    {"samples", "replicate", "INTEGER NOT NULL DEFAULT 0", "0"},
});

bool has(SQLite::Database& database, std::string_view table, std::string_view column) {
  SQLite::Statement query(database, "SELECT count(*) FROM pragma_table_info(?) WHERE name = ?");
  query.bind(1, std::string(table));
  query.bind(2, std::string(column));
  query.executeStep();
  return query.getColumn(0).getInt() > 0;
}

bool exists(SQLite::Database& database, std::string_view table) {
  SQLite::Statement query(database, "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?");
  query.bind(1, std::string(table));
  query.executeStep();
  return query.getColumn(0).getInt() > 0;
}

/// Replaces a table by one of the new form with the same rows: uniqueness cannot be altered.
void rebuild(SQLite::Database& database, const LaterTable& table) {
  std::string columns;
  SQLite::Statement query(database, "SELECT name FROM pragma_table_info(?)");
  query.bind(1, std::string(table.name));
  while (query.executeStep()) columns += (columns.empty() ? "" : ", ") + query.getColumn(0).getString();
  const std::string old = fmt::format("old_{}", table.name);
  database.exec(fmt::format("ALTER TABLE {} RENAME TO {}", table.name, old));
  database.exec(create_statement(table, false));
  database.exec(
      fmt::format("INSERT INTO {0} ({1}) SELECT {1} FROM {2} ORDER BY id", table.name, columns, old));
  database.exec(fmt::format("DROP TABLE {}", old));
}

}  // namespace

void migrate(SQLite::Database& database, int version) {
  for (const AddedColumn& column : added_columns) {
    if (has(database, column.table, column.name)) continue;
    database.exec(fmt::format("ALTER TABLE {} ADD COLUMN {} {}", column.table, column.name, column.type));
  }
  for (const LaterTable& table : later_tables()) {
    if (version >= table.version) continue;
    if (exists(database, table.name)) {
      rebuild(database, table);
    } else {
      database.exec(create_statement(table, false));
    }
  }
}

void shadow_older_tables(SQLite::Database& database) {
  for (const AddedColumn& column : added_columns) {
    if (has(database, column.table, column.name)) continue;
    database.exec(fmt::format("CREATE TEMP VIEW {0} AS SELECT *, {1} AS {2} FROM main.{0}", column.table,
                              column.value, column.name));
  }
  for (const LaterTable& table : later_tables()) {
    if (!exists(database, table.name)) database.exec(create_statement(table, true));
  }
}

}  // namespace benchctl
