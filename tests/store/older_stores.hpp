// Stores as older versions of the schema had them.
#pragma once

#include "store/fixtures.hpp"

namespace benchctl::test {

/// Takes from a store's file what came with later versions than `version`.
inline void make_older(const std::filesystem::path& file, int version) {
  std::string sql =
      "PRAGMA journal_mode = DELETE; DROP TABLE baselines; DROP TABLE merged_runs; DROP TABLE run_files;";
  if (version < 3) {
    sql += R"sql(
      DROP TABLE comparisons;
      CREATE TABLE old (
        id INTEGER PRIMARY KEY, point INTEGER NOT NULL REFERENCES points, session INTEGER NOT NULL,
        round INTEGER NOT NULL, batch INTEGER NOT NULL, gated INTEGER NOT NULL, ns BLOB NOT NULL,
        readings_json TEXT NOT NULL, note TEXT NOT NULL, used INTEGER NOT NULL, stored_at TEXT NOT NULL,
        UNIQUE (point, session, round)) STRICT;
      INSERT INTO old SELECT id, point, session, round, batch, gated, ns, readings_json, note, used, stored_at
        FROM samples WHERE replicate = 0;
      DROP TABLE samples;
      ALTER TABLE old RENAME TO samples;
      UPDATE points SET measure_json = json_remove(measure_json, '$.mode', '$.replicates');)sql";
  }
  if (version < 2) {
    sql += R"sql(
      DROP TABLE roofs;
      ALTER TABLE runs DROP COLUMN published_json;
      ALTER TABLE points DROP COLUMN accesses;)sql";
  }
  execute(file, sql + "PRAGMA user_version = " + std::to_string(version));
}

}  // namespace benchctl::test
