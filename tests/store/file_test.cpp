// The file itself: what is refused, what survives, what is said when it cannot be written.
#include "store/database.hpp"
#include "store/fixtures.hpp"
#include "store/schema.hpp"
#include "support/catch.hpp"

#include <fmt/format.h>

#include <sys/stat.h>

using namespace benchctl;
using namespace benchctl::test;
namespace fs = std::filesystem;

namespace {

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

struct Place {
  TemporaryDirectory folder;
  fs::path file = folder.path() / "store.db";
};

}  // namespace

TEST_CASE("files that are no store are refused and left as they are") {
  TemporaryDirectory folder;
  const fs::path text = folder.write(
      "text.db", "not a database, but long enough to be taken for one: " + std::string(200, 'x'));
  const fs::path brief = folder.write("brief.db", "x");
  const fs::path foreign = folder.path() / "foreign.db";
  execute(foreign, "CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  const fs::path whole = folder.path() / "whole.db";
  static_cast<void>(Store::open(whole));
  const fs::path cut = folder.write("cut.db", contents_of(whole).substr(0, 80));
  const std::size_t files = files_in(folder.path());
  for (const fs::path& file : {text, brief, cut, foreign}) {
    const std::string before = contents_of(file);
    check_refused(file, {"not a benchctl store", file == foreign ? "another program" : "another kind",
                         file.string(), "--db"});
    CHECK(contents_of(file) == before);
  }
  CHECK(files_in(folder.path()) == files);
  CHECK_THROWS_MATCHES(Store::open(folder.path()), StoreError,
                       MessageMatches(ContainsSubstring("a folder")));
}

TEST_CASE_METHOD(Place, "a store of another schema version is refused and kept") {
  static_cast<void>(Store::open(file).create_run(a_run()));
  const auto refuses = [&](int version, const std::string& advice) {
    execute(file, fmt::format("PRAGMA user_version = {}", version));
    check_refused(file, {fmt::format("schema version {};", version),
                         fmt::format("version {} only", schema_version), advice, file.string()});
    CHECK(execute(file, "PRAGMA user_version") == std::to_string(version));
  };
  refuses(schema_version + 1, "Use the benchctl that wrote it");
  refuses(schema_version - 1, "Export its runs with the benchctl that wrote it");
  refuses(-1, "name another file with --db");
  // A store without version that holds something is not one that was never filled.
  refuses(0, "name another file with --db");
  execute(file, fmt::format("PRAGMA user_version = {}", schema_version));
  CHECK(Store::open(file).runs().size() == 1);
}

TEST_CASE_METHOD(Place, "a database with what no store has is refused and kept") {
  const std::string change = GENERATE(
      as<std::string>{}, "ALTER TABLE points RENAME TO other; CREATE VIEW points AS SELECT * FROM other",
      "CREATE TRIGGER other AFTER INSERT ON runs BEGIN DELETE FROM runs; END", "CREATE TABLE other (a)",
      "CREATE INDEX other ON runs (hex(title))");
  CAPTURE(change);
  static_cast<void>(Store::open(file).create_run(a_run()));
  execute(file, change);
  check_refused(file, {"not a benchctl store", "that no store has"});
}

TEST_CASE_METHOD(Place, "a value that is larger than any of a store is not read") {
  static_cast<void>(Store::open(file).create_run(a_run()));
  execute(file, "UPDATE runs SET title = hex(zeroblob(45000000))");
  const Store store = Store::open(file, Store::Access::read_only);
  CHECK_THROWS_MATCHES(store.runs(), StoreError, MessageMatches(ContainsSubstring("too big")));
  // Many large values in one row are not read, either.
  CHECK(sqlite3_hard_heap_limit64(-1) == sqlite3_int64{256} << 20);
}

TEST_CASE_METHOD(Place, "a new store is in WAL mode and known by its first bytes") {
  const Store store = Store::open(file);
  CHECK(store.path() == file);
  CHECK(execute(file, "PRAGMA journal_mode") == "wal");
  // A process that dies now leaves a file that is taken for a store.
  CHECK(contents_of(file).substr(68, 4) == "BNST");
}

TEST_CASE_METHOD(Place, "a store is opened while another process writes to it") {
  static_cast<void>(Store::open(file));
  SQLite::Database other(file.string(), SQLite::OPEN_READWRITE);
  const SQLite::Transaction writing(other, SQLite::TransactionBehavior::IMMEDIATE);
  CHECK(Store::open(file).runs().empty());
}

TEST_CASE("an empty file becomes a store, reading needs one") {
  TemporaryDirectory folder;
  const fs::path file = folder.write("empty.db", "");
  const fs::path missing = folder.path() / "missing.db";
  CHECK_THROWS_MATCHES(Store::open(file, Store::Access::read_only), StoreError,
                       MessageMatches(ContainsSubstring("benchctl run")));
  CHECK_THROWS_AS(Store::open(missing, Store::Access::read_only), StoreError);
  CHECK_FALSE(fs::exists(missing));
  CHECK(Store::open(file).runs().empty());
  CHECK(Store::open(file, Store::Access::read_only).runs().empty());
}

TEST_CASE_METHOD(Place, "columns for readers of the file: label, time basis, text as it is read") {
  Store store = Store::open(file);
  const PointRow point = a_point(0);
  store.add_points(store.create_run(a_run()), std::vector{point});
  CHECK(execute(file, "SELECT label FROM points") == point.point.label());
  CHECK(execute(file, "SELECT time_basis FROM points") == "end_to_end");
  CHECK_THAT(execute(file, "SELECT tunables_json FROM points"), ContainsSubstring("ü µ 漢"));
}

TEST_CASE_METHOD(Place, "the index that finds measured points is one that SQLite can use") {
  static_cast<void>(Store::open(file));
  CHECK(execute(file,
                "SELECT count(*) FROM points INDEXED BY points_by_content WHERE content_key = 'x' AND "
                "finished = 1 "
                "AND status = 'ok'") == "0");
}

TEST_CASE("what was acknowledged survives kill -9 at any moment") {
  TemporaryDirectory folder;
  for (std::uint32_t attempt = 0; attempt < 8; ++attempt) {
    CAPTURE(attempt);
    const fs::path file = folder.path() / ("store" + std::to_string(attempt) + ".db");
    std::array<int, 2> pipe_ends{};
    REQUIRE(pipe(pipe_ends.data()) == 0);
    const pid_t child = start_child([&]() -> int {
      Store store = Store::open(file);
      const RunId run = store.create_run(a_run("killed"));
      const auto points = store.add_points(run, std::vector{a_point(0), a_point(1)});
      for (std::uint32_t round = 0;; ++round) {
        store.append_samples(points[0], 0, round, a_block(round));
        if (round == 5) store.finish_point(points[1], a_result());
        static_cast<void>(write(pipe_ends[1], &round, sizeof round));
      }
    });
    close(pipe_ends[1]);
    const std::uint32_t last = 1 + attempt * 7;
    std::uint32_t acknowledged = 0;
    while (read(pipe_ends[0], &acknowledged, sizeof acknowledged) == sizeof acknowledged)
      if (acknowledged == last) kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    close(pipe_ends[0]);
    REQUIRE(acknowledged >= last);

    Store store = Store::open(file);
    const RunRow run = store.find_resumable("killed").value();
    const auto points = store.points(run.id);
    REQUIRE(points.size() == 2);
    const auto samples = store.samples(points[0].id);
    REQUIRE(samples.size() > acknowledged);
    CHECK(samples.size() <= acknowledged + 2);
    for (std::uint32_t round = 0; round < samples.size(); ++round) {
      CHECK(samples[round].round == round);
      CHECK(samples[round].block.ns == a_block(round).ns);
    }
    if (acknowledged >= 5) CHECK(points[1].finished);
    CHECK(points[1].finished == store.results(run.id)[1].measurement.has_value());
    CHECK(execute(file, "PRAGMA integrity_check") == "ok");
    CHECK(store.take_over(run.id));
    store.append_samples(points[0].id, 1, 1000, a_block(0));
  }
}

TEST_CASE_METHOD(Place, "two processes that make the same store at once both get it") {
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(start_child([&] {
      Store store = Store::open(file);
      for (int run = 0; run < 5; ++run) store.create_run(a_run());
      return 0;
    }));
  }
  for (const pid_t child : children) CHECK(exit_status(child) == 0);
  CHECK(Store::open(file).runs().size() == 20);
}

TEST_CASE_METHOD(Place, "a file that cannot grow ends in a sentence, and keeps what it had") {
  const PointId point = [&] {
    Store store = Store::open(file);
    const RunId run = store.create_run(a_run());
    return store.add_points(run, std::vector{a_point(0)}).front();
  }();
  const int stored = in_child([&] {
    Store store = Store::open(file);
    limit_file_size(400'000);
    SampleBlock block;
    block.ns.assign(5000, 1.5);
    for (std::uint32_t round = 0; round < 50; ++round) {
      try {
        store.append_samples(point, 0, round, block);
      } catch (const StoreError& error) {
        const bool clear = HasAll({file.string(), "check the disk", "resumes"}).match(error.what());
        return clear ? static_cast<int>(round) : 97;
      }
    }
    return 96;
  });
  REQUIRE(stored > 1);
  REQUIRE(stored < 50);
  const auto samples = Store::open(file).samples(point);
  CHECK(samples.size() == static_cast<std::size_t>(stored));
  CHECK(execute(file, "PRAGMA integrity_check") == "ok");
}

TEST_CASE("a file or folder without permission is named, with advice") {
  TemporaryDirectory folder;
  fs::permissions(folder.path(), fs::perms::all);
  const fs::path file = folder.path() / "store.db";
  static_cast<void>(Store::open(file));
  chmod(file.c_str(), 0444);
  CHECK(
      refuses_nobody([&] { Store::open(file).create_run(a_run()); }, {file.string(), "writable", "--db"}));
  chmod(file.c_str(), 0);
  CHECK(refuses_nobody([&] { static_cast<void>(Store::open(file)); }, {file.string(), "permissions"}));
  CHECK_THROWS_MATCHES(Store::open(folder.path() / "no/such/folder/store.db"), StoreError,
                       MessageMatches(ContainsSubstring("folder exists") && ContainsSubstring("no/such")));
}

TEST_CASE("a store on a medium that cannot be written to is read") {
  TemporaryDirectory folder;
  const fs::path file = folder.path() / "50%41 of #1?.db";
  static_cast<void>(Store::open(file).create_run(a_run()));
  chmod(file.c_str(), 0444);
  chmod(folder.path().c_str(), 0755);
  const int runs = in_child([&] {
    if (geteuid() == 0 && setuid(65534) != 0) return 50;
    return static_cast<int>(Store::open(file, Store::Access::read_only).runs().size());
  });
  CHECK(runs == 1);
}

TEST_CASE_METHOD(Place, "what a process left that was killed while it made the store is read, too") {
  static_cast<void>(Store::open(file).create_run(a_run()));
  execute(file, "PRAGMA journal_mode = DELETE");
  // A transaction that has begun to reach the file when its process dies.
  const int killed = in_child([&] {
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
    database.exec("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; CREATE TABLE t (a)");
    for (int i = 0; i < 200; ++i) database.exec("INSERT INTO t VALUES (zeroblob(1000))");
    _exit(0);
    return 1;
  });
  REQUIRE(killed == 0);
  REQUIRE(fs::file_size(file.string() + "-journal") > 0);
  CHECK(Store::open(file, Store::Access::read_only).runs().size() == 1);
}

TEST_CASE_METHOD(Place, "a store whose maker was killed before it held anything is none yet") {
  execute(file, fmt::format("PRAGMA application_id = {}; CREATE TABLE t (a); DROP TABLE t",
                            store_application_id));
  CHECK_THROWS_MATCHES(Store::open(file, Store::Access::read_only), StoreError,
                       MessageMatches(ContainsSubstring("there is no store")));
}

TEST_CASE_METHOD(Place, "a folder that must not be looked into is not taken for one without store") {
  if (geteuid() != 0) SKIP("only root can become another user");
  static_cast<void>(Store::open(file));
  chmod(folder.path().c_str(), 0700);
  CHECK(refuses_nobody([&] { static_cast<void>(Store::open(file, Store::Access::read_only)); },
                       {"Permission denied"}));
}

TEST_CASE("each kind of failure has its own advice") {
  const auto text = [](int code) { return explain_sqlite(code, "said", "tried on", "/a/b.db"); };
  for (const int code :
       {SQLITE_FULL, SQLITE_READONLY, SQLITE_BUSY, SQLITE_CORRUPT, SQLITE_INTERRUPT, SQLITE_ERROR}) {
    CHECK_THAT(text(code), ContainsSubstring("cannot tried on the store '/a/b.db': said; "));
    CHECK_THAT(text(code), ContainsSubstring("--db"));
  }
  CHECK_THAT(text(SQLITE_FULL), ContainsSubstring("free some space"));
  CHECK_THAT(text(SQLITE_READONLY), ContainsSubstring("writable"));
  CHECK_THAT(text(SQLITE_READONLY_DBMOVED), ContainsSubstring("writable"));  // an extended code
  CHECK_THAT(text(SQLITE_IOERR_WRITE), ContainsSubstring("check the disk"));
  CHECK_THAT(text(SQLITE_BUSY), ContainsSubstring("locked"));
  CHECK_THAT(text(SQLITE_CORRUPT), ContainsSubstring("damaged"));
}

TEST_CASE_METHOD(Place, "a column that nobody here wrote is an error, not a crash") {
  Store store = Store::open(file);
  const RunId run = store.create_run(a_run());
  const PointId point = store.add_points(run, std::vector{a_point(0)}).front();
  store.append_samples(point, 0, 0, a_block(1));
  execute(file, "UPDATE samples SET ns = x'010203'");
  CHECK_THROWS_MATCHES(store.samples(point), StoreError,
                       MessageMatches(ContainsSubstring("cannot be read")));
  execute(file, "UPDATE points SET problem_json = '{'");
  CHECK_THROWS_AS(store.points(run), StoreError);
  execute(file, "UPDATE points SET problem_json = '{}', status = 'fine'");
  CHECK_THROWS_AS(store.points(run), StoreError);
}
