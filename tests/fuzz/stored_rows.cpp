#include "report/compare.hpp"
#include "report/explain.hpp"
#include "report/export.hpp"
#include "report/history.hpp"
#include "report/page.hpp"
#include "store/store.hpp"

#include "report/stored_run.hpp"
#include "support/paths.hpp"

#include "fuzz/target.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <array>
#include <map>
#include <set>

namespace benchctl::fuzz {

namespace {

/// A complete run with a row in every table that reports read.
void fill(Store& store) {
  test::RunWanted wanted;
  wanted.lanes = {test::lane_of("fake:0", "a device")};
  wanted.lanes[0].device.properties = {{"uuid", "u"}};
  Published figures;
  figures.source = "a paper";
  figures.match = {{"workload", std::string("matmul")}};
  figures.axis = "n";
  figures.values = {{Value(std::int64_t{64}), 5.0}};
  wanted.published = {figures};
  for (const char* variant : {"plain", "tiled"}) {
    Result& point = wanted.points.emplace_back(test::measured("fake:0", variant, 43.5, 1));
    point.verifications[VerificationPhase::before].ok = true;
    point.resources = {{"registers", 40}};
    point.notes = {{"kernel", "a note"}};
    point.comparisons = {
        {Against::baseline, 1, "a baseline", 9, 1.25, 1.125, 1.5, 3, 0.01, stats::Verdict::slower}};
  }
  const RunId run = test::store_run(store, wanted);
  store.set_roofs(run, std::array{RoofRow{"fake:0", "fma_f32", 1e12, store.points(run)[0].id}});
  store.add_event(run, "an event");
  store.add_files(run, std::array{RunFile{"k.cl", "kernel"}});
  store.set_baseline("release", run);
}

/// A store whose rows are overwritten, and afterwards what they were.
class Victim {
 public:
  Victim() {
    const auto clean = folder_.path() / "clean.db";
    {
      Store store = Store::open(clean);
      fill(store);
    }
    SQLite::Database(clean.string(), SQLite::OPEN_READWRITE).exec("PRAGMA journal_mode = DELETE");
    std::filesystem::copy_file(clean, file());
    // No crash of this process needs to be survived.
    writer_.emplace(file().string(), SQLite::OPEN_READWRITE);
    writer_->exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF");
    writer_->exec("ATTACH '" + clean.string() + "' AS clean");
    SQLite::Statement columns(
        *writer_,
        "SELECT t.name, c.name, c.type FROM sqlite_master AS t, pragma_table_info(t.name) "
        "AS c WHERE t.type = 'table' AND c.name NOT IN ('id', 'run', 'point')");
    while (columns.executeStep()) {
      const std::string table = columns.getColumn(0).getString();
      const std::string column = columns.getColumn(1).getString();
      const bool is_blob = columns.getColumn(2).getString() == "BLOB";
      columns_.try_emplace(
          {table, column},
          Column{is_blob, {*writer_, "UPDATE OR IGNORE " + table + " SET " + column + " = ?"}});
      tables_.try_emplace(table,
                          Table{{*writer_, "DELETE FROM " + table},
                                {*writer_, "INSERT INTO " + table + " SELECT * FROM clean." + table}});
    }
    store_.emplace(Store::open(file(), Store::Access::read_only));
  }

  /// False if the bytes set nothing.
  bool overwrite(std::string_view bytes) {
    SQLite::Transaction all(*writer_);
    restore();
    for (int line = 0; line < 40 && !bytes.empty(); ++line) {
      const std::size_t end = std::min(bytes.find('\n'), bytes.size());
      set(bytes.substr(0, end));
      bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    all.commit();
    return !touched_.empty();
  }

  [[nodiscard]] const Store& store() const { return *store_; }

 private:
  [[nodiscard]] std::filesystem::path file() const { return folder_.path() / "s.db"; }

  void set(std::string_view line) {
    const std::size_t dot = line.find('.');
    const std::size_t equals = line.find('=');
    if (dot == std::string_view::npos || equals == std::string_view::npos || equals < dot) return;
    const std::string table(line.substr(0, dot));
    const std::string column(line.substr(dot + 1, equals - dot - 1));
    const std::string value(line.substr(equals + 1));
    const auto known = columns_.find({table, column});
    if (known == columns_.end()) return;
    touched_.insert(table);
    SQLite::Statement& update = known->second.update;
    update.tryReset();
    try {
      if (known->second.is_blob) {
        update.bind(1, value.data(), static_cast<int>(value.size()));
      } else if (value == "NULL") {
        update.bind(1);
      } else {
        update.bind(1, value);
      }
      update.exec();
    } catch (const SQLite::Exception&) {
      // SQLite keeps that from any store.
    }
  }

  void restore() {
    for (const std::string& name : touched_) {
      Table& table = tables_.at(name);
      for (SQLite::Statement* statement : {&table.erase, &table.fill}) {
        statement->reset();
        statement->exec();
      }
    }
    touched_.clear();
  }

  // Statements are prepared once: that takes longer than what they do to a few rows.
  struct Column {
    bool is_blob;
    SQLite::Statement update;
  };
  struct Table {
    SQLite::Statement erase;
    SQLite::Statement fill;
  };

  test::TemporaryDirectory folder_;
  std::optional<SQLite::Database> writer_;
  std::optional<Store> store_;
  std::map<std::pair<std::string, std::string>, Column> columns_;
  std::map<std::string, Table> tables_;
  std::set<std::string> touched_;
};

constexpr RunId only_run{1};

void read_runs(const Store& store) {
  static_cast<void>(store.newest_complete_run());
  static_cast<void>(store.find_resumable("hash"));
  static_cast<void>(store.merged_runs());
  static_cast<void>(store.roofs(only_run));
  static_cast<void>(store.status_counts(only_run));
  require_json(runs_json(store), "the list of runs");
}

void read_points(const Store& store) {
  const std::vector<PointRow> points = store.points(only_run);
  for (const PointRow& row : points) static_cast<void>(store.samples(row.id));
  require(store.results(only_run).size() == points.size(), "a point without a result, or twice");
  static_cast<void>(store.measured("matmul"));
}

Report report_of(const Store& store) { return make_report(std::array{ReportSource{&store, only_run}}); }

void read_report_json(const Store& store) { require_json(report_json(report_of(store), {}), "a report"); }

void read_report_text(const Store& store) {
  const Report report = report_of(store);
  require_plain(report_markdown(report), "a report in Markdown");
  static_cast<void>(report_csv(report));
}

void read_page(const Store& store) { require_json(page_data(report_of(store), {}), "the data of a page"); }

void read_history(const Store& store) {
  const History history = make_history(store, {});
  require_json(history_json(history), "a history");
  require_plain(history_text(history, {.markdown = true}), "a history's text");
}

void read_explanation(const Store& store) {
  const FoundPoint choice = choose_point(store, "0");
  const std::vector<Finding> findings = explain(point_story(store, choice));
  require_json(explanation_json(choice, findings), "an explanation");
  require_plain(explanation_text(choice, findings, 80), "an explanation's text");
}

void read_comparison(const Store& store) {
  const CompareSide side = side_of(store, only_run);
  const CompareResult result = compare_runs(side, side, {});
  require(result.pairs.size() >= side.points.size(), "a point is in no pair");
  require_json(compare_json(result, 0), "a comparison");
  require_plain(compare_text(result, {.markdown = true, .colours = false, .all = true}), "a comparison");
}

constexpr std::array readers{read_runs, read_points,  read_report_json, read_report_text,
                             read_page, read_history, read_explanation, read_comparison};

/// A row that cannot be read is refused.
void read(const Store& store, std::size_t reader) {
  try {
    readers.at(reader)(store);
  } catch (const StoreError&) {
  } catch (const PointNotFound&) {
  }
}

Victim& victim() {
  static Victim only;
  return only;
}

}  // namespace

void stored_rows(std::string_view bytes) {
  if (victim().overwrite(bytes)) read(victim().store(), bytes.size() % readers.size());
}

void stored_rows_by_all(std::string_view bytes) {
  victim().overwrite(bytes);
  for (std::size_t reader = 0; reader < readers.size(); ++reader) read(victim().store(), reader);
}

}  // namespace benchctl::fuzz
