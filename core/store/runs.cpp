// Runs with what belongs to each: lanes, events, roofs, files; and the names of baselines.
#include "model/words.hpp"
#include "store/database.hpp"
#include "store/schema.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

/// A merged run has a higher number than younger ones.
constexpr std::string_view newest_first = "ORDER BY placed_at DESC, id DESC";

void read_run(Row& row, RunRow& run, const std::filesystem::path& store) {
  row >> run.id >> run.name >> run.title >> run.question >> run.config_text >> run.config_hash >>
      run.command >> run.version >> run.seed >> run.environment >> run.published >> run.state >>
      run.created_at >> run.finished_at >> run.placed_at;
  run.owner_lives = run.state == RunState::running && is_locked(OwnerLock::file_of(store, run.id));
}

/// `store`: Store::Impl. `rest`: what stands behind the table in the query.
template <class... Values>
std::vector<RunRow> read_runs(auto& store, std::string_view rest, const Values&... values) {
  return store.template list<RunRow>(
      fmt::format("SELECT id, {} FROM runs {}", run_columns, rest),
      [&](Row& row, RunRow& run) { read_run(row, run, store.file); }, values...);
}

std::optional<RunRow> first_of(std::vector<RunRow> runs) {
  return runs.empty() ? std::nullopt : std::optional(std::move(runs.front()));
}

bool resumable(const RunRow& run) { return state_now(run) == RunState::interrupted; }

}  // namespace

RunId Store::create_run(const NewRun& run) {
  return impl_->write("add a run to", [&](SQLite::Database& database) {
    // Whatever the clock was set to in between, the youngest run of this store comes first.
    const std::string now = utc_now();
    const auto newest = first_value<std::string>(database, "SELECT ifnull(max(placed_at), '') FROM runs");
    execute(database,
            fmt::format("INSERT INTO runs ({}) VALUES ({})", run_columns, places_for(run_columns)),
            run.name, run.title, run.question, run.config_text, run.config_hash, run.command, run.version,
            run.seed, run.environment, codec::encode(run.published), to_string(RunState::running), now, "",
            std::max(now, newest.value()));
    const RunId id{database.getLastInsertRowid()};
    impl_->owned[id] = std::make_unique<OwnerLock>(OwnerLock::file_of(impl_->file, id));
    for (const Lane& lane : run.lanes) {
      execute(database, fmt::format("INSERT INTO lanes (run, {}) VALUES (?, ?, ?, ?)", lane_columns), id,
              lane.name(), lane.backend, codec::encode(lane.device));
    }
    return id;
  });
}

std::optional<RunRow> Store::find_resumable(std::string_view config_hash) const {
  for (RunRow& run :
       read_runs(*impl_,
                 fmt::format("WHERE config_hash = ? AND id NOT IN (SELECT run FROM merged_runs) {}",
                             newest_first),
                 config_hash)) {
    if (resumable(run)) return std::move(run);
    // Whoever has a complete result since does not want the older attempt finished.
    if (run.state == RunState::complete) return std::nullopt;
  }
  return std::nullopt;
}

bool Store::take_over(RunId id) {
  // The check and the change are one transaction, or two processes could both find the run free.
  return impl_->write("take over a run of", [&](SQLite::Database& database) {
    const auto found = run(id);
    if (!found || !resumable(*found)) return false;
    auto lock = std::make_unique<OwnerLock>(OwnerLock::file_of(impl_->file, id));
    if (lock->refused()) return false;
    impl_->owned[id] = std::move(lock);
    execute(database, "UPDATE runs SET state = ?, finished_at = '' WHERE id = ?",
            to_string(RunState::running), id);
    return true;
  });
}

void Store::finish_run(RunId id, RunState state) {
  if (state == RunState::running) throw std::logic_error("a run ends as complete or interrupted");
  if (impl_->change("UPDATE runs SET state = ?, finished_at = ? WHERE id = ?", to_string(state), utc_now(),
                    id) != 1)
    throw StoreError(fmt::format("the store '{}' has no run {}", impl_->file, to_number(id)));
  impl_->owned.erase(id);
  // Whoever copies the file alone has the run, though somebody still reads here.
  sqlite3_wal_checkpoint_v2(impl_->database.getHandle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr,
                            nullptr);
}

std::optional<RunRow> Store::run(RunId id) const { return first_of(read_runs(*impl_, "WHERE id = ?", id)); }

std::vector<RunRow> Store::runs() const { return read_runs(*impl_, newest_first); }

std::optional<RunRow> Store::newest_run() const {
  return first_of(read_runs(*impl_, fmt::format("{} LIMIT 1", newest_first)));
}

std::optional<RunRow> Store::newest_complete_run() const {
  return first_of(read_runs(*impl_, fmt::format("WHERE state = 'complete' {} LIMIT 1", newest_first)));
}

std::vector<Lane> Store::lanes(RunId run) const {
  return impl_->list<Lane>(
      "SELECT backend, device_json FROM lanes WHERE run = ? ORDER BY id",
      [](Row& row, Lane& lane) { row >> lane.backend >> lane.device; }, run);
}

void Store::set_roofs(RunId run, std::span<const RoofRow> roofs) {
  impl_->write("write to", [&](SQLite::Database& database) {
    execute(database, "DELETE FROM roofs WHERE run = ?", run);
    for (const RoofRow& roof : roofs) {
      execute(database, "INSERT INTO roofs VALUES (?, ?, ?, ?, ?)", run, roof.lane, roof.probe,
              roof.per_second, roof.source);
    }
  });
}

std::vector<RoofRow> Store::roofs(RunId run) const {
  return impl_->list<RoofRow>(
      "SELECT lane, probe, per_second, source, ifnull(per_second * median_ns / ci_high_ns, 0), "
      "ifnull(per_second * median_ns / ci_low_ns, 0), ifnull((SELECT value FROM resources WHERE "
      "resources.point = source AND metric = 'sm_clock'), 0) FROM roofs LEFT JOIN measurements ON "
      "measurements.point = source WHERE run = ? ORDER BY lane, probe",
      [](Row& row, RoofRow& roof) {
        row >> roof.lane >> roof.probe >> roof.per_second >> roof.source >> roof.low_per_second >>
            roof.high_per_second >> roof.clock_mhz;
      },
      run);
}

void Store::add_event(RunId id, std::string_view text) {
  impl_->change("INSERT INTO events (run, time, text) VALUES (?, ?, ?)", id, utc_now(), text);
}

std::vector<EventRow> Store::events(RunId id) const {
  return impl_->list<EventRow>(
      "SELECT time, text FROM events WHERE run = ? ORDER BY id",
      [](Row& row, EventRow& event) { row >> event.time >> event.text; }, id);
}

void Store::add_files(RunId run, std::span<const RunFile> files) {
  impl_->write("add files to", [&](SQLite::Database& database) {
    for (const RunFile& file : files) {
      execute(database, "INSERT OR REPLACE INTO run_files (run, name, contents) VALUES (?, ?, ?)", run,
              file.name, Blob{file.contents});
    }
  });
}

std::vector<RunFile> Store::files(RunId run) const {
  return impl_->list<RunFile>(
      "SELECT name, contents FROM run_files WHERE run = ? ORDER BY name",
      [](Row& row, RunFile& file) { row >> file.name >> file.contents; }, run);
}

void Store::set_baseline(std::string_view name, RunId run) {
  if (!is_baseline_name(name)) throw std::logic_error("no name for a baseline");
  impl_->change("INSERT OR REPLACE INTO baselines (name, run, set_at) VALUES (?, ?, ?)", name, run,
                utc_now());
}

bool Store::remove_baseline(std::string_view name) {
  return impl_->change("DELETE FROM baselines WHERE name = ?", name) > 0;
}

std::vector<BaselineRow> Store::baselines() const {
  return impl_->list<BaselineRow>(
      "SELECT name, run, set_at FROM baselines ORDER BY name",
      [](Row& row, BaselineRow& baseline) { row >> baseline.name >> baseline.run >> baseline.set_at; });
}

std::optional<RunId> Store::find_named(std::string_view name) const {
  if (const auto number = number_from<std::int64_t>(name))
    return impl_->value<RunId>("SELECT id FROM runs WHERE id = ?", *number);
  return impl_->value<RunId>("SELECT run FROM baselines WHERE name = ?", name);
}

}  // namespace benchctl
