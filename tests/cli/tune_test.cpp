// `benchctl tune` from end to end on the scripted backend, whose kernels are quickest where TILE is n.
#include "config/tuning_file.hpp"
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>

using namespace benchctl;
using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinRel;
using nlohmann::json;

namespace {

const std::string file = "tunings/fake/fake/matmul.toml";
const std::string unfinished = "tunings/unfinished/fake/fake/matmul.toml";
const std::string powers = "[1, 2, 4, 8, 16, 32, 64]";

std::string kernel(const std::string& name, const std::string& source = "mine.k", int ns = 100'000,
                   const std::string& tiles = powers) {
  return "[[kernel]]\nname = '" + name + "'\nworkload = 'matmul'\nbackend = 'fake'\nsource = '" + source +
         "'\nentry = 'go'\nblock = 'TILE'\ngrid = 1\ndefines = ['TILE']\n[kernel.tunables]\n"
         "TILE = { default = 1, values = " +
         tiles + " }\nfit = 0.25\nns = " + std::to_string(ns) +
         "\nnoise = 0.0\nnoise_seed = 1\ncorrelation = 0.0\ntail = 0.0\ndrift = 0.0\nprocess = 0.0\n"
         "fault_verb = 'run'\n";
}

std::string choice(const std::string& name, const std::string& among) {
  return "[[kernel]]\nname = '" + name + "'\nworkload = 'matmul'\nbackend = 'fake'\namong = " + among +
         "\n";
}

std::string config(const std::string& kernels, const std::string& variants = "['mine']",
                   const std::string& n = "[8, 32]") {
  return "[experiment]\nname = 'tuned'\n[measure]\nmax_samples = 60\nmax_seconds = 0.2\n" + kernels +
         "[[sweep]]\nworkload = 'matmul'\nbackends = ['fake']\nvariants = " + variants +
         "\nparameters = { n = " + n + " }\n";
}

/// With kernel `mine`, and a config of it.
class Tuning : public Sandbox {
 public:
  explicit Tuning(const std::string& text = config(kernel("mine"))) {
    static_cast<void>(write("mine.k", "fine\n"));
    static_cast<void>(write("bad.k", "wrong_results\n"));
    static_cast<void>(write("c.toml", text));
  }
  [[nodiscard]] Outcome tune(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"tune", "c.toml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return call(arguments);
  }
  [[nodiscard]] TuningTable table() const { return parse_tuning(read(file), file); }
};

std::int64_t tile_of(const Configuration& one) { return std::get<std::int64_t>(one.tunables.at("TILE")); }
std::int64_t n_of(const TunedClass& tuned) { return std::get<std::int64_t>(tuned.problem.at("n")); }

std::vector<std::int64_t> tiles_tried(const Sandbox& sandbox) {
  std::vector<std::int64_t> tiles;
  const json document = sandbox.exported();
  for (const json& row : document.at("rows"))
    tiles.push_back(row.at("tunables").at("TILE").get<std::int64_t>());
  return tiles;
}

}  // namespace

TEST_CASE("a tune finds the quickest configuration of each problem, and a choice picks it") {
  const Tuning tuning;
  const Outcome outcome = tuning.tune();
  INFO(outcome.err << outcome.out);
  REQUIRE(outcome.exit_code == 0);
  const TuningTable table = tuning.table();
  CHECK(table.workload == "matmul");
  CHECK(table.architecture == "fake");
  CHECK(table.device == "Fake device 0");
  CHECK(table.driver == "fake 1.0");
  CHECK(table.command == "benchctl tune c.toml");
  CHECK(table.date.size() == 10);
  REQUIRE(table.classes.size() == 2);
  for (const TunedClass& tuned : table.classes) {
    CHECK(tuned.choice == "mine");
    CHECK(tile_of(tuned.configurations.front()) == n_of(tuned));
    CHECK(tuned.configurations.front().ratio == 1);
    // Half and twice the size take 1.25 times as long, two steps 1.5 times, and the rest is left out.
    for (const Configuration& one : tuned.configurations) {
      const double steps =
          std::abs(std::log2(static_cast<double>(tile_of(one)) / static_cast<double>(n_of(tuned))));
      CHECK_THAT(one.ratio, WithinRel(1 + 0.25 * steps, 0.01));
      CHECK(steps <= 2);
    }
    CHECK(tuned.configurations.size() >= 3);
  }
  // The default is 1: three steps from 8, five from 32.
  CHECK_THAT(outcome.out, ContainsSubstring("1.750 [") && ContainsSubstring("2.250 ["));
  CHECK_THAT(outcome.out, ContainsSubstring("Geometric mean of 2 gains: 1.984"));
  CHECK_THAT(outcome.out, ContainsSubstring("Written: " + file));

  static_cast<void>(tuning.write("use.toml", config(kernel("mine") + choice("mine_tuned", "['mine']"),
                                                    "['mine_tuned']", "[9, 32], trial = 1")));
  const Outcome run = tuning.call({"run", "use.toml"});
  INFO(run.err << run.out);
  CHECK(run.exit_code == 0);
  const json rows = tuning.exported().at("rows");
  REQUIRE(rows.size() == 2);
  CHECK_THAT(rows[0].dump(), ContainsSubstring("TILE=8 "));
  CHECK_THAT(rows[1].dump(), ContainsSubstring("TILE=32 "));
}

TEST_CASE("what a tune found is a JSON document for other tools") {
  const Tuning tuning;
  const Outcome outcome = tuning.tune({"--format", "json", "--output", "other"});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const json document = json::parse(outcome.out);
  CHECK(document.at("schema") == "benchctl.tuning");
  CHECK(document.at("exit_code") == 0);
  CHECK(document.at("files") == json{"other/fake/fake/matmul.toml"});
  CHECK_THAT(document.at("mean_gain").get<double>(), WithinRel(std::sqrt(1.75 * 2.25), 0.01));
  const json& first = document.at("classes").at(0);
  CHECK(first.at("choice") == "mine");
  CHECK(first.at("device") == "fake:0");
  CHECK(first.at("problem").at("n") == 8);
  CHECK(first.at("configurations").at(0).at("tunables").at("TILE") == 8);
  CHECK(first.at("configurations").at(0).at("median_ns") == 100'000);
  CHECK_THAT(first.at("gain").at("ratio").get<double>(), WithinRel(1.75, 0.01));
  CHECK(first.at("gain").at("ci_low") <= first.at("gain").at("ratio"));
}

TEST_CASE("a tune without time keeps what is finished beside the table, and goes on where it stopped") {
  const std::string old =
      "[tuning]\nworkload = 'matmul'\nbackend = 'fake'\narchitecture = 'fake'\n"
      "[[class]]\nchoice = 'mine'\nproblem = { n = 2 }\nconfigurations = [{ variant = 'mine' }]\n"
      "[[class]]\nchoice = 'mine'\nproblem = { dtype = 'f32', k = 32, m = 32, n = 32 }\n"
      "configurations = [{ variant = 'mine' }]\n";
  const Tuning whole;
  const Tuning broken;
  for (const Tuning* one : {&whole, &broken}) {
    std::filesystem::create_directories((one->path() / file).parent_path());
    static_cast<void>(one->write(file, old));
  }
  REQUIRE(whole.tune().exit_code == 0);
  // However small the budget is, every call measures something.
  Outcome stopped;
  for (int calls = 0; calls < 40 && !std::filesystem::exists(broken.path() / unfinished); ++calls) {
    stopped = broken.tune({"--budget", "0.000001s", "--format", "json"});
    INFO(stopped.err << stopped.out);
    REQUIRE(stopped.exit_code == 6);
    const json document = json::parse(stopped.out);
    CHECK(document.at("unfinished").get<std::size_t>() + document.at("classes").size() == 2);
    CHECK(document.at("files").size() == document.at("classes").size());
  }
  INFO(stopped.err << stopped.out);
  CHECK_THAT(stopped.err,
             ContainsSubstring("1 search was not finished; the same command measures the rest"));
  CHECK(broken.read(file) == old);
  const TuningTable half = parse_tuning(broken.read(unfinished), unfinished);
  REQUIRE(half.classes.size() == 3);
  for (const TunedClass& tuned : half.classes) {
    CHECK(tuned.configurations[0].tunables.size() == (n_of(tuned) == 8 ? 1 : 0));
  }

  const std::size_t before = broken.log().size();
  const Outcome last = broken.tune();
  INFO(last.err << last.out);
  CHECK(last.exit_code == 0);
  CHECK_THAT(last.err, ContainsSubstring("resuming run 1"));
  CHECK(broken.log().size() - before < whole.log().size());
  CHECK(tiles_tried(broken) == tiles_tried(whole));
  const TuningTable table = broken.table();
  REQUIRE(table.classes.size() == 3);
  for (const TunedClass& tuned : table.classes) {
    const Configuration& best = tuned.configurations[0];
    CHECK((n_of(tuned) == 2 ? best.tunables.empty() : tile_of(best) == n_of(tuned)));
  }
  CHECK_FALSE(std::filesystem::exists(broken.path() / unfinished));
}

TEST_CASE("a kernel whose results are wrong is never in a table, however quick it is") {
  const Tuning tuning(config(
      kernel("mine") + kernel("bad", "bad.k", 1000) + choice("both", "['mine', 'bad']"), "['both']", "8"));
  const Outcome outcome = tuning.tune();
  INFO(outcome.err << outcome.out);
  CHECK(outcome.exit_code == 1);
  const TuningTable table = tuning.table();
  REQUIRE(table.classes.size() == 1);
  CHECK(table.classes[0].choice == "both");
  for (const Configuration& one : table.classes[0].configurations) CHECK(one.variant == "mine");
  CHECK(tile_of(table.classes[0].configurations[0]) == 8);
}

TEST_CASE("a second tune replaces the classes of its problems and keeps the others") {
  const Tuning tuning;
  REQUIRE(tuning.tune({"--set", "n=[8, 16]"}).exit_code == 0);
  const std::string text = tuning.read(file);
  static_cast<void>(tuning.write(file, text.substr(0, text.find("\n[[class]]")) +
                                           "\n[[class]]\nchoice = \"mine\"\nproblem = { n = 2 }\n"
                                           "configurations = [{ variant = \"mine\" }]\n" +
                                           text.substr(text.find("\n[[class]]"))));
  const Outcome outcome = tuning.tune({"--set", "n=[16, 32]"});
  INFO(outcome.err << outcome.out);
  REQUIRE(outcome.exit_code == 0);
  const TuningTable table = tuning.table();
  REQUIRE(table.classes.size() == 4);
  std::vector<std::int64_t> problems;
  for (const TunedClass& tuned : table.classes) problems.push_back(n_of(tuned));
  CHECK(std::ranges::count(problems, 16) == 1);
  CHECK(std::ranges::count(problems, 2) == 1);
}

TEST_CASE("the seed decides what is tried, and --from what is tried first") {
  const std::string many = "{ from = 1, to = 5000, step = 1 }";
  const std::string text = config(kernel("mine", "mine.k", 100'000, many), "['mine']", "8");
  const auto tried = [&](const std::vector<std::string>& more) {
    const Tuning tuning(text);
    static_cast<void>(tuning.tune({"--output", "known"}));
    std::filesystem::remove_all(tuning.path() / "store.db");
    std::vector<std::string> arguments{"--points", "8", "--output", "new"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = tuning.tune(arguments);
    INFO(outcome.err << outcome.out);
    REQUIRE(outcome.exit_code == 0);
    std::vector<std::int64_t> tiles = tiles_tried(tuning);
    tiles.resize(8);
    return tiles;
  };
  const auto one = tried({"--seed", "1"});
  CHECK(one.front() == 1);  // the default
  CHECK(tried({"--seed", "1"}) == one);
  CHECK(tried({"--seed", "2"}) != one);
  const Tuning known(text);
  std::filesystem::create_directories(known.path() / "from/fake/fake");
  static_cast<void>(known.write("from/fake/fake/matmul.toml",
                                "[tuning]\nworkload = 'matmul'\nbackend = 'fake'\narchitecture = 'fake'\n"
                                "[[class]]\nchoice = 'mine'\nproblem = { n = 8 }\nconfigurations = [\n"
                                "{ variant = 'mine', tunables = { TILE = 7 } },\n"
                                "{ variant = 'mine', tunables = { TILE = 9000 } } ]\n"));
  const Outcome outcome = known.tune({"--from", "from", "--points", "3"});
  INFO(outcome.err << outcome.out);
  REQUIRE(outcome.exit_code == 0);
  std::vector<std::int64_t> tiles = tiles_tried(known);
  tiles.resize(3);
  CHECK(tiles == std::vector<std::int64_t>{1, 7, 9000});
  CHECK(tile_of(known.table().classes.at(0).configurations.at(0)) == 7);
}

TEST_CASE("of two devices of one architecture the first is tuned, and that is told") {
  Tuning tuning(config(kernel("mine"), "['mine']", "8"));
  tuning.set("BENCHCTL_FAKE_DEVICES", "2");
  const Outcome outcome = tuning.tune();
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.err, ContainsSubstring("fake:1 is not tuned") && ContainsSubstring("--device fake:1"));
  CHECK(tuning.table().device == "Fake device 0");
  REQUIRE(tuning.tune({"--device", "fake:1"}).exit_code == 0);
  CHECK(tuning.table().device == "Fake device 1");
}

TEST_CASE("what cannot be tuned is told before anything is measured") {
  const Tuning tuning;
  std::filesystem::create_directories((tuning.path() / file).parent_path());
  static_cast<void>(tuning.write(file, "[tuning]\nworkload = 3\n"));
  const Outcome broken = tuning.tune();
  CHECK(broken.exit_code == 2);
  CHECK_THAT(broken.err, ContainsSubstring("matmul.toml:2:12: error"));
  std::filesystem::remove(tuning.path() / file);
  static_cast<void>(tuning.write("flat", "no folder"));
  CHECK_THAT(tuning.tune({"--output", "flat"}).err, ContainsSubstring("--output flat"));
  CHECK(tuning.tune({"--from", "nowhere"}).exit_code != 0);
  CHECK(tuning.tune({"--points", "0"}).exit_code != 0);
  static_cast<void>(tuning.write("plain.toml", fake_config("variants = ['twin']", "n = 8")));
  const Outcome nothing = tuning.call({"tune", "plain.toml"});
  CHECK(nothing.exit_code == 2);
  CHECK_THAT(nothing.err, ContainsSubstring("has nothing to tune"));
  CHECK(tuning.logged("open 0") == 0);
}

TEST_CASE("a kernel for OpenCL is tuned on a real device", "[serial]") {
  const Sandbox sandbox(Plugins::all);
  static_cast<void>(sandbox.write(
      "add.cl",
      "__kernel void add(__global const float* a, __global const float* b, __global float* c) {\n"
      "  const int i = get_global_id(0) * PER_ITEM;\n"
      "  for (int j = 0; j < PER_ITEM; ++j) c[i + j] = a[i + j] + b[i + j];\n}\n"));
  static_cast<void>(sandbox.write(
      "c.toml",
      "[experiment]\nname = 'tuned'\n[measure]\nsamples = 3\nmax_seconds = 1\nwarmup_seconds = 0\n"
      "[[kernel]]\nname = 'mine'\nworkload = 'vector_add'\nbackend = 'opencl'\nsource = 'add.cl'\n"
      "entry = 'add'\narguments = ['a', 'b', 'c']\ndtypes = ['f32']\ndefines = ['PER_ITEM']\n"
      "block = 64\ngrid = 'n / 64 / PER_ITEM'\n"
      "tunables = { PER_ITEM = { default = 1, values = [1, 4, 16] } }\n"
      "[[sweep]]\nworkload = 'vector_add'\nbackends = ['opencl']\nvariants = ['mine']\n"
      "parameters = { n = 16384, dtype = 'f32' }\n"));
  const Outcome there = sandbox.call({"check", "c.toml", "--require", "opencl"});
  if (there.exit_code != 0) SKIP(there.err);
  const Outcome outcome = sandbox.call({"tune", "c.toml", "--format", "json", "--timeout", "120"});
  INFO(outcome.err << outcome.out);
  REQUIRE(outcome.exit_code == 0);
  const json document = json::parse(outcome.out);
  REQUIRE(document.at("files").size() >= 1);
  const json& tuned = document.at("classes").at(0);
  CHECK(tuned.at("tried") == 3);
  CHECK_FALSE(tuned.at("configurations").empty());
  const std::string name = document.at("files").at(0).get<std::string>();
  CHECK(parse_tuning(sandbox.read(name), name).classes.at(0).choice == "mine");
}
