// Kernels of a config as variants, and sweeps that are searched.
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/fixtures.hpp"
#include "sweep/search.hpp"
#include "sweep/stored_config.hpp"

#include <filesystem>

using namespace benchctl;
using namespace benchctl::test;

namespace {

const std::string kernel =
    "[[kernel]]\nname = 'mine'\nworkload = 'grid'\nbackend = 'gpu'\nsource = 'k.cu'\nentry = 'go'\n"
    "defines = ['T', 'U']\nblock = 'T'\ngrid = 'ceil_div(n, T)'\n";

/// A config on disk with one sweep of `grid` and a kernel.
class Own {
 public:
  explicit Own(const std::string& sweep) {
    static_cast<void>(folder_.write("k.cu", "kernel\n"));
    config =
        parse_config("[experiment]\nname = 'x'\n[[sweep]]\nworkload = 'grid'\n" + sweep + "\n" + kernel,
                     "x.toml", {folder_.path(), false});
  }
  Config config;
  Catalogue tables = catalogue();

 private:
  TemporaryDirectory folder_;
};

const std::string swept = "backends = ['gpu']\nparameters = { n = 64, T = [8, 16, 32], U = [1, 2] }";

}  // namespace

TEST_CASE("a size that a tunable gives rules out the points that it makes too large, or empty") {
  const TemporaryDirectory folder;
  static_cast<void>(folder.write("k.cu", "kernel\n"));
  const Config config = parse_config(
      "[experiment]\nname = 'x'\n[workload.sums]\nparameters = { n = 4 }\n"
      "[[workload.sums.buffer]]\nname = 'x'\ntype = 'f32'\ncount = 'n'\nrole = 'in'\n"
      "[[workload.sums.buffer]]\nname = 'y'\ntype = 'f32'\ncount = '2 * T'\nrole = 'out'\n"
      "[workload.sums.check]\nkernel = 'mine'\n"
      "[[kernel]]\nname = 'mine'\nworkload = 'sums'\nbackend = 'gpu'\nsource = 'k.cu'\nentry = 'go'\n"
      "block = 1\ngrid = 'T + 1'\ntunables = { T = 1 }\n"
      "[[sweep]]\nworkload = 'sums'\ndevices = ['gpu:0']\nparameters = { T = [0, 2, 4] }\n",
      "x.toml", {folder.path(), false});
  Catalogue tables = catalogue();
  add_own_kernels(tables, config);
  LaneTable table = lanes();
  table[0].lanes[0].device.limits.max_allocation_bytes = 31;
  const std::vector<Point> points = benchctl::expand(config, tables, table).points;
  REQUIRE(points.size() == 3);
  CHECK_THAT(points[0].reason, ContainsSubstring("buffer y would have no elements"));
  CHECK(points[1].status == Status::not_run);
  CHECK_THAT(points[2].reason, ContainsSubstring("buffer y takes 32 bytes, the device allows 31 bytes"));
}

TEST_CASE("a stored config comes back with its files, those above its folder included") {
  const TemporaryDirectory place;
  std::filesystem::create_directories(place.path() / "a/b");
  static_cast<void>(place.write("shared.cu", "shared\n"));
  std::string text = "[experiment]\nname = 'x'\n[[sweep]]\nworkload = 'grid'\n" + swept + "\n" + kernel;
  text.replace(text.find("'k.cu'"), 6, "'../../shared.cu'");
  const Config config = parse_config(text, "x.toml", {place.path() / "a/b", true});
  const NamedContents files = files_of(config);
  REQUIRE(files.size() == 1);
  CHECK(files[0].first == "../../shared.cu");
  const TemporaryDirectory empty;
  const Config restored = restore_config(text, files, empty.path() / "config");
  CHECK(restored.kernels.at(0).files == config.kernels.at(0).files);
  const TemporaryDirectory other;
  CHECK_THROWS_AS(restore_config(text, {{"/etc/evil", "x"}}, other.path() / "config"), std::runtime_error);
}

TEST_CASE("a huge space is searched") {
  const std::string axes =
      "backends = ['gpu']\nparameters = { n = 64, T = { from = 1, to = 100000, step = 1 }, U = { from = 1, "
      "to = 100000, step = 1 } }";
  Own some(axes +
           "\nsearch = { strategy = 'hill_climb' }\nwhere = ['T * U <= 1e6', 'T % 2 == 0']\nvariants = "
           "['mine']");
  add_own_kernels(some.tables, some.config);
  const LaneTable table = lanes();
  const Searches searches = make_searches(some.config, some.tables, table);
  REQUIRE(searches.tasks.size() == 2);
  CHECK(searches.tasks[0]->space().size() == 1e10);
  CHECK(searches.tasks[0]->max_points() == 100);
  const auto strategy = find_strategy("hill_climb")->make(searches.tasks[0]->space(), 1);
  CHECK(strategy->next(4).size() == 4);
}

TEST_CASE("a search over too many problems is refused") {
  Own many(
      "backends = ['gpu']\nsearch = { strategy = 'random' }\n"
      "parameters = { n = { from = 1, to = 100000, step = 1 }, T = 1, U = 1 }");
  add_own_kernels(many.tables, many.config);
  CHECK_THROWS_MATCHES(make_searches(many.config, many.tables, lanes()), ConfigErrors,
                       MessageMatches(ContainsSubstring("each with a search of its own")));
}
