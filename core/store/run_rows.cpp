// Runs, their lanes and events.
#include "store/run_rows.hpp"
#include "store/codec.hpp"
#include "store/database.hpp"

#include <fmt/format.h>

namespace benchctl {

namespace {

constexpr std::string_view run_columns =
    "SELECT id, name, title, question, config_text, config_hash, command, version, seed, environment_json, "
    "published_json, state, "
    "owner_pid, owner_start_ticks, created_at, finished_at FROM runs ";

/// By their own time: a merged run has a higher number than younger ones.
constexpr std::string_view newest_first = "ORDER BY created_at DESC, id DESC";

RunRow read_run(SQLite::Statement& statement) {
  RunRow run;
  Row row(statement);
  row >> run.id >> run.name >> run.title >> run.question >> run.config_text >> run.config_hash >>
      run.command >> run.version >> run.seed >> run.environment;
  run.published = codec::decode_published(row.text());
  run.state = codec::decode_enum<RunState>(row.text());
  row >> run.owner.pid >> run.owner.start_ticks >> run.created_at >> run.finished_at;
  return run;
}

bool resumable(const RunRow& run) { return state_now(run) == RunState::interrupted; }

std::optional<RunRow> find_run(SQLite::Database& database, RunId id) {
  SQLite::Statement query(database, fmt::format("{} WHERE id = ?", run_columns));
  Binder(query) << id;
  if (!query.executeStep()) return std::nullopt;
  return read_run(query);
}

}  // namespace

RunState state_now(const RunRow& run) {
  return run.state == RunState::running && !is_alive(run.owner) ? RunState::interrupted : run.state;
}

RunId Store::create_run(const NewRun& run) {
  return guarded(impl_->file, "add a run to", [&] {
    SQLite::Database& database = impl_->database;
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement insert(
        database,
        "INSERT INTO runs (name, title, question, config_text, config_hash, command, version, "
        "seed, environment_json, published_json, "
        "state, owner_pid, owner_start_ticks, created_at, finished_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '')");
    const ProcessIdentity owner = this_process();
    Binder(insert) << run.name << run.title << run.question << run.config_text << run.config_hash
                   << run.command << run.version << run.seed << run.environment
                   << codec::encode(run.published) << to_string(RunState::running) << owner.pid
                   << owner.start_ticks << utc_now();
    insert.exec();
    const RunId id{database.getLastInsertRowid()};
    SQLite::Statement insert_lane(
        database, "INSERT INTO lanes (run, name, backend, device_json) VALUES (?, ?, ?, ?)");
    for (const Lane& lane : run.lanes) {
      Binder(insert_lane) << id << lane.name() << lane.backend << codec::encode(lane.device);
      insert_lane.exec();
      insert_lane.reset();
    }
    transaction.commit();
    return id;
  });
}

std::optional<RunRow> Store::find_resumable(std::string_view config_hash) const {
  return guarded(impl_->file, "read", [&]() -> std::optional<RunRow> {
    SQLite::Statement query(
        impl_->database,
        fmt::format("{} WHERE config_hash = ? AND id NOT IN (SELECT run FROM merged_runs) {}", run_columns,
                    newest_first));
    Binder(query) << config_hash;
    while (query.executeStep()) {
      RunRow run = read_run(query);
      if (resumable(run)) return run;
      // Whoever has a complete result since does not want the older attempt finished.
      if (run.state == RunState::complete) return std::nullopt;
    }
    return std::nullopt;
  });
}

bool Store::take_over(RunId id) {
  return guarded(impl_->file, "take over a run of", [&] {
    // The check and the change are one transaction, or two processes could both find the run free.
    SQLite::Transaction transaction(impl_->database, SQLite::TransactionBehavior::IMMEDIATE);
    const auto run = find_run(impl_->database, id);
    if (!run || !resumable(*run)) return false;
    SQLite::Statement update(
        impl_->database,
        "UPDATE runs SET state = ?, owner_pid = ?, owner_start_ticks = ?, finished_at = '' WHERE id = ?");
    const ProcessIdentity owner = this_process();
    Binder(update) << to_string(RunState::running) << owner.pid << owner.start_ticks << id;
    update.exec();
    transaction.commit();
    return true;
  });
}

void Store::finish_run(RunId id, RunState state) {
  if (state == RunState::running) throw std::logic_error("a run ends as complete or interrupted");
  guarded(impl_->file, "write to", [&] {
    SQLite::Statement update(impl_->database, "UPDATE runs SET state = ?, finished_at = ? WHERE id = ?");
    Binder(update) << to_string(state) << utc_now() << id;
    if (update.exec() != 1) {
      throw StoreError(fmt::format("the store '{}' has no run {}", impl_->file.string(), to_number(id)));
    }
  });
}

std::optional<RunRow> Store::run(RunId id) const {
  return guarded(impl_->file, "read", [&] { return find_run(impl_->database, id); });
}

std::vector<RunRow> Store::runs() const {
  return guarded(impl_->file, "read", [&] {
    std::vector<RunRow> rows;
    SQLite::Statement query(impl_->database, fmt::format("{} {}", run_columns, newest_first));
    while (query.executeStep()) rows.push_back(read_run(query));
    return rows;
  });
}

std::optional<RunRow> Store::newest_run() const {
  return guarded(impl_->file, "read", [&]() -> std::optional<RunRow> {
    SQLite::Statement query(impl_->database, fmt::format("{} {} LIMIT 1", run_columns, newest_first));
    if (!query.executeStep()) return std::nullopt;
    return read_run(query);
  });
}

std::optional<RunRow> Store::newest_complete_run() const {
  for (RunRow& run : runs()) {
    if (run.state == RunState::complete) return std::move(run);
  }
  return std::nullopt;
}

std::vector<Lane> read_lanes(SQLite::Database& database, RunId run) {
  std::vector<Lane> lanes;
  SQLite::Statement query(database, "SELECT backend, device_json FROM lanes WHERE run = ? ORDER BY id");
  Binder(query) << run;
  while (query.executeStep()) {
    Row row(query);
    Lane lane;
    row >> lane.backend;
    lane.device = codec::decode_device(row.text());
    lanes.push_back(std::move(lane));
  }
  return lanes;
}

std::vector<Lane> Store::lanes(RunId id) const {
  return guarded(impl_->file, "read", [&] { return read_lanes(impl_->database, id); });
}

void Store::set_roofs(RunId run, std::span<const RoofRow> roofs) {
  guarded(impl_->file, "write to", [&] {
    SQLite::Transaction transaction(impl_->database, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement erase(impl_->database, "DELETE FROM roofs WHERE run = ?");
    Binder(erase) << run;
    erase.exec();
    SQLite::Statement insert(impl_->database, "INSERT INTO roofs VALUES (?, ?, ?, ?, ?)");
    for (const RoofRow& roof : roofs) {
      Binder(insert) << run << roof.lane << roof.probe << roof.per_second << roof.source;
      insert.exec();
      insert.reset();
    }
    transaction.commit();
  });
}

std::vector<RoofRow> Store::roofs(RunId run) const {
  return guarded(impl_->file, "read", [&] {
    std::vector<RoofRow> roofs;
    SQLite::Statement query(
        impl_->database,
        "SELECT lane, probe, per_second, source, "
        "ifnull(per_second * median_ns / ci_high_ns, 0), "
        "ifnull(per_second * median_ns / ci_low_ns, 0), ifnull((SELECT value FROM "
        "resources WHERE resources.point = source AND metric = 'sm_clock'), 0) "
        "FROM roofs LEFT JOIN measurements ON measurements.point = source WHERE run = ? "
        "ORDER BY lane, probe");
    Binder(query) << run;
    while (query.executeStep()) {
      Row row(query);
      RoofRow& roof = roofs.emplace_back();
      row >> roof.lane >> roof.probe >> roof.per_second >> roof.source >> roof.low_per_second >>
          roof.high_per_second >> roof.clock_mhz;
    }
    return roofs;
  });
}

void Store::add_event(RunId id, std::string_view text) {
  guarded(impl_->file, "write to", [&] {
    SQLite::Statement insert(impl_->database, "INSERT INTO events (run, time, text) VALUES (?, ?, ?)");
    Binder(insert) << id << utc_now() << text;
    insert.exec();
  });
}

std::vector<EventRow> Store::events(RunId id) const {
  return guarded(impl_->file, "read", [&] {
    std::vector<EventRow> events;
    SQLite::Statement query(impl_->database, "SELECT time, text FROM events WHERE run = ? ORDER BY id");
    Binder(query) << id;
    while (query.executeStep()) {
      EventRow event;
      Row(query) >> event.time >> event.text;
      events.push_back(std::move(event));
    }
    return events;
  });
}

}  // namespace benchctl
