// Raw samples: one array for each point, session and round.
#include "store/database.hpp"
#include "store/schema.hpp"

#include <fmt/format.h>

namespace benchctl {

namespace {

/// A point without samples: has it lost them?
void refuse_pruned(SQLite::Database& database, PointId point, const std::filesystem::path& file) {
  each_row(
      database,
      "SELECT points.run, points.ordinal, notes.text FROM notes JOIN points ON points.id = notes.point "
      "WHERE notes.point = ? AND notes.key = ?",
      [&](Row& row) {
        RunId run{};
        std::uint64_t ordinal{};
        row >> run >> ordinal;
        throw StoreError(
            fmt::format("this needs the samples of point {}:{} of the store '{}': {}. Its statistics are "
                        "still stored. Measure the point again to get samples",
                        to_number(run), ordinal, file, row.text()));
      },
      point, pruned_note);
}

}  // namespace

void Store::append_samples(PointId point, std::uint32_t session, std::uint32_t round,
                           const SampleBlock& block, std::uint32_t replicate) {
  guarded(impl_->file, "add samples to", [&] {
    // One statement is one transaction; the condition keeps samples out of a settled point.
    static const std::string insert = fmt::format(
        "INSERT INTO samples (point, {}) SELECT id, {} FROM points WHERE id = ? AND finished = 0",
        samples_table.columns, places_for(samples_table.columns));
    if (impl_->run(insert, session, replicate, round, block.batch, block.gated,
                   Blob{codec::encode_doubles(block.ns)}, codec::encode(block.readings), block.note, true,
                   utc_now(), point) != 1) {
      throw StoreError(fmt::format("the store '{}' refuses samples of point {}: it is settled or unknown",
                                   impl_->file, to_number(point)));
    }
  });
}

void Store::mark_unused(PointId point, std::uint32_t round, std::uint32_t replicate) {
  impl_->change("UPDATE samples SET used = 0 WHERE point = ? AND round = ? AND replicate = ?", point, round,
                replicate);
}

std::uint32_t Store::last_round(RunId run) const {
  return impl_
      ->value<std::uint32_t>(
          "SELECT ifnull(max(round), 0) FROM samples WHERE point IN (SELECT id FROM points WHERE run = ?)",
          run)
      .value();
}

std::vector<SampleRow> Store::samples(PointId point) const {
  std::vector<SampleRow> samples = impl_->list<SampleRow>(
      fmt::format("SELECT point, {} FROM samples WHERE point = ? ORDER BY id", samples_table.columns),
      [](Row& row, SampleRow& sample) {
        row >> sample.point >> sample.session >> sample.replicate >> sample.round >> sample.block.batch >>
            sample.block.gated >> sample.block.ns >> sample.block.readings >> sample.block.note >>
            sample.used >> sample.stored_at;
      },
      point);
  if (samples.empty())
    impl_->read([&](SQLite::Database& database) { refuse_pruned(database, point, impl_->file); });
  return samples;
}

}  // namespace benchctl
