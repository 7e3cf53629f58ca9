// Joining stores.
#include "store/run_digest.hpp"
#include "store/run_tables.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <unordered_map>

namespace benchctl {

namespace {

/// Binds a column as what it is.
void bind_as_is(SQLite::Statement& statement, int place, const SQLite::Column& column) {
  switch (column.getType()) {
    case SQLITE_INTEGER:
      return statement.bind(place, std::int64_t{column.getInt64()});
    case SQLITE_FLOAT:
      return statement.bind(place, column.getDouble());
    case SQLITE_TEXT:
      return statement.bind(place, column.getString());
    case SQLITE_BLOB:
      return statement.bind(place, column.getBlob(), column.getBytes());
    default:
      return statement.bind(place);
  }
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
    // Only now that all points are here: they point into other runs.
    for (const RunId run : added) {
      link_points(run);
      copy_roofs(run);
      note_origin(run);
    }
    merge_baselines();
    return std::move(outcome_);
  }

 private:
  template <class Work>
  static void each_run(SQLite::Database& database, const Work& work) {
    std::vector<RunId> runs;
    SQLite::Statement query(database, "SELECT id FROM runs ORDER BY created_at, id");
    while (query.executeStep()) runs.push_back(RunId{query.getColumn(0).getInt64()});
    for (const RunId run : runs) work(run);
  }

  /// True if the run was added.
  bool merge_run(RunId run) {
    std::vector<RunId>& same = known_[run_identity(from_, run)];
    const std::string digest = same.empty() ? std::string() : run_digest(from_, run);
    for (const RunId other : same) {
      if (run_digest(into_, other) != digest && !is_pruned_copy(run, other)) continue;
      outcome_.known.push_back({run, other});
      map_points(run, other);
      return false;
    }
    const RunId copy = copy_run(run);
    outcome_.added.push_back({run, copy});
    if (!same.empty()) {
      outcome_.conflicts.push_back({run, copy});
      conflicts_[to_number(run)] = same.front();
    }
    same.push_back(copy);
    return true;
  }

  /// The same run, of which one store has dropped samples?
  bool is_pruned_copy(RunId run, RunId other) {
    return (is_pruned(from_, run) || is_pruned(into_, other)) &&
           run_digest(from_, run, false) == run_digest(into_, other, false);
  }

  void map_points(RunId run, RunId other) {
    runs_[to_number(run)] = other;
    std::unordered_map<std::int64_t, std::int64_t> by_ordinal;
    SQLite::Statement theirs(into_, "SELECT ordinal, id FROM points WHERE run = ?");
    Binder(theirs) << other;
    while (theirs.executeStep())
      by_ordinal[theirs.getColumn(0).getInt64()] = theirs.getColumn(1).getInt64();
    SQLite::Statement ours(from_, "SELECT ordinal, id FROM points WHERE run = ?");
    Binder(ours) << run;
    while (ours.executeStep())
      points_[ours.getColumn(1).getInt64()] = by_ordinal.at(ours.getColumn(0).getInt64());
  }

  RunId copy_run(RunId run) {
    SQLite::Statement row(from_, fmt::format("SELECT {} FROM runs WHERE id = ?", run_columns_to_copy));
    Binder(row) << run;
    SQLite::Statement insert(into_, fmt::format("INSERT INTO runs ({}) VALUES ({})", run_columns_to_copy,
                                                places_for(run_columns_to_copy)));
    row.executeStep();
    for (int i = 0; i < row.getColumnCount(); ++i) bind_as_is(insert, i + 1, row.getColumn(i));
    insert.exec();
    const RunId copy{into_.getLastInsertRowid()};
    runs_[to_number(run)] = copy;
    // Its owner is dead, and may be of another machine where somebody else has that number.
    SQLite::Statement settle(into_,
                             "UPDATE runs SET state = 'interrupted' WHERE id = ? AND state = 'running'");
    Binder(settle) << copy;
    settle.exec();
    copy_rows("lanes", "run", lane_columns, "id", to_number(run), to_number(copy));
    copy_rows("events", "run", "time, text", "id", to_number(run), to_number(copy));
    copy_rows("run_files", "run", "name, contents", "name", to_number(run), to_number(copy));
    copy_points(run, copy);
    return copy;
  }

  /// Rows of a table that belong to `owner`, which is called `new_owner` here.
  void copy_rows(std::string_view table, std::string_view owner_column, std::string_view columns,
                 std::string_view order, std::int64_t owner, std::int64_t new_owner) {
    SQLite::Statement query(from_, fmt::format("SELECT {} FROM {} WHERE {} = ? ORDER BY {}", columns, table,
                                               owner_column, order));
    query.bind(1, owner);
    SQLite::Statement insert(into_, fmt::format("INSERT INTO {} ({}, {}) VALUES (?, {})", table,
                                                owner_column, columns, places_for(columns)));
    while (query.executeStep()) {
      insert.bind(1, new_owner);
      for (int i = 0; i < query.getColumnCount(); ++i) bind_as_is(insert, i + 2, query.getColumn(i));
      insert.exec();
      insert.reset();
    }
  }

  void copy_points(RunId run, RunId copy) {
    SQLite::Statement query(
        from_, fmt::format("SELECT id, {} FROM points WHERE run = ? ORDER BY ordinal", point_columns));
    Binder(query) << run;
    SQLite::Statement insert(into_, fmt::format("INSERT INTO points (run, {}) VALUES (?, {})",
                                                point_columns, places_for(point_columns)));
    while (query.executeStep()) {
      insert.bind(1, to_number(copy));
      for (int i = 1; i < query.getColumnCount(); ++i) bind_as_is(insert, i + 1, query.getColumn(i));
      insert.exec();
      insert.reset();
      points_[query.getColumn(0).getInt64()] = into_.getLastInsertRowid();
    }
    for (const PointTable& table : point_tables) copy_point_rows(run, table);
  }

  void copy_point_rows(RunId run, const PointTable& table) {
    SQLite::Statement query(
        from_,
        fmt::format(
            "SELECT t.point, {} FROM points JOIN {} AS t ON t.point = points.id WHERE points.run = ? "
            "ORDER BY points.ordinal, {}",
            qualified(table.columns), table.name, qualified(table.order)));
    Binder(query) << run;
    SQLite::Statement insert(into_, fmt::format("INSERT INTO {} (point, {}) VALUES (?, {})", table.name,
                                                table.columns, places_for(table.columns)));
    while (query.executeStep()) {
      insert.bind(1, points_.at(query.getColumn(0).getInt64()));
      for (int i = 1; i < query.getColumnCount(); ++i) bind_as_is(insert, i + 1, query.getColumn(i));
      insert.exec();
      insert.reset();
    }
  }

  void link_points(RunId run) {
    SQLite::Statement query(from_,
                            "SELECT id, reused_from FROM points WHERE run = ? AND reused_from IS NOT NULL");
    Binder(query) << run;
    SQLite::Statement update(into_, "UPDATE points SET reused_from = ? WHERE id = ?");
    while (query.executeStep()) {
      update.bind(1, points_.at(query.getColumn(1).getInt64()));
      update.bind(2, points_.at(query.getColumn(0).getInt64()));
      update.exec();
      update.reset();
    }
  }

  void copy_roofs(RunId run) {
    SQLite::Statement query(from_, "SELECT lane, probe, per_second, source FROM roofs WHERE run = ?");
    Binder(query) << run;
    SQLite::Statement insert(
        into_, "INSERT INTO roofs (run, lane, probe, per_second, source) VALUES (?, ?, ?, ?, ?)");
    while (query.executeStep()) {
      insert.bind(1, to_number(runs_.at(to_number(run))));
      for (int i = 0; i < 3; ++i) bind_as_is(insert, i + 2, query.getColumn(i));
      insert.bind(5, points_.at(query.getColumn(3).getInt64()));
      insert.exec();
      insert.reset();
    }
  }

  void note_origin(RunId run) {
    // What the other store knew of a conflict holds here, too.
    std::optional<RunId> conflict;
    if (const auto own = conflicts_.find(to_number(run)); own != conflicts_.end()) {
      conflict = own->second;
    } else {
      SQLite::Statement query(
          from_, "SELECT conflicts_with FROM merged_runs WHERE run = ? AND conflicts_with IS NOT NULL");
      Binder(query) << run;
      if (query.executeStep()) conflict = runs_.at(query.getColumn(0).getInt64());
    }
    SQLite::Statement insert(into_,
                             "INSERT INTO merged_runs (run, store, original, conflicts_with, merged_at) "
                             "VALUES (?, ?, ?, ?, ?)");
    Binder(insert) << runs_.at(to_number(run)) << file_ << run;
    if (conflict) insert.bind(4, to_number(*conflict));
    insert.bind(5, utc_now());
    insert.exec();
  }

  /// The run that a name stands for here.
  std::optional<RunId> baseline_here(const std::string& name) {
    SQLite::Statement query(into_, "SELECT run FROM baselines WHERE name = ?");
    Binder(query) << name;
    if (!query.executeStep()) return std::nullopt;
    return RunId{query.getColumn(0).getInt64()};
  }

  void merge_baselines() {
    SQLite::Statement query(from_, "SELECT name, run, set_at FROM baselines ORDER BY name");
    SQLite::Statement insert(into_, "INSERT INTO baselines (name, run, set_at) VALUES (?, ?, ?)");
    while (query.executeStep()) {
      const std::string name = query.getColumn(0).getString();
      const RunId run = runs_.at(query.getColumn(1).getInt64());
      std::string own = name;
      for (int number = 2; baseline_here(own).value_or(run) != run; ++number)
        own = fmt::format("{}.{}", name, number);
      if (own != name) outcome_.renamed_baselines[name] = own;
      if (baseline_here(own)) continue;
      Binder(insert) << own << run << query.getColumn(2).getString();
      insert.exec();
      insert.reset();
    }
  }

  SQLite::Database& from_;
  SQLite::Database& into_;
  std::string file_;
  std::unordered_map<std::string, std::vector<RunId>> known_;  ///< runs here by identity
  std::unordered_map<std::int64_t, RunId> runs_;               ///< theirs to ours
  std::unordered_map<std::int64_t, std::int64_t> points_;      ///< theirs to ours
  std::unordered_map<std::int64_t, RunId> conflicts_;          ///< their run to one that was here
  MergeOutcome outcome_;
};

}  // namespace

MergeOutcome Store::merge(const Store& from) {
  for (const RunRow& run : from.runs()) {
    if (state_now(run) != RunState::running) continue;
    throw StoreError(
        fmt::format("run {} of the store '{}' is still being measured: merge it when it has ended",
                    to_number(run.id), from.path().string()));
  }
  return guarded(impl_->file, "merge into", [&] {
    // One moment of the other store, one transaction here: all of it or nothing.
    SQLite::Transaction snapshot(from.impl_->database);
    SQLite::Transaction transaction(impl_->database, SQLite::TransactionBehavior::IMMEDIATE);
    MergeOutcome outcome = Merger(from.impl_->database, impl_->database, from.path()).merge();
    transaction.commit();
    return outcome;
  });
}

std::vector<MergedRun> Store::merged_runs() const {
  return guarded(impl_->file, "read", [&] {
    std::vector<MergedRun> merged;
    SQLite::Statement query(
        impl_->database,
        "SELECT run, store, original, merged_at, conflicts_with FROM merged_runs ORDER BY run");
    while (query.executeStep()) {
      MergedRun& run = merged.emplace_back();
      Row row(query);
      row >> run.run >> run.store >> run.original >> run.merged_at;
      if (const SQLite::Column conflict = row.next(); !conflict.isNull())
        run.conflicts_with = RunId{conflict.getInt64()};
    }
    return merged;
  });
}

}  // namespace benchctl
