#include "store/run_digest.hpp"

#include "store/run_tables.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <xxhash.h>

#include <memory>

namespace benchctl {

namespace {

class Digest {
 public:
  Digest() { XXH3_128bits_reset(state_.get()); }

  /// Every column of every row, each with its type and length: no two different tables give the same bytes.
  void add_rows(SQLite::Database& database, const std::string& sql, RunId run) {
    SQLite::Statement query(database, sql);
    Binder(query) << run;
    while (query.executeStep()) {
      for (int i = 0; i < query.getColumnCount(); ++i) add(query.getColumn(i));
    }
    add_bytes("end", 3);
  }
  [[nodiscard]] std::string text() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  }

 private:
  void add(const SQLite::Column& column) {
    const int type = column.getType();
    const std::string bytes = column.getString();
    const std::size_t size = bytes.size();
    add_bytes(&type, sizeof type);
    if (type == SQLITE_FLOAT) {  // as text it has fewer digits
      const double number = column.getDouble();
      add_bytes(&number, sizeof number);
      return;
    }
    add_bytes(&size, sizeof size);
    add_bytes(bytes.data(), size);
  }
  void add_bytes(const void* bytes, std::size_t size) { XXH3_128bits_update(state_.get(), bytes, size); }

  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> state_{XXH3_createState()};
};

/// Columns by which a run is the same in every store.
constexpr std::string_view identity_columns =
    "created_at, name, title, config_hash, config_text, command, version, seed, environment_json";

}  // namespace

std::string run_identity(SQLite::Database& database, RunId run) {
  Digest digest;
  digest.add_rows(database, fmt::format("SELECT {} FROM runs WHERE id = ?", identity_columns), run);
  return digest.text();
}

bool is_pruned(SQLite::Database& database, RunId run) {
  SQLite::Statement query(
      database,
      "SELECT 1 FROM points JOIN notes ON notes.point = points.id WHERE points.run = ? AND "
      "notes.key = ? LIMIT 1");
  Binder(query) << run << pruned_note;
  return query.executeStep();
}

std::string run_digest(SQLite::Database& database, RunId run, bool samples) {
  Digest digest;
  digest.add_rows(
      database,
      fmt::format("SELECT {}, published_json, finished_at, state = 'complete' FROM runs WHERE id = ?",
                  identity_columns),
      run);
  digest.add_rows(database, fmt::format("SELECT {} FROM lanes WHERE run = ? ORDER BY id", lane_columns),
                  run);
  digest.add_rows(database,
                  fmt::format("SELECT {}, reused_from IS NULL FROM points WHERE run = ? ORDER BY ordinal",
                              point_columns),
                  run);
  for (const PointTable& table : point_tables) {
    if (!samples && table.name == samples_table.name) continue;
    const bool notes = !samples && table.name == notes_table.name;
    digest.add_rows(
        database,
        fmt::format("SELECT points.ordinal, {} FROM points JOIN {} AS t ON t.point = points.id WHERE "
                    "points.run = ?{} ORDER BY points.ordinal, {}",
                    qualified(table.columns), table.name,
                    notes ? fmt::format(" AND t.key <> '{}'", pruned_note) : "", qualified(table.order)),
        run);
  }
  digest.add_rows(database, "SELECT lane, probe, per_second FROM roofs WHERE run = ? ORDER BY lane, probe",
                  run);
  digest.add_rows(database, "SELECT time, text FROM events WHERE run = ? ORDER BY id", run);
  digest.add_rows(database, "SELECT name, contents FROM run_files WHERE run = ? ORDER BY name", run);
  return digest.text();
}

}  // namespace benchctl
