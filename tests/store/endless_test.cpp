// Stores of strangers whose pages and texts are made so that reading them has no end, or takes all memory.
#include "store/filled_store.hpp"
#include "support/catch.hpp"

#include <fmt/format.h>

using namespace benchctl;
using namespace benchctl::test;
namespace fs = std::filesystem;

namespace {

void put(std::string& bytes, std::size_t at, std::uint64_t value, int length) {
  for (int i = length; i-- > 0; value >>= 8)
    bytes[at + static_cast<std::size_t>(i)] = static_cast<char>(value);
}

/// A page of SQLite's b-trees of tables that has only one page below it, nine times.
std::string page_of_one(std::uint64_t below, std::size_t page_size) {
  constexpr std::size_t cells = 8;
  constexpr std::size_t cell_size = 5;
  std::string page(page_size, '\0');
  page[0] = 5;
  put(page, 3, cells, 2);
  put(page, 5, page_size - cells * cell_size, 2);
  put(page, 8, below, 4);
  for (std::size_t i = 0; i < cells; ++i) {
    const std::size_t cell = page_size - (i + 1) * cell_size;
    put(page, 12 + 2 * i, cell, 2);
    put(page, cell, below, 4);
    put(page, cell + 4, i + 1, 1);
  }
  return page;
}

/// Makes the rows of a table those of its first page, 9^15 times, in a file of at least so many pages.
void make_endless(const fs::path& file, const std::string& table, std::size_t pages = 0) {
  constexpr int levels = 15;
  execute(file, "PRAGMA journal_mode = DELETE");
  const std::size_t size = std::stoul(execute(file, "PRAGMA page_size"));
  const std::size_t root =
      (std::stoul(execute(file, "SELECT rootpage FROM sqlite_master WHERE name = '" + table + "'")) - 1) *
      size;
  std::string bytes = contents_of(file);
  bytes += bytes.substr(root, size);
  for (int level = 0; level < levels; ++level) bytes += page_of_one(bytes.size() / size, size);
  bytes.replace(root, size, page_of_one(bytes.size() / size, size));
  bytes.resize(std::max(bytes.size(), pages * size));
  put(bytes, 28, bytes.size() / size, 4);     // the file's pages by its header,
  bytes.replace(92, 4, bytes.substr(24, 4));  // which were counted at the last change
  std::ofstream(file, std::ios::binary) << bytes;
}

/// Reads all that a run has.
void read_all(const Store& store) {
  for (const RunRow& run : store.runs()) {
    static_cast<void>(store.lanes(run.id));
    static_cast<void>(store.roofs(run.id));
    static_cast<void>(store.events(run.id));
    static_cast<void>(store.files(run.id));
    for (const Result& result : store.results(run.id)) static_cast<void>(store.samples(result.row.id));
  }
}

}  // namespace

TEST_CASE("a store whose pages refer to one page again and again is refused and kept") {
  const TemporaryDirectory folder;
  const fs::path file = folder.path() / "store.db";
  const std::string table = GENERATE("runs", "points", "events");
  CAPTURE(table);
  static_cast<void>(Store::open(file).create_run(a_run()));
  make_endless(file, table);
  const std::string before = contents_of(file);
  check_refused(file, {"the file is damaged", file.string()});
  CHECK(contents_of(file) == before);
}

TEST_CASE("a query of a large store ends when it takes too many steps, and others go on") {
  const TemporaryDirectory folder;
  const fs::path file = folder.path() / "store.db";
  const RunId run = [&] {
    Store store = Store::open(file);
    store.add_event(store.create_run(a_run("another")), "of another run");
    return store.create_run(a_run());
  }();
  constexpr std::size_t more_than_are_checked = 2600;
  make_endless(file, "events", more_than_are_checked);
  const Store store = Store::open(file, Store::Access::read_only);
  CHECK_THROWS_MATCHES(
      store.events(run), StoreError,
      MessageMatches(ContainsSubstring("more steps or time, or gives more bytes, than a file of its")));
  CHECK(store.runs().size() == 2);
}

TEST_CASE("a query of a large store ends when it gives more than the file can have") {
  const TemporaryDirectory folder;
  const fs::path file = folder.path() / "store.db";
  const RunId run = [&] {
    Store store = Store::open(file);
    const RunId id = store.create_run(a_run());
    store.add_event(id, std::string(std::size_t{15} << 20, 'x'));
    return id;
  }();
  make_endless(file, "events");
  const Store store = Store::open(file, Store::Access::read_only);
  CHECK_THROWS_MATCHES(store.events(run), StoreError,
                       MessageMatches(ContainsSubstring("gives more bytes, than a file of its size")));
  CHECK(store.runs().size() == 1);
}

TEST_CASE("a query of a large store ends when it takes too long without a row", "[full]") {
  const TemporaryDirectory folder;
  const fs::path file = folder.path() / "store.db";
  {
    Store store = Store::open(file);
    store.add_points(store.create_run(a_run()), std::vector{a_point(0)});
  }
  // Each row is compared, with all of its 15 MiB.
  execute(file,
          "UPDATE points SET workload = 'matmul' || hex(zeroblob(7500000)), status = 'ok', finished = 1");
  make_endless(file, "points");
  const Store store = Store::open(file, Store::Access::read_only);
  CHECK_THROWS_MATCHES(store.measured("matmul"), StoreError,
                       MessageMatches(ContainsSubstring("more steps or time, or gives more bytes")));
  CHECK(store.runs().size() == 1);
}

TEST_CASE("a text that is larger than any of a store is not read, whatever it says") {
  const TemporaryDirectory folder;
  const fs::path whole = folder.path() / "whole.db";
  {
    Store store = Store::open(whole);
    fill_run(store, "filled");
    read_all(store);
  }
  execute(whole, "PRAGMA journal_mode = DELETE");
  for (const auto& [table, name] : {std::pair{"runs", "config_text"},
                                    {"runs", "published_json"},
                                    {"runs", "environment_json"},
                                    {"lanes", "device_json"},
                                    {"points", "reason"},
                                    {"points", "problem_json"},
                                    {"points", "measure_json"},
                                    {"measurements", "note"},
                                    {"verifications", "reason"},
                                    {"notes", "text"},
                                    {"comparisons", "label"},
                                    {"samples", "readings_json"},
                                    {"samples", "note"},
                                    {"roofs", "lane"},
                                    {"events", "text"},
                                    {"run_files", "name"}}) {
    CAPTURE(table, name);
    const fs::path file = folder.path() / "store.db";
    fs::copy_file(whole, file, fs::copy_options::overwrite_existing);
    execute(file, fmt::format("UPDATE {} SET {} = hex(zeroblob(9000000))", table, name));
    CHECK_THROWS_MATCHES(read_all(Store::open(file, Store::Access::read_only)), StoreError,
                         MessageMatches(ContainsSubstring("a text of 17 MiB where 16 are allowed")));
  }
}
