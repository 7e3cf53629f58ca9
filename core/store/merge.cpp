// Joining stores.
#include "store/database.hpp"
#include "store/schema.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <memory>
#include <unordered_map>

namespace benchctl {

namespace {

// What a run holds, as a hash that does not depend on the numbers that a store gives.

class Digest {
 public:
  Digest() { XXH3_128bits_reset(state_.get()); }

  /// Every column of every row, each with its type and length: no two different tables give the same bytes.
  void add_rows(SQLite::Database& database, const std::string& sql, RunId run) {
    SQLite::Statement query(database, sql);
    bind_all(query, run);
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

/// Digest of when, where and from what config a run was made: equal for the same run in two stores,
/// whatever has become of it.
std::string run_identity(SQLite::Database& database, RunId run) {
  Digest digest;
  digest.add_rows(database, fmt::format("SELECT {} FROM runs WHERE id = ?", identity_columns), run);
  return digest.text();
}

/// Digest of all that is stored of a run: points, samples, results, lanes, roofs, events. A run that says
/// `running` though its owner is dead counts as interrupted.
std::string run_digest(SQLite::Database& database, RunId run) {
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
    digest.add_rows(database,
                    fmt::format("SELECT points.ordinal, {} FROM points JOIN {} AS t ON t.point = points.id "
                                "WHERE points.run = ? ORDER BY points.ordinal, {}",
                                qualified(table.columns), table.name, qualified(table.order)),
                    run);
  }
  digest.add_rows(database, "SELECT lane, probe, per_second FROM roofs WHERE run = ? ORDER BY lane, probe",
                  run);
  digest.add_rows(database, "SELECT time, text FROM events WHERE run = ? ORDER BY id", run);
  digest.add_rows(database, "SELECT name, contents FROM run_files WHERE run = ? ORDER BY name", run);
  return digest.text();
}

/// Copies one store's runs into another, within a transaction of the latter.
class Merger {
 public:
  Merger(SQLite::Database& from, SQLite::Database& into, const std::filesystem::path& file)
      : from_(from), into_(into), file_(file.string()) {
    each_run(into_, [&](RunId run) { known_[run_identity(into_, run)].push_back(run); });
  }

  MergeOutcome merge() {
    std::vector<RunId> added;
    each_run(from_, [&](RunId run) {
      if (merge_run(run)) added.push_back(run);
    });
    for (const RunId run : added) {
      link(run);
      note_origin(run);
    }
    merge_baselines();
    return std::move(outcome_);
  }

 private:
  template <class Work>
  static void each_run(SQLite::Database& database, const Work& work) {
    std::vector<RunId> runs;
    each_row(database, "SELECT id FROM runs ORDER BY created_at, id",
             [&](Row& row) { row >> runs.emplace_back(); });
    for (const RunId run : runs) work(run);
  }

  /// True if the run was added.
  bool merge_run(RunId run) {
    std::vector<RunId>& same = known_[run_identity(from_, run)];
    const std::string digest = same.empty() ? std::string() : run_digest(from_, run);
    for (const RunId other : same) {
      if (run_digest(into_, other) != digest) continue;
      outcome_.known.push_back({run, other});
      map_points(run, other);
      return false;
    }
    const RunId copy = copy_run(run);
    outcome_.added.push_back({run, copy});
    if (!same.empty()) {
      outcome_.conflicts.push_back({run, copy});
      conflicts_[run] = same.front();
    }
    same.push_back(copy);
    return true;
  }

  /// Points of a run there and of the same run here have the same ordinals.
  void map_points(RunId run, RunId here) {
    runs_[run] = here;
    const auto each_point = [](SQLite::Database& database, RunId owner, const auto& take) {
      each_row(
          database, "SELECT ordinal, id FROM points WHERE run = ?",
          [&](Row& row) {
            std::uint64_t ordinal{};
            PointId point{};
            row >> ordinal >> point;
            take(ordinal, point);
          },
          owner);
    };
    std::unordered_map<std::uint64_t, PointId> by_ordinal;
    each_point(into_, here, [&](std::uint64_t ordinal, PointId point) { by_ordinal[ordinal] = point; });
    each_point(from_, run,
               [&](std::uint64_t ordinal, PointId point) { points_[point] = by_ordinal.at(ordinal); });
  }

  /// Writes here what a query reads there of a run. `key` says what takes the place of the first column.
  template <class Key>
  void copy_rows(RunId run, const std::string& read, const std::string& write, const Key& key) {
    SQLite::Statement query(from_, read);
    bind_all(query, run);
    SQLite::Statement insert(into_, write);
    while (query.executeStep()) {
      insert.reset();
      Binder binder(insert);
      binder << key(query.getColumn(0).getInt64());
      for (int i = 1; i < query.getColumnCount(); ++i) binder << query.getColumn(i);
      insert.exec();
    }
  }

  RunId copy_run(RunId run) {
    copy_rows(run, fmt::format("SELECT id, {} FROM runs WHERE id = ?", run_columns),
              fmt::format("INSERT INTO runs (id, {}) VALUES (?, {})", run_columns, places_for(run_columns)),
              [](std::int64_t) { return std::optional<RunId>(); });
    const RunId copy{into_.getLastInsertRowid()};
    execute(into_, "UPDATE runs SET state = 'interrupted' WHERE id = ? AND state = 'running'", copy);
    const auto copy_table = [&](std::string_view table, std::string_view columns, std::string_view order) {
      copy_rows(run, fmt::format("SELECT run, {} FROM {} WHERE run = ? ORDER BY {}", columns, table, order),
                fmt::format("INSERT INTO {} (run, {}) VALUES (?, {})", table, columns, places_for(columns)),
                [&](std::int64_t) { return copy; });
    };
    copy_table("lanes", lane_columns, "id");
    copy_table("events", "time, text", "id");
    copy_table("run_files", "name, contents", "name");
    copy_table("points", point_columns, "ordinal");
    map_points(run, copy);
    for (const PointTable& table : point_tables) {
      copy_rows(run,
                fmt::format("SELECT t.point, {} FROM points JOIN {} AS t ON t.point = points.id WHERE "
                            "points.run = ? ORDER BY points.ordinal, {}",
                            qualified(table.columns), table.name, qualified(table.order)),
                fmt::format("INSERT INTO {} (point, {}) VALUES (?, {})", table.name, table.columns,
                            places_for(table.columns)),
                [&](std::int64_t point) { return points_.at(PointId{point}); });
    }
    return copy;
  }

  /// Copies what points into other runs: only when all points are here.
  void link(RunId run) {
    copy_rows(
        run, "SELECT source, lane, probe, per_second FROM roofs WHERE run = ?",
        fmt::format("INSERT INTO roofs (source, lane, probe, per_second, run) VALUES (?, ?, ?, ?, {})",
                    to_number(runs_.at(run))),
        [&](std::int64_t source) { return points_.at(PointId{source}); });
    each_row(
        from_, "SELECT id, reused_from FROM points WHERE run = ? AND reused_from IS NOT NULL",
        [&](Row& row) {
          PointId point{};
          PointId source{};
          row >> point >> source;
          execute(into_, "UPDATE points SET reused_from = ? WHERE id = ?", points_.at(source),
                  points_.at(point));
        },
        run);
  }

  void note_origin(RunId run) {
    std::optional<RunId> conflict;
    if (const auto own = conflicts_.find(run); own != conflicts_.end()) {
      conflict = own->second;
    } else if (const auto there = first_value<RunId>(
                   from_,
                   "SELECT conflicts_with FROM merged_runs WHERE run = ? AND conflicts_with IS NOT NULL",
                   run)) {
      // What the other store knew of a conflict holds here, too.
      conflict = runs_.at(*there);
    }
    execute(
        into_,
        "INSERT INTO merged_runs (run, store, original, conflicts_with, merged_at) VALUES (?, ?, ?, ?, ?)",
        runs_.at(run), file_, run, conflict, utc_now());
  }

  /// The run that a name stands for here.
  std::optional<RunId> baseline_here(const std::string& name) {
    return first_value<RunId>(into_, "SELECT run FROM baselines WHERE name = ?", name);
  }

  void merge_baselines() {
    each_row(from_, "SELECT name, run, set_at FROM baselines ORDER BY name", [&](Row& row) {
      BaselineRow theirs;
      row >> theirs.name >> theirs.run >> theirs.set_at;
      const RunId run = runs_.at(theirs.run);
      std::string own = theirs.name;
      for (int number = 2; baseline_here(own).value_or(run) != run; ++number)
        own = fmt::format("{}.{}", theirs.name, number);
      if (own != theirs.name) outcome_.renamed_baselines[theirs.name] = own;
      if (baseline_here(own)) return;
      execute(into_, "INSERT INTO baselines (name, run, set_at) VALUES (?, ?, ?)", own, run, theirs.set_at);
    });
  }

  SQLite::Database& from_;
  SQLite::Database& into_;
  std::string file_;
  std::unordered_map<std::string, std::vector<RunId>> known_;  ///< runs here by identity
  std::unordered_map<RunId, RunId> runs_;                      ///< theirs to ours
  std::unordered_map<PointId, PointId> points_;                ///< theirs to ours
  std::unordered_map<RunId, RunId> conflicts_;                 ///< their run to one that was here
  MergeOutcome outcome_;
};

}  // namespace

MergeOutcome Store::merge(const Store& from) {
  for (const RunRow& run : from.runs()) {
    if (state_now(run) != RunState::running) continue;
    throw StoreError(
        fmt::format("run {} of the store '{}' is still being measured: merge it when it has ended",
                    to_number(run.id), from.path()));
  }
  return impl_->write("merge into", [&](SQLite::Database& database) {
    // One moment of the other store, one transaction here: all of it or nothing.
    const SQLite::Transaction snapshot(from.impl_->database);
    return Merger(from.impl_->database, database, from.path()).merge();
  });
}

std::vector<MergedRun> Store::merged_runs() const {
  return impl_->list<MergedRun>(
      "SELECT run, store, original, conflicts_with, merged_at FROM merged_runs ORDER BY run",
      [](Row& row, MergedRun& run) {
        row >> run.run >> run.store >> run.original >> run.conflicts_with >> run.merged_at;
      });
}

}  // namespace benchctl
