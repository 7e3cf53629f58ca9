// Writes points, and what was found out about them: measurements, verifications, resources, notes.
#include "store/database.hpp"
#include "store/schema.hpp"

#include <fmt/format.h>

namespace benchctl {

namespace {

/// Takes the point, then a value for each of the table's columns.
std::string insert_into(const PointTable& table) {
  return fmt::format("INSERT INTO {} (point, {}) VALUES (?, {})", table.name, table.columns,
                     places_for(table.columns));
}

/// Takes the point.
std::string delete_from(const PointTable& table) {
  return fmt::format("DELETE FROM {} WHERE point = ?", table.name);
}

/// Call inside the transaction that settles the point. `file` is for the error's text.
void require_unsettled(SQLite::Database& database, PointId point, const std::filesystem::path& file) {
  const auto finished = first_value<bool>(database, "SELECT finished FROM points WHERE id = ?", point);
  if (finished == false) return;
  throw StoreError(fmt::format("the store '{}' {} point {}", file,
                               finished ? "refuses a second result for the settled" : "has no",
                               to_number(point)));
}

constexpr const char* set_finished = "UPDATE points SET finished = ? WHERE id = ?";

/// `run`: Store::Impl::run.
void write_result(const auto& run, PointId point, const Result& result) {
  if (const auto& m = result.measurement) {
    run(insert_into(measurements_table), point, m->n_samples, m->batch, m->gated, m->median_ns,
        m->ci_low_ns, m->ci_high_ns, m->min_ns, m->max_ns, m->mean_ns, m->mad_ns, m->p5_ns, m->p25_ns,
        m->p75_ns, m->p95_ns, m->warmup_ns, m->processes, to_string(m->stop), m->note);
  }
  for (const auto& [phase, v] : result.verifications) {
    run(insert_into(verifications_table), point, to_string(phase), v.ok, v.reason, v.error_norm,
        v.tolerance_norm, v.worst_error, v.worst_tolerance, v.worst_element, v.checked, v.not_a_number,
        v.guard_bytes_changed);
  }
  for (const auto& [metric, value] : result.resources)
    run(insert_into(resources_table), point, metric, value);
  for (const auto& [key, text] : result.notes) run(insert_into(notes_table), point, key, text);
}

void copy_rows(SQLite::Database& database, const PointTable& table, PointId from, PointId to) {
  execute(database,
          fmt::format("INSERT INTO {0} (point, {1}) SELECT ?, {1} FROM {0} WHERE point = ? ORDER BY {2}",
                      table.name, table.columns, table.order),
          to, from);
}

}  // namespace

std::vector<PointId> Store::add_points(RunId run, std::span<const PointRow> points) {
  return impl_->write("add points to", [&](SQLite::Database& database) {
    SQLite::Statement insert(database, fmt::format("INSERT INTO points (run, {}) VALUES (?, {})",
                                                   point_columns, places_for(point_columns)));
    std::vector<PointId> ids;
    ids.reserve(points.size());
    // Most points of a run are measured in the same way: the text is made once for them.
    MeasureSettings last_settings;
    std::string settings_text = codec::encode(last_settings);
    for (const PointRow& row : points) {
      const Point& p = row.point;
      if (!(p.measure == last_settings)) {
        last_settings = p.measure;
        settings_text = codec::encode(last_settings);
      }
      execute(insert, run, row.ordinal, std::uint64_t{p.sweep}, p.label(), p.apart, p.workload, p.variant,
              p.backend, p.device, codec::encode(p.problem), p.layout, codec::encode(p.tunables),
              settings_text, to_string(p.measure.basis), to_string(p.expect), row.content_key, row.vendor,
              row.cost.flops, row.cost.bytes_read, row.cost.bytes_written, row.cost.accesses,
              to_string(p.status), p.reason, info(p.status).status_class != StatusClass::open);
      ids.push_back(PointId{database.getLastInsertRowid()});
    }
    return ids;
  });
}

void Store::move_points(RunId run, std::span<const PointRow> points) {
  impl_->write("move points in", [&](SQLite::Database& database) {
    for (const PointRow& row : points) {
      execute(database, "UPDATE points SET run = ?, ordinal = ?, label = ?, variant = ? WHERE id = ?", run,
              row.ordinal, row.point.label(), row.point.variant, row.id);
      impl_->run(delete_from(comparisons_table), row.id);
    }
  });
}

void Store::finish_point(PointId point, const Result& result) {
  impl_->write("write to", [&](SQLite::Database& database) {
    require_unsettled(database, point, impl_->file);
    for (const PointTable& table : result_tables) impl_->run(delete_from(table), point);
    write_result([&](const auto&... values) { impl_->run(values...); }, point, result);
    impl_->run("UPDATE points SET status = ?, reason = ?, finished = ? WHERE id = ?",
               to_string(result.row.point.status), result.row.point.reason,
               info(result.row.point.status).status_class != StatusClass::open, point);
  });
}

void Store::copy_point(PointId from, PointId to) {
  impl_->write("write to", [&](SQLite::Database& database) {
    require_unsettled(database, to, impl_->file);
    if (first_value<bool>(database, "SELECT 1 FROM samples WHERE point = ?", to)) {
      throw StoreError(
          fmt::format("the store '{}' refuses to reuse a result for point {}: it has samples of its own",
                      impl_->file, to_number(to)));
    }
    copy_rows(database, samples_table, from, to);
    for (const PointTable& table : result_tables) {
      impl_->run(delete_from(table), to);
      // It was not measured together with the points of this run.
      if (table.name != comparisons_table.name) copy_rows(database, table, from, to);
    }
    // The inputs that it was verified with are those of the run that measured it.
    execute(database,
            "INSERT OR IGNORE INTO notes (point, key, text) SELECT ?, 'seed', printf('%u', runs.seed) FROM "
            "points JOIN runs ON runs.id = points.run WHERE points.id = ?",
            to, from);
    if (execute(database,
                "UPDATE points SET finished = 1, reused_from = source.id, status = source.status, reason = "
                "source.reason FROM (SELECT id, status, reason FROM points WHERE id = ? AND finished = 1) "
                "AS source WHERE points.id = ?",
                from, to) != 1) {
      throw StoreError(
          fmt::format("the store '{}' has no finished point {} to reuse", impl_->file, to_number(from)));
    }
  });
}

void Store::reopen(PointId point) { impl_->change(set_finished, false, point); }

void Store::settle(PointId point) { impl_->change(set_finished, true, point); }

void Store::set_comparisons(const std::map<PointId, std::vector<Comparison>>& comparisons) {
  impl_->write("write to", [&](SQLite::Database&) {
    for (const auto& [point, all] : comparisons) {
      impl_->run(delete_from(comparisons_table), point);
      for (const Comparison& c : all) {
        impl_->run(insert_into(comparisons_table), point, to_string(c.against), c.other, c.label, c.rounds,
                   c.time_ratio, c.ci_low, c.ci_high, c.comparisons, c.threshold, to_string(c.verdict));
      }
    }
  });
}

void Store::add_note(PointId point, std::string_view key, std::string_view text) {
  impl_->change("INSERT OR REPLACE INTO notes (point, key, text) VALUES (?, ?, ?)", point, key, text);
}

}  // namespace benchctl
