// The examples of each command's help, executed as they stand.
#include "support/catch.hpp"
#include "support/program.hpp"

#include <filesystem>
#include <map>
#include <regex>
#include <sstream>

using namespace benchctl::test;
namespace fs = std::filesystem;

namespace {

/// What these need is not here. They are parsed, not executed.
const std::map<std::string, std::string> not_executed{
    {"check k.toml --compile --arch sm_90", "a compiler for CUDA: tests/cli/compile_test.cpp"},
    {"plugin check mine --full", "the plugin, built: tests/tree/install_test"},
};
/// Added to an example: less work, or no cluster.
const std::map<std::string, std::string> added{
    {"run tile_sweep", " --backend cpu_avx --set n=16 --budget 5s"},
    {"plan k.toml --shards 2 --output plan", "_again"},
    {"submit k.toml --slurm --output plan", "_sent --print"},
    {"submit --slurm --output plan --missing", " --print"},
};

/// A folder with all that examples name: a config, kernels, a Git repository, two runs, a plan with its
/// shards.
struct Examples : Sandbox {
  Examples() {
    std::string kernel = fake_kernel("tiled", "matmul", "a.cl");
    const std::string tunable = "TILE = 1\n";
    kernel.replace(kernel.find(tunable), tunable.size(), "TILE = { default = 1, values = [1, 2] }\n");
    write("k.toml",
          "[experiment]\nname = 'k'\n[measure]\nsamples = 6\nspan_seconds = 0\nwarmup_seconds = 0\n" +
              kernel + "[[sweep]]\nworkload = 'matmul'\nbackends = ['fake']\nvariants = ['tiled']\n" +
              "parameters = { n = [8, 512], m = 1, k = 1 }\n");
    write("a.cl", "fine\n");
    write("b.cl", "fine\n\n");
    shell(
        "git init -q -b main && git config user.name x && git config user.email x@y && git add k.toml a.cl "
        "&& "
        "git commit -qm 1 && git checkout -qb other && git commit --allow-empty -qm 2");
    for (int run = 0; run < 2; ++run) expect(0, {"run", "k.toml", "--fresh"});
    expect(0, {"runs", "baseline", "release", "1"});
    for (const char* name : {"node1.db", "node2.db"}) fs::copy_file(path() / "store.db", path() / name);
    expect(0, {"plan", "k.toml", "--shards", "2", "--output", "plan"});
    for (int shard = 1; shard <= 2; ++shard) {
      const std::string number = std::to_string(shard);
      expect(0, {"run", "plan/config/k.toml", "--shard", number + "/2", "--db",
                 "plan/shard-" + number + ".db"});
    }
    fs::remove(path() / "store.db");
    fs::copy_file(path() / "node1.db", path() / "store.db");
  }

  void shell(const std::string& command) const {
    const Outcome done = call_under({"sh", "-c", command}, {});
    CAPTURE(command, done.err);
    REQUIRE(done.exit_code == 0);
  }
};

/// The commands that `--help` lists.
std::vector<std::string> commands_of(const Sandbox& sandbox) {
  const std::string help = sandbox.call({"--help"}).out;
  const std::regex line("\n  ([a-z]+)  +[A-Z]");
  std::vector<std::string> names;
  for (auto found = std::sregex_iterator(help.begin(), help.end(), line); found != std::sregex_iterator();
       ++found) {
    names.push_back((*found)[1]);
  }
  return names;
}

/// The examples of a command, without the program's name.
std::vector<std::string> examples_of(const Sandbox& sandbox, const std::string& command) {
  const std::string help = sandbox.call({command, "--help"}).out;
  const std::string title = "\nExamples:\n";
  const std::size_t at = help.find(title);
  REQUIRE(at != std::string::npos);
  std::istringstream lines(help.substr(at + title.size()));
  std::vector<std::string> examples;
  for (std::string line; std::getline(lines, line);) {
    REQUIRE(line.starts_with("  benchctl " + command));
    examples.push_back(line.substr(std::string("  benchctl ").size()));
  }
  return examples;
}

}  // namespace

TEST_CASE("each command has two examples, which work as they stand", "[serial]") {
  const Examples sandbox;
  const Sandbox all(Plugins::all);
  const std::vector<std::string> commands = commands_of(sandbox);
  CHECK(commands.size() > 15);
  std::size_t executed = 0;
  std::size_t known = 0;
  for (const std::string& command : commands) {
    const std::vector<std::string> examples = examples_of(sandbox, command);
    CHECK(examples.size() >= 2);
    for (const std::string& example : examples) {
      const bool installed = example.ends_with(" tile_sweep");  // its backends are not the scripted one
      const bool skipped = not_executed.contains(example);
      const auto more = added.find(example);
      known += skipped || more != added.end();
      // A slip in the line is told before an unknown option.
      const std::string options = skipped ? " --unknown" : more != added.end() ? more->second : "";
      const Sandbox& folder = installed ? all : static_cast<const Sandbox&>(sandbox);
      const Outcome done = folder.call_under({"sh", "-c", "\"$0\" " + example + options}, {});
      CAPTURE(example, options, done.out, done.err);
      CHECK(done.exit_code == (skipped ? 2 : 0));
      if (skipped) CHECK_THAT(done.err, ContainsSubstring("this argument was not expected: --unknown;"));
      executed += !skipped;
    }
  }
  CHECK(executed > 35);
  CHECK(known == not_executed.size() + added.size());
}
