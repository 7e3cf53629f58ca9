// Points of a run.
#include "store/point_rows.hpp"

#include "store/codec.hpp"

#include <fmt/format.h>

namespace benchctl {

const std::string_view select_points =
    "SELECT id, run, ordinal, sweep, workload, variant, backend, device, problem_json, layout, "
    "tunables_json, "
    "measure_json, expect, content_key, vendor, flops, bytes_read, bytes_written, accesses, status, "
    "reason, "
    "finished, "
    "reused_from FROM points";

Status decode_status(std::string_view word) {
  const auto status = parse_status(word);
  if (!status) throw std::invalid_argument(fmt::format("unknown status '{}'", word));
  return *status;
}

namespace {

const auto& decoded(std::string_view text, auto& known, const auto& decode) {
  constexpr std::size_t most = 256;
  if (const auto found = known.find(text); found != known.end()) return found->second;
  if (known.size() >= most) known.clear();
  std::string key(text);
  auto value = decode(key);
  return known.emplace(std::move(key), std::move(value)).first->second;
}

}  // namespace

PointRow PointReader::read(SQLite::Statement& statement) {
  PointRow point;
  Point& p = point.point;
  Row row(statement);
  std::uint64_t sweep{};
  row >> point.id >> point.run >> point.ordinal >> sweep >> p.workload >> p.variant >> p.backend >>
      p.device;
  p.sweep = sweep;
  p.problem = decoded(row.bytes(), parameters_, codec::decode_parameters);
  row >> p.layout;
  p.tunables = decoded(row.bytes(), parameters_, codec::decode_parameters);
  p.measure = decoded(row.bytes(), measure_, codec::decode_measure_settings);
  p.expect = codec::decode_enum<Expect>(row.text());
  row >> point.content_key >> point.vendor >> point.cost.flops >> point.cost.bytes_read >>
      point.cost.bytes_written >> point.cost.accesses;
  p.status = decode_status(row.bytes());
  row >> p.reason >> point.finished;
  if (const SQLite::Column reused = row.next(); !reused.isNull()) {
    point.reused_from = PointId{reused.getInt64()};
  }
  return point;
}

std::vector<PointId> Store::add_points(RunId run, std::span<const PointRow> points) {
  return guarded(impl_->file, "add points to", [&] {
    SQLite::Transaction transaction(impl_->database, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement insert(
        impl_->database,
        "INSERT INTO points (run, ordinal, sweep, label, workload, variant, backend, device, problem_json, "
        "layout, tunables_json, measure_json, time_basis, expect, content_key, vendor, flops, bytes_read, "
        "bytes_written, accesses, status, reason, finished) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
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
      Binder(insert) << run << row.ordinal << std::uint64_t{p.sweep} << p.label() << p.workload << p.variant
                     << p.backend << p.device << codec::encode(p.problem) << p.layout
                     << codec::encode(p.tunables) << settings_text << to_string(p.measure.basis)
                     << to_string(p.expect) << row.content_key << row.vendor << row.cost.flops
                     << row.cost.bytes_read << row.cost.bytes_written << row.cost.accesses
                     << to_string(p.status) << p.reason
                     << (info(p.status).status_class != StatusClass::open);
      insert.exec();
      insert.reset();
      ids.push_back(PointId{impl_->database.getLastInsertRowid()});
    }
    transaction.commit();
    return ids;
  });
}

void Store::move_points(RunId run, std::span<const PointRow> points) {
  guarded(impl_->file, "move points in", [&] {
    SQLite::Transaction transaction(impl_->database, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement update(impl_->database,
                             "UPDATE points SET run = ?, ordinal = ?, label = ?, variant = ? WHERE id = ?");
    SQLite::Statement erase(impl_->database, "DELETE FROM comparisons WHERE point = ?");
    for (const PointRow& row : points) {
      Binder(update) << run << row.ordinal << row.point.label() << row.point.variant << row.id;
      update.exec();
      update.reset();
      Binder(erase) << row.id;
      erase.exec();
      erase.reset();
    }
    transaction.commit();
  });
}

std::vector<PointRow> Store::points(RunId run) const {
  return guarded(impl_->file, "read", [&] {
    std::vector<PointRow> points;
    SQLite::Statement query(impl_->database,
                            fmt::format("{} WHERE run = ? ORDER BY ordinal", select_points));
    Binder(query) << run;
    PointReader reader;
    while (query.executeStep()) points.push_back(reader.read(query));
    return points;
  });
}

std::size_t Store::point_count(RunId run) const {
  return guarded(impl_->file, "read", [&] {
    SQLite::Statement query(impl_->database, "SELECT count(*) FROM points WHERE run = ?");
    Binder(query) << run;
    query.executeStep();
    return static_cast<std::size_t>(query.getColumn(0).getInt64());
  });
}

StatusCounts Store::status_counts(RunId run) const {
  return guarded(impl_->file, "read", [&] {
    StatusCounts counts;
    SQLite::Statement query(impl_->database,
                            "SELECT status, count(*) FROM points WHERE run = ? GROUP BY status");
    Binder(query) << run;
    while (query.executeStep()) {
      Row row(query);
      const Status status = decode_status(row.bytes());
      row >> counts[status];
    }
    return counts;
  });
}

std::optional<PointId> Store::find_measured(std::string_view content_key) const {
  return guarded(impl_->file, "read", [&]() -> std::optional<PointId> {
    SQLite::Statement query(
        impl_->database,
        "SELECT id FROM points WHERE content_key = ? AND finished = 1 AND status = 'ok' "
        "AND EXISTS (SELECT 1 FROM measurements WHERE point = points.id) "
        "ORDER BY (SELECT created_at FROM runs WHERE runs.id = run) DESC, id DESC LIMIT 1");
    Binder(query) << content_key;
    if (!query.executeStep()) return std::nullopt;
    return PointId{query.getColumn(0).getInt64()};
  });
}

}  // namespace benchctl
