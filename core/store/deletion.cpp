// Taking whole runs, or their samples, out of a store.
#include "store/database.hpp"
#include "store/schema.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace benchctl {

namespace {

/// Tables that say something of a run; in an order in which nothing refers to what is gone.
constexpr auto tables_of_runs =
    std::to_array<std::string_view>({"roofs", "run_files", "merged_runs", "events", "points", "lanes"});

}  // namespace

void Store::delete_runs(std::span<const RunId> runs) {
  impl_->write("delete runs from", [&](SQLite::Database& database) {
    for (const RunId id : runs) {
      const std::optional<RunRow> row = run(id);
      if (!row) continue;  // named twice
      const auto refuse = [&](const std::string& why) {
        throw StoreError(fmt::format("no run was deleted, because of run {}: {}", to_number(id), why));
      };
      if (state_now(*row) == RunState::running) refuse("it is being measured");
      if (const auto name = first_value<std::string>(
              database, "SELECT name FROM baselines WHERE run = ? ORDER BY name", id)) {
        refuse(fmt::format(
            "it is the baseline '{0}'; `benchctl runs baseline {0} --remove` removes the name", *name));
      }
      if (const auto user = first_value<RunId>(database,
                                               "SELECT roofs.run FROM roofs JOIN points ON points.id = "
                                               "roofs.source WHERE points.run = ?1 AND roofs.run <> ?1",
                                               id)) {
        refuse(
            fmt::format("run {} uses the roofs that it measured; delete that one, too, and name it first",
                        to_number(*user)));
      }
      execute(
          database,
          "UPDATE points SET reused_from = NULL WHERE reused_from IN (SELECT id FROM points WHERE run = ?)",
          id);
      execute(database, "UPDATE merged_runs SET conflicts_with = NULL WHERE conflicts_with = ?", id);
      for (const PointTable& table : point_tables) {
        execute(
            database,
            fmt::format("DELETE FROM {} WHERE point IN (SELECT id FROM points WHERE run = ?)", table.name),
            id);
      }
      for (const std::string_view table : tables_of_runs)
        execute(database, fmt::format("DELETE FROM {} WHERE run = ?", table), id);
      execute(database, "DELETE FROM runs WHERE id = ?", id);
    }
  });
}

void Store::prune_samples(std::span<const RunId> runs) {
  impl_->write("prune", [&](SQLite::Database& database) {
    const std::string now = utc_now();
    for (const RunId id : runs) {
      const std::optional<RunRow> row = run(id);
      if (!row || row->state != RunState::complete) {
        throw StoreError(
            fmt::format("nothing was dropped: run {} is not complete, and continuing it needs its samples",
                        to_number(id)));
      }
      execute(database,
              "INSERT OR REPLACE INTO notes (point, key, text) SELECT point, ?, printf('%d samples in %d "
              "blocks were dropped on request at %s', sum(length(ns) / 8), count(*), ?) FROM samples WHERE "
              "point IN (SELECT id FROM points WHERE run = ? AND finished = 1) GROUP BY point",
              pruned_note, now, id);
      execute(database, "DELETE FROM samples WHERE point IN (SELECT id FROM points WHERE run = ?)", id);
    }
  });
  guarded(impl_->file, "prune", [&] { impl_->database.exec("VACUUM"); });
}

void Store::remove(const std::filesystem::path& file) {
  for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + end);
}

void Store::back_up(const std::filesystem::path& copy) const {
  if (std::filesystem::exists(copy))
    throw StoreError(fmt::format("'{}' exists: a copy does not overwrite a file", copy));
  guarded(impl_->file, "copy", [&] { execute(impl_->database, "VACUUM INTO ?", copy.string()); });
}

}  // namespace benchctl
