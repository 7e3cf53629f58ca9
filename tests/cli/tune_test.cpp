// `benchctl tune` from end to end on the scripted backend, whose kernels are quickest where TILE is n.
#include "config/tuning_file.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"

using namespace benchctl;
using namespace benchctl::test;
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
    write("mine.k", "fine\n");
    write("bad.k", "wrong_results\n");
    write("c.toml", text);
  }
  Outcome tune(const std::vector<std::string>& more = {}, int exit_code = 0) const {
    std::vector<std::string> arguments{"tune", "c.toml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return expect(exit_code, arguments);
  }
  [[nodiscard]] TuningTable table() const { return parse_tuning(read(file), file); }
};

std::int64_t tile_of(const Configuration& one) { return std::get<std::int64_t>(one.tunables.at("TILE")); }
std::int64_t n_of(const TunedClass& tuned) { return std::get<std::int64_t>(tuned.problem.at("n")); }

std::vector<std::int64_t> tiles_tried(const Sandbox& sandbox) {
  std::vector<std::int64_t> tiles;
  for (const json& row : sandbox.rows()) tiles.push_back(row.at("tunables").at("TILE").get<std::int64_t>());
  return tiles;
}

}  // namespace

TEST_CASE("a tune finds the quickest configuration of each problem, and a choice picks it") {
  const Tuning tuning;
  const Outcome outcome = tuning.tune();
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
  CHECK_THAT(outcome.out, HasAll({"7 of 7", "1.75× (", "2.25× (", "Geometric mean of 2 gains: 1.98×",
                                  "Written: " + file}));

  tuning.write("use.toml", config(kernel("mine") + choice("mine_tuned", "['mine']"), "['mine_tuned']",
                                  "[9, 32], trial = 1"));
  tuning.expect(0, {"run", "use.toml"});
  const json rows = tuning.rows();
  REQUIRE(rows.size() == 2);
  CHECK_THAT(rows[0].dump(), ContainsSubstring("TILE=8 "));
  CHECK_THAT(rows[1].dump(), ContainsSubstring("TILE=32 "));
}

TEST_CASE("a tune makes best what the config names as its objective") {
  std::string mine = kernel("mine");
  mine.insert(mine.find("[kernel.tunables]"), "access = [{ read = 'A', element = 't', times = 'TILE' }]\n");
  const Tuning tuning(config(mine, "['mine']", "8") + "[search]\nobjective = 'requested_gbytes_per_s'\n");
  const Outcome outcome = tuning.tune();
  const TuningTable table = tuning.table();
  REQUIRE(table.classes.size() == 1);
  // The last one is as slow as the default, and its threads request 4096 times as many bytes.
  CHECK(tile_of(table.classes[0].configurations.front()) == 64);
  CHECK(table.classes[0].configurations.size() == 1);
  CHECK_THAT(outcome.out, ContainsSubstring("4096.0"));
}

TEST_CASE_METHOD(Tuning, "what a tune found is a JSON document for other tools") {
  const json document = json::parse(tune({"--format", "json", "--output", "other"}).out);
  CHECK(document.at("schema") == "benchctl.tuning");
  CHECK(document.at("exit_code") == 0);
  CHECK(document.at("files") == json{"other/fake/fake/matmul.toml"});
  CHECK_THAT(document.at("mean_gain").get<double>(), WithinRel(std::sqrt(1.75 * 2.25), 0.01));
  const json& first = document.at("classes").at(0);
  CHECK(first.at("device") == "fake:0");
  CHECK(first.at("problem").at("n") == 8);
  CHECK(first.at("configurations").at(0).at("tunables").at("TILE") == 8);
  CHECK(first.at("configurations").at(0).at("median_ns") == 100'000);
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
    one->write(file, old);
  }
  whole.tune();
  // However small the budget is, every call measures something.
  Outcome stopped;
  for (int calls = 0; calls < 40 && !std::filesystem::exists(broken.path() / unfinished); ++calls) {
    stopped = broken.tune({"--budget", "0.000001s", "--format", "json"}, 6);
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
  CHECK_THAT(broken.tune().err, ContainsSubstring("resuming run 1"));
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
  tuning.tune({}, 1);
  const TuningTable table = tuning.table();
  REQUIRE(table.classes.size() == 1);
  CHECK(table.classes[0].choice == "both");
  for (const Configuration& one : table.classes[0].configurations) CHECK(one.variant == "mine");
  CHECK(tile_of(table.classes[0].configurations[0]) == 8);
}

TEST_CASE("the seed decides what is tried, and --from what is tried first") {
  const std::string many = "{ from = 1, to = 5000, step = 1 }";
  const std::string text = config(kernel("mine", "mine.k", 100'000, many), "['mine']", "8");
  const auto tried = [&](const std::string& seed) {
    const Tuning tuning(text);
    tuning.tune({"--output", "known"});
    std::filesystem::remove_all(tuning.path() / "store.db");
    tuning.tune({"--points", "8", "--output", "new", "--seed", seed});
    std::vector<std::int64_t> tiles = tiles_tried(tuning);
    tiles.resize(8);
    return tiles;
  };
  const auto one = tried("1");
  CHECK(one.front() == 1);  // the default
  CHECK(tried("1") == one);
  CHECK(tried("2") != one);
  const Tuning known(text);
  std::filesystem::create_directories(known.path() / "from/fake/fake");
  known.write("from/fake/fake/matmul.toml",
              "[tuning]\nworkload = 'matmul'\nbackend = 'fake'\narchitecture = 'fake'\n"
              "[[class]]\nchoice = 'mine'\nproblem = { n = 8 }\nconfigurations = [\n"
              "{ variant = 'mine', tunables = { TILE = 7 } },\n"
              "{ variant = 'mine', tunables = { TILE = 9000 } } ]\n");
  known.tune({"--from", "from", "--points", "3"});
  std::vector<std::int64_t> tiles = tiles_tried(known);
  tiles.resize(3);
  CHECK(tiles == std::vector<std::int64_t>{1, 7, 9000});
  CHECK(tile_of(known.table().classes.at(0).configurations.at(0)) == 7);
}

TEST_CASE("of two devices of one architecture the first is tuned, and that is told") {
  Tuning tuning(config(kernel("mine"), "['mine']", "8"));
  tuning.set("BENCHCTL_FAKE_DEVICES", "2");
  CHECK_THAT(tuning.tune().err, HasAll({"fake:1 is not tuned", "--device fake:1"}));
  CHECK(tuning.table().device == "Fake device 0");
  tuning.tune({"--device", "fake:1"});
  CHECK(tuning.table().device == "Fake device 1");
}

TEST_CASE_METHOD(Tuning, "what cannot be tuned is told before anything is measured") {
  std::filesystem::create_directories((path() / file).parent_path());
  write(file, "[tuning]\nworkload = 3\n");
  CHECK_THAT(tune({}, 2).err, ContainsSubstring("matmul.toml:2:12: error"));
  std::filesystem::remove(path() / file);
  write("flat", "no folder");
  CHECK_THAT(call({"tune", "c.toml", "--output", "flat"}).err, ContainsSubstring("--output flat"));
  CHECK(call({"tune", "c.toml", "--from", "nowhere"}).exit_code != 0);
  CHECK(call({"tune", "c.toml", "--points", "0"}).exit_code != 0);
  write("plain.toml", fake_config("variants = ['twin']", "n = 8"));
  CHECK_THAT(expect(2, {"tune", "plain.toml"}).err, ContainsSubstring("has nothing to tune"));
  CHECK(logged("open 0") == 0);
}
