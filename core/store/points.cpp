// Reads points, alone and with everything that was found out about them.
#include "store/codec.hpp"
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

Status decode_status(std::string_view word) {
  const auto status = parse_status(word);
  if (!status) throw std::invalid_argument(fmt::format("unknown status '{}'", word));
  return *status;
}

const auto& decoded(std::string_view text, auto& known, const auto& decode) {
  constexpr std::size_t most = 256;
  if (const auto found = known.find(text); found != known.end()) return found->second;
  if (known.size() >= most) known.clear();
  std::string key(text);
  auto value = decode(key);
  return known.emplace(std::move(key), std::move(value)).first->second;
}

/// Most points have their problem, tunables and settings in common with others: a text is decoded once.
class PointReader {
 public:
  [[nodiscard]] PointRow read(Row& row) {
    PointRow point;
    Point& p = point.point;
    std::uint64_t sweep{};
    row >> point.id >> point.run >> point.reused_from >> point.ordinal >> sweep;
    p.sweep = sweep;
    row.skip();  // its label follows from the rest
    row >> p.apart >> p.workload >> p.variant >> p.backend >> p.device;
    p.problem = decoded(row.bytes(), parameters_, codec::decode_parameters);
    row >> p.layout;
    p.tunables = decoded(row.bytes(), parameters_, codec::decode_parameters);
    p.measure = decoded(row.bytes(), measure_, codec::decode_measure_settings);
    row.skip();  // so does its basis
    p.expect = codec::decode_enum<Expect>(row.text());
    row >> point.content_key >> point.vendor >> point.cost.flops >> point.cost.bytes_read >>
        point.cost.bytes_written >> point.cost.accesses;
    p.status = decode_status(row.bytes());
    row >> p.reason >> point.finished;
    return point;
  }

 private:
  template <class Value>
  using Decoded = std::map<std::string, Value, std::less<>>;  ///< by text
  Decoded<SharedParameters> parameters_;
  Decoded<MeasureSettings> measure_;
};

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

std::vector<PointRow> Store::points(RunId run) const {
  PointReader reader;
  return impl_->list<PointRow>(
      select_points("WHERE run = ? ORDER BY ordinal"),
      [&](Row& row, PointRow& point) { point = reader.read(row); }, run);
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
          const Status status = decode_status(row.bytes());
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
