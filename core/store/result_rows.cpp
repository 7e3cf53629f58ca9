// Writes what was found out about points: measurements, verifications, resources, notes.
#include "store/database.hpp"
#include "store/run_tables.hpp"

#include <fmt/format.h>

namespace benchctl {

namespace {

/// Takes the point, then a value for each of the table's columns.
SQLite::Statement insert_into(SQLite::Database& database, const PointTable& table) {
  return {database, fmt::format("INSERT INTO {} (point, {}) VALUES (?, {})", table.name, table.columns,
                                places_for(table.columns))};
}

/// Call inside the transaction that settles the point. `file` is for the error's text.
void require_unsettled(SQLite::Database& database, PointId point, const std::filesystem::path& file) {
  SQLite::Statement query(database, "SELECT finished FROM points WHERE id = ?");
  Binder(query) << point;
  const bool found = query.executeStep();
  if (found && query.getColumn(0).getInt() == 0) return;
  throw StoreError(fmt::format("the store '{}' {} point {}", file.string(),
                               found ? "refuses a second result for the settled" : "has no",
                               to_number(point)));
}

void write_measurement(SQLite::Database& database, PointId point, const Measurement& m) {
  SQLite::Statement insert = insert_into(database, measurements_table);
  Binder(insert) << point << m.n_samples << m.batch << m.gated << m.median_ns << m.ci_low_ns << m.ci_high_ns
                 << m.min_ns << m.max_ns << m.mean_ns << m.mad_ns << m.p5_ns << m.p25_ns << m.p75_ns
                 << m.p95_ns << m.warmup_ns << m.processes << to_string(m.stop) << m.note;
  insert.exec();
}

void write_verification(SQLite::Database& database, PointId point, VerificationPhase phase,
                        const Verification& v) {
  SQLite::Statement insert = insert_into(database, verifications_table);
  Binder(insert) << point << to_string(phase) << v.ok << v.reason << v.error_norm << v.tolerance_norm
                 << v.worst_error << v.worst_tolerance << v.worst_element << v.checked << v.not_a_number
                 << v.guard_bytes_changed;
  insert.exec();
}

void set_finished(SQLite::Database& database, PointId point, bool finished) {
  SQLite::Statement update(database, "UPDATE points SET finished = ? WHERE id = ?");
  Binder(update) << finished << point;
  update.exec();
}

void erase_result(SQLite::Database& database, PointId point) {
  for (const PointTable& table : result_tables) {
    SQLite::Statement erase(database, fmt::format("DELETE FROM {} WHERE point = ?", table.name));
    Binder(erase) << point;
    erase.exec();
  }
}

void write_result(SQLite::Database& database, PointId point, const PointResult& result) {
  if (result.measurement) write_measurement(database, point, *result.measurement);
  for (const auto& [phase, verification] : result.verifications) {
    write_verification(database, point, phase, verification);
  }
  SQLite::Statement resource = insert_into(database, resources_table);
  for (const auto& [metric, value] : result.resources) {
    Binder(resource) << point << metric << value;
    resource.exec();
    resource.reset();
  }
  SQLite::Statement note = insert_into(database, notes_table);
  for (const auto& [key, text] : result.notes) {
    Binder(note) << point << key << text;
    note.exec();
    note.reset();
  }
}

void copy_rows(SQLite::Database& database, const PointTable& table, PointId from, PointId to) {
  SQLite::Statement copy(database, fmt::format("INSERT INTO {0} (point, {1}) SELECT ?, {1} FROM {0} "
                                               "WHERE point = ? ORDER BY {2}",
                                               table.name, table.columns, table.order));
  Binder(copy) << to << from;
  copy.exec();
}

}  // namespace

void Store::finish_point(PointId point, const PointResult& result) {
  guarded(impl_->file, "write to", [&] {
    SQLite::Database& database = impl_->database;
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    require_unsettled(database, point, impl_->file);
    erase_result(database, point);
    write_result(database, point, result);
    SQLite::Statement update(database,
                             "UPDATE points SET status = ?, reason = ?, finished = ? WHERE id = ?");
    Binder(update) << to_string(result.status) << result.reason
                   << (info(result.status).status_class != StatusClass::open) << point;
    update.exec();
    transaction.commit();
  });
}

void Store::copy_point(PointId from, PointId to) {
  guarded(impl_->file, "write to", [&] {
    SQLite::Database& database = impl_->database;
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    require_unsettled(database, to, impl_->file);
    SQLite::Statement own(database, "SELECT count(*) FROM samples WHERE point = ?");
    Binder(own) << to;
    own.executeStep();
    if (own.getColumn(0).getInt() != 0) {
      throw StoreError(
          fmt::format("the store '{}' refuses to reuse a result for point {}: it has samples of "
                      "its own",
                      impl_->file.string(), to_number(to)));
    }
    own.reset();
    erase_result(database, to);
    copy_rows(database, samples_table, from, to);
    for (const PointTable& table : result_tables) {
      // It was not measured together with the points of this run.
      if (table.name != comparisons_table.name) copy_rows(database, table, from, to);
    }
    SQLite::Statement update(
        database,
        "UPDATE points SET finished = 1, reused_from = source.id, status = source.status, "
        "reason = source.reason FROM (SELECT id, status, reason FROM points WHERE id = ? "
        "AND finished = 1) AS source WHERE points.id = ?");
    Binder(update) << from << to;
    // The inputs that it was verified with are those of the run that measured it.
    SQLite::Statement seed(
        database,
        "INSERT OR IGNORE INTO notes (point, key, text) SELECT ?, 'seed', printf('%u', runs.seed) "
        "FROM points JOIN runs ON runs.id = points.run WHERE points.id = ?");
    Binder(seed) << to << from;
    seed.exec();
    if (update.exec() != 1) {
      throw StoreError(fmt::format("the store '{}' has no finished point {} to reuse", impl_->file.string(),
                                   to_number(from)));
    }
    transaction.commit();
  });
}

void Store::add_metrics(PointId point, const Resources& metrics) {
  guarded(impl_->file, "write to", [&] {
    SQLite::Transaction transaction(impl_->database, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement insert(impl_->database,
                             "INSERT OR REPLACE INTO resources (point, metric, value) VALUES (?, ?, ?)");
    for (const auto& [metric, value] : metrics) {
      Binder(insert) << point << metric << value;
      insert.exec();
      insert.reset();
    }
    transaction.commit();
  });
}

void Store::reopen(PointId point) {
  guarded(impl_->file, "write to", [&] { set_finished(impl_->database, point, false); });
}

void Store::settle(PointId point) {
  guarded(impl_->file, "write to", [&] { set_finished(impl_->database, point, true); });
}

void Store::set_comparisons(PointId point, std::span<const Comparison> comparisons) {
  guarded(impl_->file, "write to", [&] {
    SQLite::Transaction transaction(impl_->database, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement erase(impl_->database, "DELETE FROM comparisons WHERE point = ?");
    Binder(erase) << point;
    erase.exec();
    SQLite::Statement insert = insert_into(impl_->database, comparisons_table);
    for (const Comparison& c : comparisons) {
      Binder(insert) << point << to_string(c.against) << c.reference << c.label << c.rounds << c.time_ratio
                     << c.ci_low << c.ci_high << c.comparisons << c.threshold << c.verdict;
      insert.exec();
      insert.reset();
    }
    transaction.commit();
  });
}

void Store::add_note(PointId point, std::string_view key, std::string_view text) {
  guarded(impl_->file, "write to", [&] {
    SQLite::Statement insert(impl_->database,
                             "INSERT OR REPLACE INTO notes (point, key, text) VALUES (?, ?, ?)");
    Binder(insert) << point << key << text;
    insert.exec();
  });
}

}  // namespace benchctl
