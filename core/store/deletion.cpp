// Taking whole runs, or their samples, out of a store.
#include "store/database.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace benchctl {

namespace {

/// Tables that say something of a point, and of a run; in an order in which nothing refers to what is gone.
constexpr auto tables_of_points = std::to_array<std::string_view>(
    {"comparisons", "samples", "notes", "resources", "verifications", "measurements"});
constexpr auto tables_of_runs =
    std::to_array<std::string_view>({"roofs", "run_files", "merged_runs", "events", "points", "lanes"});

std::int64_t to_integer(SQLite::Database& database, std::string_view sql, RunId run) {
  SQLite::Statement query(database, std::string(sql));
  Binder(query) << run;
  return query.executeStep() ? query.getColumn(0).getInt64() : 0;
}

void execute(SQLite::Database& database, const std::string& sql, RunId run) {
  SQLite::Statement statement(database, sql);
  Binder(statement) << run;
  statement.exec();
}

}  // namespace

void Store::delete_runs(std::span<const RunId> runs) {
  guarded(impl_->file, "delete runs from", [&] {
    SQLite::Database& database = impl_->database;
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    for (const RunId id : runs) {
      const std::optional<RunRow> row = run(id);
      if (!row) continue;  // named twice
      const auto refuse = [&](const std::string& why) {
        throw StoreError(fmt::format("no run was deleted, because of run {}: {}", to_number(id), why));
      };
      if (state_now(*row) == RunState::running) refuse("it is being measured");
      for (const BaselineRow& baseline : baselines()) {
        if (baseline.run != id) continue;
        refuse(
            fmt::format("it is the baseline '{0}'; `benchctl runs baseline {0} --remove` removes the name",
                        baseline.name));
      }
      execute(
          database,
          "UPDATE points SET reused_from = NULL WHERE reused_from IN (SELECT id FROM points WHERE run = "
          "?)",
          id);
      execute(database, "UPDATE merged_runs SET conflicts_with = NULL WHERE conflicts_with = ?", id);
      for (const std::string_view table : tables_of_points) {
        execute(database,
                fmt::format("DELETE FROM {} WHERE point IN (SELECT id FROM points WHERE run = ?)", table),
                id);
      }
      execute(database, "DELETE FROM roofs WHERE run = ?", id);
      if (const std::int64_t user = to_integer(
              database,
              "SELECT roofs.run FROM roofs JOIN points ON points.id = roofs.source WHERE points.run = ?",
              id);
          user != 0) {
        refuse(fmt::format(
            "run {} uses the roofs that it measured; delete that one, too, and name it first", user));
      }
      for (const std::string_view table : tables_of_runs) {
        execute(database, fmt::format("DELETE FROM {} WHERE run = ?", table), id);
      }
      execute(database, "DELETE FROM runs WHERE id = ?", id);
    }
    transaction.commit();
  });
}

PruneOutcome Store::prune_samples(std::span<const RunId> runs) {
  return guarded(impl_->file, "prune", [&] {
    PruneOutcome outcome;
    SQLite::Database& database = impl_->database;
    const auto bytes = [&] {
      return static_cast<std::uint64_t>(database.execAndGet("PRAGMA page_count").getInt64() *
                                        database.execAndGet("PRAGMA page_size").getInt64());
    };
    const std::uint64_t before = bytes();
    {
      SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
      const std::string now = utc_now();
      for (const RunId id : runs) {
        const std::optional<RunRow> row = run(id);
        if (!row || row->state != RunState::complete) {
          throw StoreError(
              fmt::format("nothing was dropped: run {} is not complete, and continuing it needs its "
                          "samples",
                          to_number(id)));
        }
        SQLite::Statement note(
            database,
            "INSERT OR REPLACE INTO notes (point, key, text) SELECT point, ?, printf('%d samples in %d "
            "blocks "
            "were dropped on request at %s', sum(length(ns) / 8), count(*), ?) FROM samples WHERE point IN "
            "(SELECT id FROM points WHERE run = ? AND finished = 1) GROUP BY point");
        Binder(note) << pruned_note << now << id;
        outcome.points += static_cast<std::uint64_t>(note.exec());
        outcome.samples +=
            static_cast<std::uint64_t>(to_integer(database,
                                                  "SELECT coalesce(sum(length(ns) / 8), 0) FROM samples "
                                                  "WHERE point IN (SELECT id FROM points WHERE "
                                                  "run = ?)",
                                                  id));
        execute(database, "DELETE FROM samples WHERE point IN (SELECT id FROM points WHERE run = ?)", id);
      }
      transaction.commit();
    }
    database.exec("VACUUM");
    const std::uint64_t after = bytes();
    outcome.bytes = before > after ? before - after : 0;
    return outcome;
  });
}

void Store::remove(const std::filesystem::path& file) {
  for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + end);
}

void Store::back_up(const std::filesystem::path& copy) const {
  if (std::filesystem::exists(copy))
    throw StoreError(fmt::format("'{}' exists: a copy does not overwrite a file", copy.string()));
  guarded(impl_->file, "copy", [&] {
    SQLite::Statement statement(impl_->database, "VACUUM INTO ?");
    statement.bind(1, copy.string());
    statement.exec();
  });
}

}  // namespace benchctl
