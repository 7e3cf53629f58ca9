// Points with everything that was found out about them.
#include "store/choice.hpp"
#include "store/codec.hpp"
#include "store/point_rows.hpp"
#include "store/run_rows.hpp"
#include "store/run_tables.hpp"
#include "store/snapshot.hpp"

#include <fmt/format.h>

#include <limits>
#include <tuple>
#include <utility>

namespace benchctl {

namespace {

Measurement read_measurement(Row& row) {
  Measurement m;
  row >> m.n_samples >> m.batch >> m.gated >> m.median_ns >> m.ci_low_ns >> m.ci_high_ns >> m.min_ns >>
      m.max_ns >> m.mean_ns >> m.mad_ns >> m.p5_ns >> m.p25_ns >> m.p75_ns >> m.p95_ns >> m.warmup_ns >>
      m.processes;
  m.stop = codec::decode_enum<StopReason>(row.text());
  row >> m.note;
  return m;
}

Verification read_verification(Row& row) {
  Verification v;
  row >> v.ok >> v.reason >> v.error_norm >> v.tolerance_norm >> v.worst_error >> v.worst_tolerance >>
      v.worst_element >> v.checked >> v.not_a_number >> v.guard_bytes_changed;
  return v;
}

Comparison read_comparison(Row& row) {
  Comparison c;
  c.against = codec::decode_enum<Against>(row.text());
  row >> c.reference >> c.label >> c.rounds >> c.time_ratio >> c.ci_low >> c.ci_high >> c.comparisons >>
      c.threshold >> c.verdict;
  return c;
}

/// The rows of one table that belong to a point. Points that come in the order of their keys, as most do,
/// are read in one go.
class RowsOfPoint {
 public:
  RowsOfPoint(SQLite::Database& database, const PointTable& table)
      : query_(database, fmt::format("SELECT point, {} FROM {} WHERE point >= ? ORDER BY point, {}",
                                     table.columns, table.name, table.order)) {}

  template <class Take>
  void each(PointId point, const Take& take) {
    if (next_ < point || point <= last_) {
      query_.reset();
      Binder(query_) << point;
      step();
    }
    last_ = point;
    while (next_ == point) {
      Row row(query_);
      row >> last_;
      take(row);
      step();
    }
  }

 private:
  void step() { next_ = query_.executeStep() ? PointId{query_.getColumn(0).getInt64()} : none; }

  static constexpr PointId none{std::numeric_limits<std::int64_t>::max()};
  SQLite::Statement query_;
  PointId last_ = none;  ///< point requested last
  PointId next_ = none;  ///< point of the statement's current row
};

/// Everything about one point after the other, with statements that are prepared once.
class ResultReader {
 public:
  explicit ResultReader(SQLite::Database& database)
      : measurements_(database, measurements_table),
        comparisons_(database, comparisons_table),
        verifications_(database, verifications_table),
        resources_(database, resources_table),
        notes_(database, notes_table) {}

  [[nodiscard]] StoredPoint read(SQLite::Statement& points) {
    StoredPoint result;
    result.row = reader_.read(points);
    const PointId point = result.row.id;
    measurements_.each(point, [&](Row& row) { result.measurement = read_measurement(row); });
    comparisons_.each(point, [&](Row& row) { result.comparisons.push_back(read_comparison(row)); });
    verifications_.each(point, [&](Row& row) {
      const auto phase = codec::decode_enum<VerificationPhase>(row.text());
      result.verifications[phase] = read_verification(row);
    });
    resources_.each(point, [&](Row& row) {
      std::string metric = row.text();
      row >> result.resources[std::move(metric)];
    });
    notes_.each(point, [&](Row& row) {
      std::string key = row.text();
      row >> result.notes[std::move(key)];
    });
    return result;
  }

 private:
  PointReader reader_;
  RowsOfPoint measurements_;
  RowsOfPoint comparisons_;
  RowsOfPoint verifications_;
  RowsOfPoint resources_;
  RowsOfPoint notes_;
};

}  // namespace

StatusCounts Store::each_result(RunId run, const std::function<void(StoredPoint&&)>& take,
                                std::optional<std::size_t> limit) const {
  // What `take` throws does not concern the store.
  const Snapshot snapshot(impl_->database, impl_->file);
  StatusCounts left_out;
  auto opened = guarded(impl_->file, "read", [&] {
    std::string chosen;
    if (limit) std::tie(chosen, left_out) = choose_fastest(impl_->database, run, *limit);
    SQLite::Statement query(
        impl_->database,
        fmt::format("{} WHERE run = ?{} ORDER BY ordinal", select_points,
                    left_out.empty() ? "" : " AND id IN (SELECT value FROM json_each(?))"));
    if (left_out.empty()) {
      Binder(query) << run;
    } else {
      Binder(query) << run << chosen;
    }
    return std::pair(std::move(query), ResultReader(impl_->database));
  });
  const auto next = [&]() -> std::optional<StoredPoint> {
    return guarded(impl_->file, "read", [&]() -> std::optional<StoredPoint> {
      if (!opened.first.executeStep()) return std::nullopt;
      return opened.second.read(opened.first);
    });
  };
  while (std::optional<StoredPoint> point = next()) take(std::move(*point));
  return left_out;
}

StoredPoint Store::result(PointId point) const {
  const Snapshot snapshot(impl_->database, impl_->file);
  return guarded(impl_->file, "read", [&] {
    SQLite::Statement query(impl_->database, fmt::format("{} WHERE id = ?", select_points));
    Binder(query) << point;
    if (!query.executeStep()) {
      throw StoreError(
          fmt::format("the store '{}' has no point {}", impl_->file.string(), to_number(point)));
    }
    return ResultReader(impl_->database).read(query);
  });
}

std::vector<StoredPoint> Store::results(RunId run) const {
  std::vector<StoredPoint> results;
  results.reserve(point_count(run));
  each_result(run, [&](StoredPoint&& point) { results.push_back(std::move(point)); });
  return results;
}

std::vector<MeasuredPoint> Store::measured(std::string_view workload) const {
  const Snapshot snapshot(impl_->database, impl_->file);
  return guarded(impl_->file, "read", [&] {
    std::vector<MeasuredPoint> measured;
    std::map<RunId, std::vector<Lane>> lanes;
    ResultReader reader(impl_->database);
    SQLite::Statement points(
        impl_->database,
        fmt::format("{} WHERE workload = ? AND finished = 1 AND status IN ('ok', 'unstable') ORDER BY "
                    "(SELECT created_at FROM runs WHERE runs.id = run) DESC, run DESC, ordinal",
                    select_points));
    Binder(points) << workload;
    while (points.executeStep()) {
      StoredPoint stored = reader.read(points);
      if (!stored.measurement) continue;
      const RunId run = stored.row.run;
      if (!lanes.contains(run)) lanes[run] = read_lanes(impl_->database, run);
      for (const Lane& lane : lanes[run]) {
        if (lane.name() != stored.row.point.device) continue;
        measured.push_back({std::move(stored), lane});
        break;
      }
    }
    return measured;
  });
}

}  // namespace benchctl
