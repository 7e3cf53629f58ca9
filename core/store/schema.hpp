// The tables of a store file, their columns for what reads or copies rows as they are, and the marks by
// which a store is known.
//
// One number, schema_version, stands for what a store means: its tables, the content keys of its points and
// the config hashes of its runs. Whoever changes one of these raises it. Other versions are refused.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace SQLite {
class Database;
}

namespace benchctl {

/// Kept in SQLite's user_version.
inline constexpr int schema_version = 10;
/// "BNST" in SQLite's application_id, from the first write on: what makes a file a benchctl store.
inline constexpr std::int32_t store_application_id = 0x424e5354;

/// Throws StoreError for a file that exists and is not a store, judged by its first bytes: SQLite never
/// opens it, so nothing is written beside it either.
void refuse_foreign_file(const std::filesystem::path& file);

/// Creates the tables in an empty database, and refuses one of another version.
void prepare_schema(SQLite::Database& database, const std::filesystem::path& file);
/// Throws StoreError: there is no store yet, and what makes one.
[[noreturn]] void refuse_missing_store(const std::filesystem::path& file);
/// For a connection that must not write: refuses another version.
void see_schema(SQLite::Database& database, const std::filesystem::path& file);

/// A table with rows that belong to points: its columns but `id` and `point`, and the order of a point's
/// rows.
struct PointTable {
  std::string_view name;
  std::string_view columns;
  std::string_view order = "point";
};

inline constexpr PointTable samples_table{
    "samples", "session, replicate, round, batch, gated, ns, readings_json, note, used, stored_at", "id"};
inline constexpr PointTable measurements_table{
    "measurements",
    "n_samples, batch, gated, median_ns, ci_low_ns, ci_high_ns, min_ns, max_ns, mean_ns, mad_ns, p5_ns, "
    "p25_ns, p75_ns, p95_ns, warmup_ns, processes, stop, note"};
inline constexpr PointTable comparisons_table{
    "comparisons",
    "against, other, label, rounds, time_ratio, ci_low, ci_high, comparisons, threshold, verdict",
    "against"};
inline constexpr PointTable verifications_table{
    "verifications",
    "phase, ok, reason, error_norm, tolerance_norm, worst_error, worst_tolerance, worst_element, checked, "
    "not_a_number, guard_bytes_changed",
    "phase"};
inline constexpr PointTable resources_table{"resources", "metric, value", "metric"};
inline constexpr PointTable notes_table{"notes", "key, text", "key"};

/// What finish_point writes and replaces.
inline constexpr std::array result_tables{measurements_table, comparisons_table, verifications_table,
                                          resources_table, notes_table};
/// All tables of points.
inline constexpr std::array point_tables{samples_table,       measurements_table, comparisons_table,
                                         verifications_table, resources_table,    notes_table};

/// All but keys and what points into other runs.
inline constexpr std::string_view run_columns =
    "name, title, question, config_text, config_hash, command, version, seed, environment_json, "
    "published_json, state, created_at, finished_at, placed_at";
inline constexpr std::string_view lane_columns = "name, backend, device_json";
inline constexpr std::string_view point_columns =
    "ordinal, sweep, label, apart, workload, variant, backend, device, problem_json, layout, "
    "tunables_json, measure_json, time_basis, expect, content_key, vendor, flops, bytes_read, "
    "bytes_written, accesses, status, reason, finished";

/// The same columns of the table `t`.
[[nodiscard]] inline std::string qualified(std::string_view columns) {
  std::string text = "t.";
  for (const char c : columns) {
    text += c;
    if (c == ' ') text += "t.";
  }
  return text;
}

/// `?, ?, ?`: a place for each of the columns.
[[nodiscard]] inline std::string places_for(std::string_view columns) {
  std::string places = "?";
  for (const char c : columns) {
    if (c == ',') places += ", ?";
  }
  return places;
}

}  // namespace benchctl
