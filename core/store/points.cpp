// Reads points, alone and with everything that was found out about them.
#include "store/database.hpp"
#include "store/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace benchctl {

namespace {

/// What PointReader reads. `rest`: what stands behind the table in the query.
std::string select_points(std::string_view rest) {
  return fmt::format("SELECT id, run, reused_from, {} FROM points {}", point_columns, rest);
}

template <class Value>
const auto& decoded(std::string_view text, auto& known) {
  constexpr std::size_t most = 256;
  if (const auto found = known.find(text); found != known.end()) return found->second;
  if (known.size() >= most) known.clear();
  std::string key(text);
  Value value;
  codec::decode(key, value);
  return known.emplace(std::move(key), std::move(value)).first->second;
}

/// Most points have their problem, tunables and settings in common with others: a text is decoded once.
class PointReader {
 public:
  void read(Row& row, PointRow& point) {
    Point& p = point.point;
    std::uint64_t sweep{};
    row >> point.id >> point.run >> point.reused_from >> point.ordinal >> sweep;
    p.sweep = sweep;
    row.skip();  // its label follows from the rest
    row >> p.apart >> p.workload >> p.variant >> p.backend >> p.device;
    p.problem = decoded<Parameters>(row.bytes(), parameters_);
    row >> p.layout;
    p.tunables = decoded<Parameters>(row.bytes(), parameters_);
    p.measure = decoded<MeasureSettings>(row.bytes(), measure_);
    row.skip();  // so does its basis
    row >> p.expect >> point.content_key >> point.vendor >> point.cost.flops >> point.cost.bytes_read >>
        point.cost.bytes_written >> point.cost.accesses >> p.status >> p.reason >> point.finished;
  }

 private:
  std::map<std::string, SharedParameters, std::less<>> parameters_;  ///< by text
  std::map<std::string, MeasureSettings, std::less<>> measure_;      ///< by text
};

void read(Row& row, Measurement& m) {
  row >> m.n_samples >> m.batch >> m.gated >> m.median_ns >> m.ci_low_ns >> m.ci_high_ns >> m.min_ns >>
      m.max_ns >> m.mean_ns >> m.mad_ns >> m.p5_ns >> m.p25_ns >> m.p75_ns >> m.p95_ns >> m.warmup_ns >>
      m.processes >> m.stop >> m.note;
}

void read(Row& row, Verification& v) {
  row >> v.ok >> v.reason >> v.error_norm >> v.tolerance_norm >> v.worst_error >> v.worst_tolerance >>
      v.worst_element >> v.checked >> v.not_a_number >> v.guard_bytes_changed;
}

void read(Row& row, Comparison& c) {
  row >> c.against >> c.other >> c.label >> c.rounds >> c.time_ratio >> c.ci_low >> c.ci_high >>
      c.comparisons >> c.threshold >> c.verdict;
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
      bind_all(query_, point);
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

  /// The point of the current row of a query by `select_points`.
  [[nodiscard]] Result read(Row& points) {
    Result result;
    reader_.read(points, result.row);
    const PointId point = result.row.id;
    measurements_.each(point, [&](Row& row) { benchctl::read(row, result.measurement.emplace()); });
    comparisons_.each(point, [&](Row& row) { benchctl::read(row, result.comparisons.emplace_back()); });
    verifications_.each(point, [&](Row& row) {
      VerificationPhase phase{};
      row >> phase;
      benchctl::read(row, result.verifications[phase]);
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

std::vector<PointRow> Store::points(RunId run) const {
  PointReader reader;
  return impl_->list<PointRow>(
      select_points("WHERE run = ? ORDER BY ordinal"),
      [&](Row& row, PointRow& point) { reader.read(row, point); }, run);
}

std::size_t Store::point_count(RunId run) const {
  return impl_->value<std::uint64_t>("SELECT count(*) FROM points WHERE run = ?", run).value();
}

StatusCounts Store::status_counts(RunId run) const {
  return impl_->read([&](SQLite::Database& database) {
    StatusCounts counts;
    each_row(
        database, "SELECT status, count(*) FROM points WHERE run = ? GROUP BY status",
        [&](Row& row) {
          Status status{};
          row >> status;
          row >> counts[status];
        },
        run);
    return counts;
  });
}

std::optional<PointId> Store::find_measured(std::string_view content_key) const {
  return impl_->value<PointId>(
      "SELECT id FROM points WHERE content_key = ? AND finished = 1 AND status = 'ok' AND EXISTS (SELECT "
      "1 FROM measurements WHERE point = points.id) ORDER BY (SELECT placed_at FROM runs WHERE runs.id = "
      "run) DESC, id DESC LIMIT 1",
      content_key);
}

void Store::each_result(RunId run, const std::function<void(Result&&)>& take) const {
  const Snapshot snapshot(impl_->database, impl_->file);
  auto [query, reader] = impl_->read([&](SQLite::Database& database) {
    SQLite::Statement points(database, select_points("WHERE run = ? ORDER BY ordinal"));
    bind_all(points, run);
    return std::pair(std::move(points), ResultReader(database));
  });
  // What `take` throws does not concern the store.
  const auto next = [&, &query = query, &reader = reader] {
    return impl_->read([&](SQLite::Database&) -> std::optional<Result> {
      if (!query.executeStep()) return std::nullopt;
      Row row(query);
      return reader.read(row);
    });
  };
  while (std::optional<Result> point = next()) take(std::move(*point));
}

Result Store::result(PointId point) const {
  const Snapshot snapshot(impl_->database, impl_->file);
  return impl_->read([&](SQLite::Database& database) {
    std::optional<Result> result;
    ResultReader reader(database);
    each_row(
        database, select_points("WHERE id = ?"), [&](Row& row) { result = reader.read(row); }, point);
    if (result) return *std::move(result);
    throw StoreError(fmt::format("the store '{}' has no point {}", impl_->file, to_number(point)));
  });
}

std::vector<Result> Store::results(RunId run) const {
  std::vector<Result> results;
  results.reserve(point_count(run));
  each_result(run, [&](Result&& point) { results.push_back(std::move(point)); });
  return results;
}

std::vector<MeasuredPoint> Store::measured(std::string_view workload) const {
  const Snapshot snapshot(impl_->database, impl_->file);
  return impl_->read([&](SQLite::Database& database) {
    std::vector<MeasuredPoint> measured;
    std::map<RunId, std::vector<Lane>> lanes_of;
    ResultReader reader(database);
    const auto take = [&](Row& row) {
      Result stored = reader.read(row);
      if (!stored.measurement) return;
      const auto [place, fresh] = lanes_of.try_emplace(stored.row.run);
      if (fresh) place->second = lanes(stored.row.run);
      const auto lane = std::ranges::find(place->second, stored.row.point.device, &Lane::name);
      if (lane != place->second.end()) measured.push_back({std::move(stored), *lane});
    };
    each_row(database,
             select_points("WHERE workload = ? AND finished = 1 AND status IN ('ok', 'unstable') ORDER BY "
                           "(SELECT placed_at FROM runs WHERE runs.id = run) DESC, run DESC, ordinal"),
             take, workload);
    return measured;
  });
}

}  // namespace benchctl
