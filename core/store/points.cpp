// Reads points, alone and with everything that was found out about them.
#include "model/keys.hpp"
#include "store/codec.hpp"
#include "store/database.hpp"
#include "store/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

namespace benchctl {

namespace {

/// What PointReader reads, then `more` columns. `rest`: what stands behind the table in the query.
std::string select_points(std::string_view rest, std::string_view more = "") {
  return fmt::format("SELECT id, run, reused_from, {}{} FROM points {}", point_columns, more, rest);
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

struct TimedPoint {
  std::int64_t id = 0;
  Status status{};
  double median_ns = 0;
  bool named = false;      ///< the run has named it the fastest of its rivals, or of some of them
  std::size_t rivals = 0;  ///< a number for each set of points that compete
  std::size_t place = 0;   ///< among its rivals
};

/// Points with times, by their place among their rivals: the fastest of each problem, way of measuring and
/// device (those that the run has named, then by the median), then the second fastest of each, and so on.
void race(std::vector<TimedPoint>& points) {
  std::ranges::sort(points, {},
                    [](const TimedPoint& p) { return std::tuple(p.rivals, !p.named, p.median_ns, p.id); });
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].rivals == points[i - 1].rivals) points[i].place = points[i - 1].place + 1;
  }
  std::ranges::sort(points, {}, [](const TimedPoint& point) { return std::pair(point.place, point.id); });
}

/// The keys of a run's points as a JSON array, with no more than `limit` points that have times: the first
/// of `race`. And how many points that leaves out.
std::pair<std::string, StatusCounts> fastest_points(SQLite::Database& database, RunId run,
                                                    std::size_t limit) {
  std::vector<std::int64_t> shown;
  std::vector<TimedPoint> timed;
  std::map<std::tuple<RivalKey, std::string, Expect>, std::size_t> rivals;
  PointReader reader;
  each_row(
      database,
      select_points("LEFT JOIN measurements ON point = id WHERE run = ?",
                    ", median_ns, EXISTS (SELECT 1 FROM comparisons WHERE point = points.id AND "
                    "reference = points.ordinal)"),
      [&](Row& row) {
        const PointRow stored = reader.read(row);
        const Point& point = stored.point;
        TimedPoint entry{.id = to_number(stored.id), .status = point.status};
        row >> entry.median_ns >> entry.named;
        const StatusClass kind = info(point.status).status_class;
        if (std::isnan(entry.median_ns) || (kind != StatusClass::good && kind != StatusClass::warning)) {
          shown.push_back(entry.id);
          return;
        }
        entry.rivals =
            rivals.try_emplace({RivalKey(point), point.device, point.expect}, rivals.size()).first->second;
        timed.push_back(entry);
      },
      run);
  race(timed);
  StatusCounts left_out;
  for (std::size_t i = 0; i < timed.size(); ++i) {
    if (i < limit) {
      shown.push_back(timed[i].id);
    } else {
      ++left_out[timed[i].status];
    }
  }
  return {fmt::format("[{}]", fmt::join(shown, ",")), left_out};
}

}  // namespace

std::vector<PointRow> Store::points(RunId run) const {
  return impl_->read([&](SQLite::Database& database) {
    std::vector<PointRow> points;
    PointReader reader;
    each_row(
        database, select_points("WHERE run = ? ORDER BY ordinal"),
        [&](Row& row) { points.push_back(reader.read(row)); }, run);
    return points;
  });
}

std::size_t Store::point_count(RunId run) const {
  return impl_->read([&](SQLite::Database& database) {
    return first_value<std::uint64_t>(database, "SELECT count(*) FROM points WHERE run = ?", run).value();
  });
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
  return impl_->read([&](SQLite::Database& database) {
    return first_value<PointId>(
        database,
        "SELECT id FROM points WHERE content_key = ? AND finished = 1 AND status = 'ok' "
        "AND EXISTS (SELECT 1 FROM measurements WHERE point = points.id) "
        "ORDER BY (SELECT placed_at FROM runs WHERE runs.id = run) DESC, id DESC LIMIT 1",
        content_key);
  });
}

StatusCounts Store::each_result(RunId run, const std::function<void(Result&&)>& take,
                                std::optional<std::size_t> limit) const {
  const Snapshot snapshot(impl_->database, impl_->file);
  StatusCounts left_out;
  auto [query, reader] = impl_->read([&](SQLite::Database& database) {
    std::string shown;
    if (limit) std::tie(shown, left_out) = fastest_points(database, run, *limit);
    const bool all = left_out.empty();
    SQLite::Statement points(
        database, select_points(fmt::format("WHERE run = ?{} ORDER BY ordinal",
                                            all ? "" : " AND id IN (SELECT value FROM json_each(?))")));
    points.bind(1, to_number(run));
    if (!all) points.bind(2, shown);
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
  return left_out;
}

std::function<Result(PointId)> Store::result_reader() const {
  struct Reading {
    Snapshot snapshot;
    SQLite::Statement query;
    ResultReader reader;

    explicit Reading(Impl& impl)
        : snapshot(impl.database, impl.file),
          query(impl.database, select_points("WHERE id = ?")),
          reader(impl.database) {}
  };
  const auto reading = impl_->read([&](SQLite::Database&) { return std::make_shared<Reading>(*impl_); });
  return [impl = impl_.get(), reading](PointId point) {
    return impl->read([&](SQLite::Database&) {
      SQLite::Statement& query = reading->query;
      query.reset();
      bind_all(query, point);
      if (!query.executeStep()) {
        throw StoreError(fmt::format("the store '{}' has no point {}", impl->file, to_number(point)));
      }
      Row row(query);
      return reading->reader.read(row);
    });
  };
}

Result Store::result(PointId point) const { return result_reader()(point); }

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
