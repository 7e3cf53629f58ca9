// `benchctl ab` from end to end on the fake backend: two sides in turns until it is known which is slower.
#include "support/program.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

/// A folder with configs whose kernel `mine.k` says how slow it is; the two processes of a pair differ by
/// chance as `process` says.
struct Sides : Sandbox {
  explicit Sides(const std::string& process = "0.0") {
    static_cast<void>(write("work/c.toml", config(process)));
    static_cast<void>(kernel("work/mine.k", 0));
  }

  static std::string config(const std::string& process, const std::string& more = "n = [8, 16]",
                            const std::string& name = "mine") {
    return "[experiment]\nname = \"sides\"\n[measure]\nsamples = 6\nwarmup_seconds = 0\n[[kernel]]\nname = "
           "\"" +
           name +
           "\"\nworkload = \"matmul\"\nbackend = \"fake\"\nsource = \"mine.k\"\nentry = \"go\"\nblock = 1\n"
           "grid = 1\n[kernel.tunables]\nns = 100000\nnoise = 0.0\nnoise_seed = 0\ncorrelation = "
           "0.0\ntail = 0.0\ndrift = 0.0\nprocess = " +
           process +
           "\nfault_verb = \"run\"\n[[sweep]]\nworkload = \"matmul\"\nbackends = [\"fake\"]\nvariants = "
           "[\"" +
           name + "\"]\n[sweep.parameters]\n" + more + "\n";
  }
  std::string kernel(const std::string& name, double slower_percent) const {
    return write(name, "slower_percent " + std::to_string(slower_percent) + "\n").string();
  }
  [[nodiscard]] std::string file(const std::string& name) const { return (path() / name).string(); }
  [[nodiscard]] Outcome ab(std::vector<std::string> arguments, int exit_code) const {
    arguments.insert(arguments.begin(), "ab");
    Outcome outcome = call(arguments);
    INFO(outcome.out << outcome.err);
    CHECK(outcome.exit_code == exit_code);
    return outcome;
  }
  [[nodiscard]] json verdict() const { return json::parse(read("verdict.json")); }
  [[nodiscard]] json runs() const { return json::parse(call({"runs", "--format", "json"}).out).at("runs"); }
  /// A command in the folder that holds the config.
  void shell(const std::string& command) const {
    const std::string whole = "cd '" + file("work") + "' && (" + command + ") >/dev/null 2>&1";
    INFO(command);
    REQUIRE(std::system(whole.c_str()) == 0);  // NOLINT(concurrency-mt-unsafe)
  }
  void commit(const std::string& message) const {
    shell("git add . && git -c user.name=x -c user.email=x@example.org commit -q -m " + message);
  }
};

}  // namespace

TEST_CASE("the same config twice is fine, soon", "[ab]") {
  const Sides sides;
  const Outcome outcome = sides.ab(
      {sides.file("work/c.toml"), sides.file("work/c.toml"), "--verdict", sides.file("verdict.json")}, 0);
  CHECK_THAT(outcome.out, StartsWith("No change: 2 of 2 rows within ±1.0 % (95 %), 4 processes, ") &&
                              ContainsSubstring("2 same") && !ContainsSubstring("interrupted") &&
                              ContainsSubstring(
                                  "4 processes measured both sides in common rounds and looked at 1 time"));
  const json verdict = sides.verdict();
  CHECK(verdict.at("schema") == "benchctl.compare");
  CHECK(verdict.at("verdict") == "fine");
  CHECK(verdict.at("exit_code") == 0);
  CHECK(verdict.at("looks").back() == 4);
  CHECK(verdict.at("pairs").empty());
  // Each side is one run with a replicate for each process, which measured both.
  const json runs = sides.runs();
  REQUIRE(runs.size() == 2);
  for (const json& run : runs) {
    CHECK(run.at("state") == "complete");
    CHECK(run.at("points") == json({{"ok", 2}}));
  }
  CHECK(sides.exported().at("rows")[0].at("replicates") == 4);
  CHECK(sides.logged("open 0") == 4);
  CHECK(sides.call({"compare", "1", "2", "--format", "csv"}).exit_code == 0);
  CHECK(sides.call({"show", "1"}).exit_code == 0);
}

TEST_CASE("a slower kernel's file is found, confirmed by one more process, and both runs can be read",
          "[ab]") {
  const Sides sides;
  const std::string slow = sides.kernel("slow.k", 5);
  const Outcome outcome =
      sides.ab({sides.file("work/c.toml"), "--kernel-file", sides.file("work/mine.k"), slow, "--threshold",
                "2%", "--verdict", sides.file("verdict.json"), "--junit", sides.file("junit.xml"),
                "--summary", sides.file("summary.md")},
               3);
  CHECK_THAT(outcome.out,
             StartsWith("Regression: 2 of 2 rows are slower, most of all matmul/mine ") &&
                 ContainsSubstring(" on fake:0: 5.0 % slower (95 %: 5.0 to 5.0 %), 5 processes, ") &&
                 ContainsSubstring("100.0 µs  105.0 µs       1.050"));
  CHECK_THAT(outcome.err, ContainsSubstring("after 4 processes: 2 not resolved; 2.0 % would show by now"));
  CHECK(sides.logged("open 0") == 5);
  const json verdict = sides.verdict();
  CHECK(verdict.at("exit_code") == 3);
  REQUIRE(verdict.at("pairs").size() == 2);
  CHECK(verdict["pairs"][0].at("outcome") == "slower");
  CHECK(verdict["pairs"][0].at("ratio").get<double>() == Catch::Approx(1.05));
  CHECK_THAT(verdict.at("new").at("label").get<std::string>(), ContainsSubstring("slow.k"));
  CHECK_THAT(sides.read("junit.xml"), ContainsSubstring("tests=\"2\" failures=\"2\"") &&
                                          ContainsSubstring("<failure type=\"slower\""));
  CHECK_THAT(sides.read("summary.md"), StartsWith("**Regression: 2 of 2 rows are slower"));
  // The stored run has the kernel that was measured.
  const auto run_of = [&](const char* side) {
    return std::to_string(verdict.at(side).at("run").get<int>());
  };
  const Outcome replay = sides.call({"replay", run_of("new") + ":0", "--format", "json"});
  CHECK(replay.exit_code == 0);
  CHECK_THAT(sides.call({"compare", run_of("base"), run_of("new")}).out,
             ContainsSubstring("regressed: 2 slower"));
  // The other way round it is no failure.
  CHECK_THAT(sides
                 .ab({sides.file("work/c.toml"), "--kernel-file", sides.file("work/mine.k"),
                      sides.kernel("quick.k", -5)},
                     0)
                 .out,
             ContainsSubstring("2 faster"));
}

TEST_CASE("processes that scatter by 1 % hide neither that nothing changed nor a slowdown of 5 %", "[ab]") {
  const Sides sides("0.01");
  static_cast<void>(
      sides.ab({sides.file("work/c.toml"), sides.file("work/c.toml"), "--threshold", "0.05"}, 0));
  const Outcome slower = sides.ab({sides.file("work/c.toml"), "--kernel-file", sides.file("work/mine.k"),
                                   sides.kernel("slow.k", 10), "--threshold", "2%"},
                                  3);
  CHECK_THAT(slower.out, StartsWith("Regression: "));
}

TEST_CASE("what is undecided is no failure, in no output, unless that is asked for", "[ab]") {
  const Sides sides("0.1");
  const std::vector<std::string> usual{sides.file("work/c.toml"),
                                       sides.file("work/c.toml"),
                                       "--threshold",
                                       "0.1%",
                                       "--max-pairs",
                                       "3",
                                       "--verdict",
                                       sides.file("verdict.json"),
                                       "--junit",
                                       sides.file("junit.xml")};
  const Outcome outcome = sides.ab(usual, 0);
  // What could have been seen depends on how far three processes came.
  CHECK_THAT(outcome.out, StartsWith("Undecided after ") && ContainsSubstring("(load ") &&
                              ContainsSubstring("Nothing failed.\n"));
  CHECK(sides.verdict().at("verdict") == "fine");
  CHECK(sides.verdict().at("exit_code") == 0);
  CHECK_THAT(sides.read("junit.xml"), ContainsSubstring("failures=\"0\" errors=\"0\" skipped=\"2\""));
  std::vector<std::string> strict = usual;
  strict.emplace_back("--strict");
  CHECK_THAT(sides.ab(strict, 5).out, ContainsSubstring("That counts as a failure.\n"));
  CHECK(sides.verdict().at("verdict") == "not_resolved");
  CHECK_THAT(sides.read("junit.xml"), ContainsSubstring("failures=\"2\" errors=\"0\" skipped=\"0\""));
}

TEST_CASE("base's kernel says what is right, whatever the seed, also where its own file is exchanged",
          "[ab]") {
  const Sides sides;
  std::string config = Sides::config("0.0", "n = [8]");
  for (std::size_t at = 0; (at = config.find("\"matmul\"", at)) != std::string::npos;)
    config.replace(at, 8, "\"product\"");
  config += R"(
[workload.product]
parameters = { n = 8, m = 'n', k = 'n', dtype = ['f32'] }
[[workload.product.buffer]]
name = 'A'
type = 'dtype'
count = 'm * k'
role = 'in'
[[workload.product.buffer]]
name = 'B'
type = 'dtype'
count = 'k * n'
role = 'in'
[[workload.product.buffer]]
name = 'C'
type = 'dtype'
count = 'm * n'
role = 'out'
[workload.product.check]
kernel = 'mine'
relative = 'k * roundoff'
)";
  const std::string file = sides.write("work/judged.toml", config).string();
  const std::string wrong = sides.write("work/wrong.k", "wrong_results\n").string();
  for (const std::string seed : {"1", "2", "3", "4"}) {
    const Outcome outcome =
        sides.ab({file, "--kernel-file", sides.file("work/mine.k"), wrong, "--seed", seed}, 3);
    CHECK_THAT(outcome.out, StartsWith("Regression: 1 wrong now, "));
  }
  // In processes of their own, base comes first. Two truths cannot be compared.
  fs::create_directories(sides.path() / "other");
  fs::copy_file(wrong, sides.path() / "other/mine.k");
  const std::string other = sides.write("other/judged.toml", config + "absolute = '1e-9'\n").string();
  CHECK_THAT(sides.ab({file, other}, 4).err, ContainsSubstring("results of workload 'product' are right"));
}

TEST_CASE("a file that cannot be written is told before anything is measured", "[ab]") {
  const Sides sides;
  const Outcome outcome =
      sides.ab({sides.file("work/c.toml"), sides.file("work/c.toml"), "--junit", sides.file("junit.xml"),
                "--verdict", sides.file("missing/verdict.json")},
               2);
  CHECK_THAT(outcome.err, ContainsSubstring("--verdict ") &&
                              ContainsSubstring("missing/verdict.json: cannot be written: No such file"));
  CHECK(sides.logged("sampled mine") == 0);
  CHECK_FALSE(fs::exists(sides.path() / "junit.xml"));
}

TEST_CASE("nobody else measures between the processes of a comparison", "[ab]") {
  Sides sides;
  sides.set("BENCHCTL_FAKE_SLEEP_US", "10000");
  const std::string other = sides.write("other.toml", fake_config(list_of({"steady"}), "n = 8")).string();
  const pid_t comparison = sides.start({"ab", sides.file("work/c.toml"), sides.file("work/c.toml")});
  wait_for(sides, "sampled mine", 1);
  const Outcome run = sides.call({"run", other, "--wait", "--db", sides.file("other.db")});
  CHECK_THAT(run.err, ContainsSubstring("waiting for"));
  CHECK(Sandbox::wait(comparison) == 0);
  const std::vector<std::string> log = sides.log();
  const auto first = std::ranges::find(log, "sampled steady");
  REQUIRE(first != log.end());
  CHECK(std::find(first, log.end(), "sampled mine") == log.end());
}

TEST_CASE("wrong results of one side end the comparison and are told first", "[ab]") {
  const Sides sides;
  const std::string right = sides.write("work/right.toml", Sides::config("0.0", "n = [8]")).string();
  SECTION("in both") {
    static_cast<void>(sides.write("work/mine.k", "wrong_results\n"));
    const Outcome outcome = sides.ab({right, right}, 1);
    CHECK_THAT(outcome.out, StartsWith("Failed: 1 wrong in base, without a time in new"));
    CHECK(sides.runs().size() == 2);
  }
  SECTION("points of one side only") {
    const std::string other =
        sides.write("work/other.toml", Sides::config("0.0", "n = [8]", "other")).string();
    const Outcome outcome = sides.ab({right, other}, 4);
    CHECK_THAT(outcome.out, StartsWith("Not comparable: the two have no point in common"));
  }
  SECTION("a problem of one side only") {
    const std::string more = sides.write("work/more.toml", Sides::config("0.0", "n = [8, 24]")).string();
    const Outcome outcome = sides.ab({right, more, "--format", "json"}, 0);
    CHECK(json::parse(outcome.out).at("all").at("counts") == json({{"same", 1}, {"added", 1}}));
  }
  SECTION("in new") {
    const std::string slow = sides.write("work/wrong.k", "wrong_results slower_percent 5\n").string();
    const Outcome outcome = sides.ab({right, "--kernel-file", sides.file("work/mine.k"), slow}, 3);
    CHECK_THAT(outcome.out, StartsWith("Regression: 1 wrong now"));
    CHECK_THAT(outcome.out, ContainsSubstring("wrong now (!)"));
  }
  SECTION("in base") {
    static_cast<void>(sides.write("work/mine.k", "wrong_results\n"));
    const Outcome outcome =
        sides.ab({right, "--kernel-file", sides.file("work/mine.k"), sides.kernel("good.k", 0)}, 1);
    CHECK_THAT(outcome.out, StartsWith("Failed: 1 wrong in base"));
  }
}

TEST_CASE("two versions of a plugin are two sides", "[ab]") {
  const Sides sides;
  const fs::path library = test_plugin_directory() / "libbenchctl_fake.so";
  for (const std::string name : {"old", "new/lib/benchctl/plugins"}) {
    fs::create_directories(sides.path() / name);
    fs::copy_file(library, sides.path() / name / "libbenchctl_fake.so");
  }
  static_cast<void>(sides.write("new/lib/benchctl/plugins/slower_percent", "slower_percent 4\n"));
  const Outcome outcome =
      sides.ab({sides.file("work/c.toml"), "--plugin", sides.file("old/libbenchctl_fake.so"),
                sides.file("new"), "--threshold", "1%"},
               3);
  CHECK_THAT(outcome.out, StartsWith("Regression: 2 of 2 rows are slower") && ContainsSubstring("1.040") &&
                              ContainsSubstring(", 5 pairs of processes, "));
  CHECK_THAT(
      sides.ab({sides.file("work/c.toml"), "--plugin", sides.file("old"), sides.file("work")}, 2).err,
      ContainsSubstring("expected a library libbenchctl_*.so"));
}

TEST_CASE("two revisions are two sides, and their copies are removed", "[ab]") {
  const Sides sides;
  sides.shell("git init -q -b main .. && git config core.autocrlf false");
  sides.commit("quick");
  static_cast<void>(sides.kernel("work/mine.k", 5));
  sides.commit("slow");
  const Outcome outcome =
      sides.ab({sides.file("work/c.toml"), "--rev", "main~1..main", "--threshold", "2%"}, 3);
  CHECK_THAT(outcome.out,
             ContainsSubstring("main~1 (") && StartsWith("Regression: 2 of 2 rows are slower"));
  CHECK_THAT(sides.ab({sides.file("work/c.toml"), "--rev", "nowhere.."}, 2).err,
             ContainsSubstring("rev-parse") && ContainsSubstring("failed"));
  CHECK_THAT(sides.ab({sides.file("work/c.toml"), "--rev", "main"}, 2).err,
             ContainsSubstring("expected two revisions such as main..HEAD"));
}

TEST_CASE("the script of a CI finds a planted regression, and lets the unresolved pass", "[ab]") {
  Sides sides;
  sides.set("BENCHCTL", program().string());
  sides.shell("git init -q -b main . && git config core.autocrlf false");
  sides.commit("quick");
  static_cast<void>(sides.kernel("work/mine.k", 5));
  sides.commit("slow");
  const std::string script = (tree_root() / "share/benchctl/examples/ci/performance_check").string();
  sides.set("GITHUB_STEP_SUMMARY", sides.file("step.md"));
  const auto run = [&](const std::string& arguments) {
    return sides.call_under(
        {"sh", "-c", "cd '" + sides.file("work") + "' && '" + script + "' " + arguments, "sh"}, {});
  };
  const Outcome slower = run("HEAD~1 c.toml --threshold 2%");
  INFO(slower.out << slower.err);
  CHECK(slower.exit_code == 3);
  CHECK(json::parse(sides.read("work/performance/verdict.json")).at("verdict") == "regressed");
  CHECK_THAT(sides.read("step.md"), StartsWith("**Regression: 2 of 2 rows are slower"));
  CHECK_THAT(sides.read("work/performance/junit.xml"), ContainsSubstring("<failure type=\"slower\""));
  CHECK(run("HEAD c.toml").exit_code == 0);
  const Outcome unresolved = run("HEAD~1 c.toml --threshold 2% --max-pairs 2");
  CHECK(unresolved.exit_code == 0);
  CHECK_THAT(sides.read("work/performance/junit.xml"), ContainsSubstring("failures=\"0\""));
  sides.set("PERFORMANCE_STRICT", "1");
  CHECK(run("HEAD~1 c.toml --threshold 2% --max-pairs 2").exit_code == 5);
  CHECK(run("HEAD~1").exit_code == 2);
}

TEST_CASE("an interrupt ends the comparison, keeps what was measured, and removes the copies", "[ab]") {
  Sides sides;
  sides.set("BENCHCTL_FAKE_SLEEP_US", "20000");
  fs::create_directories(sides.path() / "tmp");
  sides.set("TMPDIR", sides.file("tmp"));
  sides.shell("git init -q -b main .");
  sides.commit("one");
  const pid_t process = sides.start({"ab", sides.file("work/c.toml"), "--rev", "main..main"});
  for (int i = 0; i < 3000 && sides.logged("sampled mine") < 3; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  kill(process, SIGTERM);
  CHECK(Sandbox::wait(process) == 130);
  CHECK(fs::is_empty(sides.path() / "tmp"));
  for (const json& run : sides.runs()) CHECK(run.at("state") == "interrupted");
  // A run of the config begins anew.
  CHECK_THAT(sides.call({"run", sides.file("work/c.toml")}).err, !ContainsSubstring("resuming"));
}

TEST_CASE("an interrupt in a later process leaves whole replicates alone", "[ab]") {
  Sides sides;
  sides.set("BENCHCTL_FAKE_SLEEP_US", "30000");
  const pid_t process =
      sides.start({"ab", sides.file("work/c.toml"), sides.file("work/c.toml"), "--max-pairs", "50"});
  // The second process is on its way, or the third.
  for (int i = 0; i < 3000 && sides.logged("open 0") < 2; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  kill(process, SIGTERM);
  REQUIRE(Sandbox::wait(process) == 130);
  for (const std::string run : {"1", "2"}) {
    const Outcome outcome = sides.call({"export", run, "--format", "json", "--samples"});
    const json document = json::parse(outcome.out);
    REQUIRE(document.at("rows").size() == 2);
    for (const json& row : document.at("rows")) {
      CHECK(row.at("status") == "ok");
      CHECK(row.at("samples_ns").size() % 6 == 0);
      CHECK(row.at("samples_ns").size() == row.at("n_samples"));
    }
  }
}

TEST_CASE("wrong use of ab is told", "[ab]") {
  const Sides sides;
  const std::string config = sides.file("work/c.toml");
  CHECK_THAT(sides.ab({config}, 2).err, ContainsSubstring("there is one side only"));
  CHECK_THAT(sides.ab({"-", config}, 2).err, ContainsSubstring("standard input: name files"));
  CHECK_THAT(sides.ab({config, config, "--rev", "a..b"}, 2).err, ContainsSubstring("more than two sides"));
  CHECK_THAT(sides.ab({config, config, "--threshold", "3 pounds"}, 2).err,
             ContainsSubstring("not a share of the time"));
  CHECK_THAT(sides.ab({config, config, "--budget", "soon"}, 2).err,
             ContainsSubstring("--budget soon: expected a time"));
  CHECK_THAT(sides.ab({config, "--kernel-file", config, config}, 2).err,
             ContainsSubstring("no kernel of the config has this source; there are mine.k"));
  const std::string searched =
      sides.write("work/s.toml", Sides::config("0.0", "n = [8]\n[search]\nstrategy = \"random\"")).string();
  CHECK_THAT(sides.ab({searched, config}, 2).err, ContainsSubstring("is searched"));
  CHECK_FALSE(fs::exists(sides.path() / "store.db"));
}
