// Raw samples: one array for each point, session and round.
#include "store/codec.hpp"
#include "store/database.hpp"
#include "store/sample_times.hpp"
#include "store/snapshot.hpp"

#include <fmt/format.h>

namespace benchctl {

namespace {

/// A point without samples: has it lost them?
void refuse_pruned(SQLite::Database& database, PointId point, const std::filesystem::path& file) {
  SQLite::Statement query(
      database,
      "SELECT points.run, points.ordinal, notes.text FROM notes JOIN points ON points.id = "
      "notes.point WHERE notes.point = ? AND notes.key = ?");
  Binder(query) << point << pruned_note;
  if (!query.executeStep()) return;
  throw StoreError(
      fmt::format("this needs the samples of point {}:{} of the store '{}': {}. Its statistics are still "
                  "stored. Measure the point again to get samples",
                  query.getColumn(0).getInt64(), query.getColumn(1).getInt64(), file.string(),
                  query.getColumn(2).getString()));
}

}  // namespace

void Store::append_samples(PointId point, std::uint32_t session, std::uint32_t round,
                           const SampleBlock& block, std::uint32_t replicate) {
  guarded(impl_->file, "add samples to", [&] {
    // One statement is one transaction; the condition keeps samples out of a settled point.
    SQLite::Statement insert(
        impl_->database,
        "INSERT INTO samples (point, session, replicate, round, batch, gated, ns, readings_json, note, "
        "used, "
        "stored_at) "
        "SELECT id, ?, ?, ?, ?, ?, ?, ?, ?, 1, ? FROM points WHERE id = ? AND finished = 0");
    Binder bind(insert);
    bind << session << replicate << round << block.batch << block.gated;
    bind.blob(codec::encode_doubles(block.ns));
    bind << codec::encode(block.readings) << block.note << utc_now() << point;
    if (insert.exec() != 1) {
      throw StoreError(fmt::format("the store '{}' refuses samples of point {}: it is settled or unknown",
                                   impl_->file.string(), to_number(point)));
    }
  });
}

void Store::mark_unused(PointId point, std::uint32_t round, std::uint32_t replicate) {
  guarded(impl_->file, "write to", [&] {
    SQLite::Statement update(impl_->database,
                             "UPDATE samples SET used = 0 WHERE point = ? AND round = ? AND replicate = ?");
    Binder(update) << point << round << replicate;
    update.exec();
  });
}

std::uint32_t Store::last_round(RunId run) const {
  return guarded(impl_->file, "read", [&] {
    SQLite::Statement query(impl_->database,
                            "SELECT ifnull(max(round), 0) FROM samples WHERE point IN "
                            "(SELECT id FROM points WHERE run = ?)");
    Binder(query) << run;
    query.executeStep();
    return static_cast<std::uint32_t>(query.getColumn(0).getInt64());
  });
}

std::vector<SampleRow> Store::samples(PointId point) const {
  return guarded(impl_->file, "read", [&] {
    std::vector<SampleRow> samples;
    SQLite::Statement query(
        impl_->database,
        "SELECT point, session, replicate, round, batch, gated, ns, readings_json, note, used, stored_at "
        "FROM samples WHERE point = ? ORDER BY id");
    Binder(query) << point;
    bool any = false;
    for (; query.executeStep(); any = true) {
      SampleRow sample;
      Row row(query);
      row >> sample.point >> sample.session >> sample.replicate >> sample.round >> sample.block.batch >>
          sample.block.gated;
      sample.block.ns = codec::decode_doubles(row.bytes());
      sample.block.readings = codec::decode_readings(row.text());
      row >> sample.block.note >> sample.used >> sample.stored_at;
      samples.push_back(std::move(sample));
    }
    if (!any) refuse_pruned(impl_->database, point, impl_->file);
    return samples;
  });
}

struct SampleTimes::Impl {
  const std::filesystem::path& file;
  SQLite::Database& database;
  Snapshot snapshot;
  SQLite::Statement query;

  Impl(const std::filesystem::path& store, SQLite::Database& database)
      : file(store),
        database(database),
        snapshot(database, store),
        query(database,
              "SELECT replicate, ns FROM samples WHERE point = ? AND used = 1 ORDER BY replicate, id") {}
};

SampleTimes::SampleTimes(const Store& store) {
  const std::filesystem::path& file = store.impl_->file;
  impl_ = guarded(file, "read", [&] { return std::make_unique<Impl>(file, store.impl_->database); });
}

SampleTimes::SampleTimes(SampleTimes&&) noexcept = default;
SampleTimes& SampleTimes::operator=(SampleTimes&&) noexcept = default;
SampleTimes::~SampleTimes() = default;

std::vector<std::vector<double>> SampleTimes::of(PointId point) {
  return guarded(impl_->file, "read", [&] {
    std::vector<std::vector<double>> samples;
    std::optional<std::uint32_t> replicate;
    impl_->query.reset();
    Binder(impl_->query) << point;
    while (impl_->query.executeStep()) {
      Row row(impl_->query);
      std::uint32_t number{};
      row >> number;
      if (replicate != number) samples.emplace_back();
      replicate = number;
      const std::vector<double> block = codec::decode_doubles(row.bytes());
      samples.back().insert(samples.back().end(), block.begin(), block.end());
    }
    if (samples.empty()) refuse_pruned(impl_->database, point, impl_->file);
    return samples;
  });
}

}  // namespace benchctl
