// `benchctl ab` from end to end on the fake backend: two sides in turns until it is known which is slower.
#include "support/catch.hpp"
#include "support/program.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>

using namespace benchctl::test;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

/// A folder with configs whose kernel `mine.k` says how slow it is; the two processes of a pair differ by
/// chance as `process` says.
struct Sides : Sandbox {
  explicit Sides(const std::string& process = "0.0") {
    write("work/c.toml", config(process));
    kernel("work/mine.k", 0);
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
  Outcome ab(std::vector<std::string> arguments, int exit_code) const {
    arguments.insert(arguments.begin(), "ab");
    return expect(exit_code, arguments);
  }
  [[nodiscard]] json verdict() const { return json::parse(read("verdict.json")); }
  [[nodiscard]] json runs() const { return parsed({"runs"}).at("runs"); }
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
  CHECK_THAT(
      sides.ab({"work/c.toml", "work/c.toml", "--verdict", "verdict.json"}, 0).out,
      StartsWith("No change: 2 of 2 rows within ±1.0 % (95 %), 4 processes, ") &&
          HasAll({"2 same", "4 processes measured both sides in common rounds and looked at 1 time"}) &&
          !ContainsSubstring("interrupted"));
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
  sides.expect(0, {"compare", "1", "2", "--format", "csv"});
  sides.expect(0, {"show", "1"});
}

TEST_CASE("a slower kernel's file is found, confirmed by one more process, and both runs can be read",
          "[ab]") {
  const Sides sides;
  const std::string slow = sides.kernel("slow.k", 5);
  const Outcome outcome =
      sides.ab({"work/c.toml", "--kernel-file", "work/mine.k", slow, "--threshold", "2%", "--verdict",
                "verdict.json", "--junit", "junit.xml", "--summary", "summary.md"},
               3);
  CHECK_THAT(outcome.out, StartsWith("Regression: 2 of 2 rows are slower, most of all matmul/mine ") &&
                              HasAll({" on fake:0: 5.0 % slower (95 %: 5.0 to 5.0 %), 5 processes, ",
                                      "100.0 µs  105.0 µs       1.050"}));
  CHECK_THAT(outcome.err, ContainsSubstring("after 4 processes: 2 not resolved; 2.0 % would show by now"));
  CHECK(sides.logged("open 0") == 5);
  const json verdict = sides.verdict();
  CHECK(verdict.at("exit_code") == 3);
  REQUIRE(verdict.at("pairs").size() == 2);
  CHECK(verdict["pairs"][0].at("outcome") == "slower");
  CHECK(verdict["pairs"][0].at("ratio").get<double>() == Approx(1.05));
  CHECK_THAT(verdict.at("new").at("label").get<std::string>(), ContainsSubstring("slow.k"));
  CHECK_THAT(sides.read("junit.xml"), HasAll({"tests=\"2\" failures=\"2\"", "<failure type=\"slower\""}));
  CHECK_THAT(sides.read("summary.md"), StartsWith("**Regression: 2 of 2 rows are slower"));
  // The stored run has the kernel that was measured.
  const auto run_of = [&](const char* side) {
    return std::to_string(verdict.at(side).at("run").get<int>());
  };
  sides.expect(0, {"replay", run_of("new") + ":0"});
  CHECK_THAT(sides.call({"compare", run_of("base"), run_of("new")}).out,
             ContainsSubstring("regressed: 2 slower"));
  // The other way round it is no failure.
  CHECK_THAT(sides.ab({"work/c.toml", "--kernel-file", "work/mine.k", sides.kernel("quick.k", -5)}, 0).out,
             ContainsSubstring("2 faster"));
}

TEST_CASE("what is undecided is no failure, in no output, unless that is asked for", "[ab]") {
  const Sides sides("0.1");
  const std::vector<std::string> usual{
      "work/c.toml",      "work/c.toml", "--threshold=0.1%", "--max-pairs=3", "--verdict=verdict.json",
      "--junit=junit.xml"};
  const Outcome outcome = sides.ab(usual, 0);
  // What could have been seen depends on how far three processes came.
  CHECK_THAT(outcome.out, StartsWith("Undecided after ") && HasAll({"(load ", "Nothing failed.\n"}));
  CHECK(sides.verdict().at("verdict") == "fine");
  CHECK(sides.verdict().at("exit_code") == 0);
  CHECK_THAT(sides.read("junit.xml"), ContainsSubstring("failures=\"0\" errors=\"0\" skipped=\"2\""));
  std::vector<std::string> strict = usual;
  strict.emplace_back("--strict");
  CHECK_THAT(sides.ab(strict, 5).out, ContainsSubstring("That counts as a failure.\n"));
  CHECK(sides.verdict().at("verdict") == "not_resolved");
  CHECK_THAT(sides.read("junit.xml"), ContainsSubstring("failures=\"2\" errors=\"0\" skipped=\"0\""));
}

TEST_CASE_METHOD(
    Sides, "base's kernel says what is right, whatever the seed, also where its own file is exchanged",
    "[ab]") {
  std::string config = Sides::config("0.0", "n = [8]");
  for (std::size_t at = 0; (at = config.find("\"matmul\"", at)) != std::string::npos;)
    config.replace(at, 8, "\"product\"");
  config += product_workload("mine");
  const std::string file = write("work/judged.toml", config).string();
  const std::string wrong = write("work/wrong.k", "wrong_results\n").string();
  for (const std::string seed : {"1", "2", "3", "4"}) {
    CHECK_THAT(ab({file, "--kernel-file", "work/mine.k", wrong, "--seed", seed}, 3).out,
               StartsWith("Regression: 1 wrong now, "));
  }
  // Two workloads of one name: each side is measured by its own, in processes of its own.
  const std::string wider = write("work/wider.toml", config + "absolute = '1e-9'\n").string();
  CHECK_THAT(ab({file, wider}, 0).out,
             StartsWith("No change: 1 of 1 row within") && ContainsSubstring(" pairs of processes, "));
  // Two truths cannot be compared.
  fs::create_directories(path() / "other");
  fs::copy_file(wrong, path() / "other/mine.k");
  const std::string other = write("other/judged.toml", config + "absolute = '1e-9'\n").string();
  CHECK_THAT(ab({file, other}, 4).err, ContainsSubstring("results of workload 'product' are right"));
}

TEST_CASE_METHOD(Sides, "each config is read once: one that is edited meanwhile changes nothing", "[ab]") {
  // Whoever reads the pipe first gets the config, and finds another text there from then on.
  shell(
      "mkfifo piped.toml || exit 1; (timeout 60 sh -c 'cat c.toml > piped.toml'; rm piped.toml; "
      "echo edited > piped.toml) &");
  const std::string slow = kernel("slow.k", 5);
  CHECK_THAT(ab({"work/piped.toml", "--kernel-file", "work/mine.k", slow, "--threshold", "2%"}, 3).out,
             StartsWith("Regression: 2 of 2 rows are slower"));
  CHECK(read("work/piped.toml") == "edited\n");
}

TEST_CASE_METHOD(Sides, "a file that cannot be written is told before anything is measured", "[ab]") {
  const Outcome outcome =
      ab({"work/c.toml", "work/c.toml", "--junit", "junit.xml", "--verdict", "missing/verdict.json"}, 2);
  CHECK_THAT(outcome.err, HasAll({"--verdict ", "missing/verdict.json: cannot be written: No such file"}));
  CHECK(logged("sampled mine") == 0);
  CHECK_FALSE(fs::exists(path() / "junit.xml"));
}

TEST_CASE_METHOD(Sides, "a file that cannot be written any more costs neither the others nor the verdict",
                 "[ab]") {
  const std::string slow = kernel("slow.k", 5);
  const Outcome outcome = ab({"work/c.toml", "--kernel-file", "work/mine.k", slow, "--threshold", "2%",
                              "--junit", "/dev/full", "--verdict", "verdict.json"},
                             3);
  CHECK_THAT(outcome.err, ContainsSubstring("cannot write /dev/full: No space left"));
  CHECK_THAT(outcome.out, StartsWith("Regression: 2 of 2 rows are slower"));
  CHECK(verdict().at("exit_code") == 3);
  // Where the verdict is fine, the lost file is the failure.
  ab({"work/c.toml", "work/c.toml", "--junit", "/dev/full"}, 2);
}

TEST_CASE("nobody else measures between the processes of a comparison", "[ab]") {
  Sides sides;
  sides.set("BENCHCTL_FAKE_SLEEP_US", "10000");
  const std::string other = sides.write("other.toml", fake_config(list_of({"steady"}), "n = 8")).string();
  const pid_t comparison = sides.start({"ab", "work/c.toml", "work/c.toml"});
  wait_for(sides, "sampled mine", 1);
  CHECK_THAT(sides.call({"run", other, "--wait", "--db", "other.db"}).err,
             ContainsSubstring("waiting for"));
  CHECK(Sandbox::wait(comparison) == 0);
  const std::vector<std::string> log = sides.log();
  const auto first = std::ranges::find(log, "sampled steady");
  REQUIRE(first != log.end());
  CHECK(std::find(first, log.end(), "sampled mine") == log.end());
}

TEST_CASE_METHOD(Sides, "wrong results of one side end the comparison and are told first", "[ab]") {
  const std::string right = write("work/right.toml", Sides::config("0.0", "n = [8]")).string();
  SECTION("in both") {
    write("work/mine.k", "wrong_results\n");
    CHECK_THAT(ab({right, right}, 1).out, StartsWith("Failed: 1 wrong in base, without a time in new"));
    CHECK(runs().size() == 2);
  }
  SECTION("points of one side only") {
    const std::string other = write("work/other.toml", Sides::config("0.0", "n = [8]", "other")).string();
    CHECK_THAT(ab({right, other}, 4).out, StartsWith("Not comparable: the two have no point in common"));
  }
  SECTION("a problem of one side only") {
    const std::string more = write("work/more.toml", Sides::config("0.0", "n = [8, 24]")).string();
    const Outcome outcome = ab({right, more, "--format", "json"}, 0);
    CHECK(json::parse(outcome.out).at("all").at("counts") == json({{"same", 1}, {"added", 1}}));
  }
  SECTION("in new") {
    const std::string slow = write("work/wrong.k", "wrong_results slower_percent 5\n").string();
    const Outcome outcome = ab({right, "--kernel-file", "work/mine.k", slow}, 3);
    CHECK_THAT(outcome.out, StartsWith("Regression: 1 wrong now"));
    CHECK_THAT(outcome.out, ContainsSubstring("wrong now (!)"));
  }
  SECTION("in base") {
    write("work/mine.k", "wrong_results\n");
    const Outcome outcome = ab({right, "--kernel-file", "work/mine.k", kernel("good.k", 0)}, 1);
    CHECK_THAT(outcome.out, StartsWith("Failed: 1 wrong in base"));
  }
}

TEST_CASE_METHOD(Sides, "two versions of a plugin are two sides", "[ab]") {
  const fs::path library = test_plugin_directory() / "libbenchctl_fake.so";
  for (const std::string name : {"old", "new/lib/benchctl/plugins"}) {
    fs::create_directories(path() / name);
    fs::copy_file(library, path() / name / "libbenchctl_fake.so");
  }
  write("new/lib/benchctl/plugins/slower_percent", "slower_percent 4\n");
  const Outcome outcome =
      ab({"work/c.toml", "--plugin", "old/libbenchctl_fake.so", "new", "--threshold", "1%"}, 3);
  CHECK_THAT(outcome.out, StartsWith("Regression: 2 of 2 rows are slower") &&
                              HasAll({"1.040", ", 5 pairs of processes, "}));
  CHECK_THAT(ab({"work/c.toml", "--plugin", "old", "work"}, 2).err,
             ContainsSubstring("expected a library libbenchctl_*.so"));
}

TEST_CASE_METHOD(Sides, "revisions that are none are told", "[ab]") {
  shell("git init -q -b main ..");
  commit("one");
  CHECK_THAT(ab({"work/c.toml", "--rev", "nowhere.."}, 2).err, HasAll({"rev-parse", "failed"}));
  CHECK_THAT(ab({"work/c.toml", "--rev", "main..HEAD"}, 2).err,
             ContainsSubstring("--rev: 'main' and 'HEAD' are the same"));
  CHECK_THAT(ab({"work/c.toml", "--rev", "main"}, 2).err,
             ContainsSubstring("expected two revisions such as main..HEAD"));
}

TEST_CASE_METHOD(Sides, "the script of a CI finds a planted regression, and lets the unresolved pass",
                 "[ab]") {
  set("BENCHCTL", program().string());
  shell("git init -q -b main . && git config core.autocrlf false");
  commit("quick");
  kernel("work/mine.k", 5);
  commit("slow");
  const std::string script = (tree_root() / "share/benchctl/examples/ci/performance_check").string();
  set("GITHUB_STEP_SUMMARY", file("step.md"));
  const auto run = [&](const std::string& arguments) {
    return call_under({"sh", "-c", "cd '" + file("work") + "' && '" + script + "' " + arguments, "sh"}, {});
  };
  const Outcome slower = run("HEAD~1 c.toml --threshold 2%");
  INFO(slower.out << slower.err);
  CHECK(slower.exit_code == 3);
  CHECK(json::parse(read("work/performance/verdict.json")).at("verdict") == "regressed");
  CHECK_THAT(read("step.md"), StartsWith("**Regression: 2 of 2 rows are slower"));
  CHECK_THAT(read("work/performance/junit.xml"), ContainsSubstring("<failure type=\"slower\""));
  CHECK(run("HEAD c.toml").exit_code == 0);
  const Outcome unresolved = run("HEAD~1 c.toml --threshold 2% --max-pairs 2");
  CHECK(unresolved.exit_code == 0);
  CHECK_THAT(read("work/performance/junit.xml"), ContainsSubstring("failures=\"0\""));
  set("PERFORMANCE_STRICT", "1");
  CHECK(run("HEAD~1 c.toml --threshold 2% --max-pairs 2").exit_code == 5);
  CHECK(run("HEAD~1").exit_code == 2);
}

TEST_CASE_METHOD(Sides, "an interrupt ends the comparison, keeps what was measured, and removes the copies",
                 "[ab]") {
  set("BENCHCTL_FAKE_SLEEP_US", "20000");
  fs::create_directories(path() / "tmp");
  set("TMPDIR", file("tmp"));
  shell("git init -q -b main .");
  commit("one");
  const pid_t process = start({"ab", "work/c.toml", "--rev", "main..main"});
  wait_for(*this, "sampled mine", 3);
  kill(process, SIGTERM);
  CHECK(Sandbox::wait(process) == 130);
  CHECK(fs::is_empty(path() / "tmp"));
  for (const json& run : runs()) CHECK(run.at("state") == "interrupted");
  // A run of the config begins anew.
  CHECK_THAT(call({"run", "work/c.toml"}).err, !ContainsSubstring("resuming"));
}

TEST_CASE_METHOD(Sides, "an interrupt in a later process leaves whole replicates alone", "[ab]") {
  set("BENCHCTL_FAKE_SLEEP_US", "30000");
  const pid_t process = start({"ab", "work/c.toml", "work/c.toml", "--max-pairs", "50"});
  // The second process is on its way, or the third.
  wait_for(*this, "open 0", 2);
  kill(process, SIGTERM);
  REQUIRE(Sandbox::wait(process) == 130);
  for (const std::string run : {"1", "2"}) {
    const Outcome outcome = call({"export", run, "--format", "json", "--samples"});
    const json document = json::parse(outcome.out);
    REQUIRE(document.at("rows").size() == 2);
    for (const json& row : document.at("rows")) {
      CHECK(row.at("status") == "ok");
      CHECK(row.at("samples_ns").size() % 6 == 0);
      CHECK(row.at("samples_ns").size() == row.at("n_samples"));
    }
  }
}

TEST_CASE_METHOD(Sides, "wrong use of ab is told", "[ab]") {
  const std::string config = "work/c.toml";
  CHECK_THAT(ab({config}, 2).err, ContainsSubstring("there is one side only"));
  CHECK_THAT(ab({"-", config}, 2).err, ContainsSubstring("standard input: name files"));
  CHECK_THAT(ab({config, config, "--rev", "a..b"}, 2).err, ContainsSubstring("more than two sides"));
  CHECK_THAT(ab({config, config, "--threshold", "3 pounds"}, 2).err,
             ContainsSubstring("not a share of the time"));
  CHECK_THAT(ab({config, config, "--budget", "soon"}, 2).err,
             ContainsSubstring("--budget soon: expected a time"));
  CHECK_THAT(ab({config, "--kernel-file", config, config}, 2).err,
             ContainsSubstring("no kernel of the config has this source; there are work/mine.k"));
  write("work/same.toml", Sides::config("0.0"));
  kernel("work/same.k", 0);
  const auto refused_as_equal =
      HasAll({"are the same, so there is nothing to compare", "give one of them twice"});
  CHECK_THAT(ab({config, "work/same.toml"}, 2).err, refused_as_equal);
  CHECK_THAT(ab({config, "--kernel-file", "work/mine.k", "work/same.k"}, 2).err, refused_as_equal);
  const std::string searched =
      write("work/s.toml", Sides::config("0.0", "n = [8]\n[search]\nstrategy = \"random\"")).string();
  CHECK_THAT(ab({searched, config}, 2).err, ContainsSubstring("is searched"));
  CHECK_FALSE(fs::exists(path() / "store.db"));
}
