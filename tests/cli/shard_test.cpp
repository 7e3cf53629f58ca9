// Plans split over machines: shards of runs, searches and tunings.
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <unistd.h>
#include <csignal>
#include <map>
#include <set>

using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

namespace {

const std::string seven_problems =
    fake_config("variants = [\"steady\", \"slower\"]", "n = [8, 9, 10, 11, 12, 14, 15]", "samples = 3");

/// Content keys of a run's points by label, of the sandbox's newest run or those of another store.
std::map<std::string, std::string> keys_of(const Sandbox& sandbox,
                                           const std::vector<std::string>& more = {}) {
  std::map<std::string, std::string> keys;
  const json document = sandbox.exported(more);
  for (const json& row : document.at("rows")) {
    keys[row.at("label").get<std::string>()] = row.at("content_key").get<std::string>();
  }
  return keys;
}

void check_refused(const Sandbox& sandbox, const std::vector<std::string>& arguments,
                   const std::string& reason) {
  const Outcome outcome = sandbox.call(arguments);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, ContainsSubstring(reason));
}

}  // namespace

TEST_CASE("the shards of a run measure together what one run does, each point once") {
  Sandbox sandbox;
  const std::string config = sandbox.write("c.toml", seven_problems).string();
  REQUIRE(sandbox.call({"run", config}).exit_code == 0);
  const auto whole = keys_of(sandbox);
  REQUIRE(whole.size() == 14);

  std::map<std::string, std::string> together;
  std::set<std::string> problems;
  for (const char* shard : {"1", "2", "3"}) {
    const std::string store = std::string(shard) + ".db";
    REQUIRE(sandbox.call({"run", config, "--shard", std::string(shard) + "/3", "--db", store}).exit_code ==
            0);
    const auto part = keys_of(sandbox, {"--db", store});
    CHECK(part.size() >= 4);
    std::set<std::string> own;
    for (const auto& [label, key] : part) {
      CHECK(together.emplace(label, key).second);
      own.insert(label.substr(label.find("n=")));
    }
    for (const std::string& problem : own) CHECK(problems.insert(problem).second);
  }
  CHECK(together == whole);
}

TEST_CASE("a host's shard follows from its place in the list") {
  Sandbox sandbox;
  const std::string config = sandbox.write("c.toml", seven_problems).string();
  REQUIRE(sandbox.call({"run", config, "--shard", "2/3"}).exit_code == 0);
  const auto second = keys_of(sandbox);
  sandbox.set("SLURMD_NODENAME", "node2");
  REQUIRE(sandbox.call({"run", config, "--shard-of", "node[1-2],gpu7", "--fresh"}).exit_code == 0);
  CHECK(keys_of(sandbox) == second);
  check_refused(sandbox, {"run", config, "--shard-of", "gpu[1-4]"},
                "this host, node2, is not among the 4 in the host list, from gpu1 to gpu4");
}

TEST_CASE("shards that cannot be are refused, and one without problems says so") {
  Sandbox sandbox;
  const std::string config = sandbox.write("c.toml", seven_problems).string();
  for (const char* wrong : {"0/3", "4/3", "1", "1/0", "a/3", "1/3x", "-1/3"})
    check_refused(sandbox, {"run", config, "--shard", wrong}, "expected I/N with I from 1 to N");
  const Outcome empty = sandbox.call({"run", config, "--shard", "8/8"});
  CHECK(empty.exit_code == 0);
  CHECK_THAT(empty.err, ContainsSubstring("shard 8/8 has nothing to measure"));
  CHECK_FALSE(std::filesystem::exists(sandbox.path() / "store.db"));
}

TEST_CASE("another device of the same kind goes on where the first stopped, in a run of its own") {
  Sandbox sandbox;
  const std::string config = sandbox.write("c.toml", seven_problems).string();
  const std::vector<std::string> command{"run", config, "--shard", "1/2"};
  sandbox.set("BENCHCTL_FAKE_SLEEP_US", "20000");
  const pid_t process = sandbox.start(command);
  for (int i = 0; i < 30'000 && sandbox.logged("problem") < 2; ++i) usleep(2'000);
  kill(process, SIGINT);
  REQUIRE(Sandbox::wait(process) == 130);
  sandbox.set("BENCHCTL_FAKE_SLEEP_US", "0");
  const auto finished = [&](const char* run) {
    std::set<std::string> labels;
    const json document = sandbox.exported({run});
    for (const json& row : document.at("rows")) {
      if (row.at("status") == "ok") labels.insert(row.at("label").get<std::string>());
    }
    return labels;
  };
  const std::set<std::string> first = finished("1");
  REQUIRE(!first.empty());
  REQUIRE(first.size() < 8);

  sandbox.set("BENCHCTL_FAKE_PHYSICAL", "fake:another");
  const Outcome second = sandbox.call(command);
  CAPTURE(second.err);
  CHECK(second.exit_code == 0);
  CHECK_THAT(second.err,
             ContainsSubstring(std::to_string(first.size()) + " points were finished by an equal"));
  CHECK(finished("1") == first);
  const std::set<std::string> rest = finished("2");
  CHECK(rest.size() == 8 - first.size());
  for (const std::string& label : rest) CHECK_FALSE(first.contains(label));
}

TEST_CASE("a plan shows its shards without asking a device") {
  Sandbox sandbox;
  const std::string config = sandbox.write("c.toml", seven_problems).string();
  sandbox.set("BENCHCTL_FAKE_CRASH_PROBE", "1");
  const Outcome text = sandbox.call({"plan", config, "--shards", "3"});
  CAPTURE(text.err);
  CHECK(text.exit_code == 0);
  CHECK_THAT(text.out, ContainsSubstring("3/3"));
  const json shards =
      json::parse(sandbox.call({"plan", config, "--shards", "3", "--format", "json"}).out).at("shards");
  REQUIRE(shards.size() == 3);
  std::set<std::string> problems;
  std::size_t points = 0;
  for (const json& shard : shards) {
    for (const json& problem : shard.at("problems"))
      CHECK(problems.insert(problem.get<std::string>()).second);
    points += shard.at("points").get<std::size_t>();
  }
  CHECK(problems.size() == 7);
  CHECK(points == 14);
}

TEST_CASE("searches and tunings are split by problem") {
  Sandbox sandbox;
  const std::string config =
      sandbox
          .write("c.toml", fake_config("variants = [\"steady\"]",
                                       "n = [8, 9, 10, 11]\nns = [1000, 2000, 3000, 4000]", "samples = 3") +
                               "[search]\nstrategy = \"random\"\nmax_points = 2\n")
          .string();
  std::set<std::string> problems;
  for (const char* shard : {"1/2", "2/2"}) {
    REQUIRE(sandbox.call({"run", config, "--shard", shard, "--fresh"}).exit_code == 0);
    std::set<std::string> own;
    for (const auto& [label, key] : keys_of(sandbox)) {
      const std::size_t n = label.find("n=");
      own.insert(label.substr(n, label.find(' ', n) - n));
    }
    CHECK(own.size() == 2);
    for (const std::string& problem : own) CHECK(problems.insert(problem).second);
  }
  CHECK(problems.size() == 4);
}

TEST_CASE("shards of a tuning find what one tuning finds") {
  Sandbox sandbox;
  static_cast<void>(sandbox.write("mine.k", "fine\n"));
  static_cast<void>(sandbox.write(
      "c.toml",
      "[experiment]\nname = 'tuned'\n[measure]\nmax_samples = 60\nmax_seconds = 0.2\n[[kernel]]\nname = "
      "'mine'\nworkload = 'matmul'\nbackend = 'fake'\nsource = 'mine.k'\nentry = 'go'\nblock = "
      "'TILE'\ngrid "
      "= 1\ndefines = ['TILE']\n[kernel.tunables]\nTILE = { default = 1, values = [1, 8, 32] }\nfit = "
      "0.25\nns = 100000\nnoise = 0.0\nnoise_seed = 1\ncorrelation = 0.0\ntail = 0.0\ndrift = 0.0\nprocess "
      "= 0.0\nfault_verb = 'run'\n[[sweep]]\nworkload = 'matmul'\nbackends = ['fake']\nvariants = "
      "['mine']\nparameters = { n = [8, 32] }\n"));
  for (const char* shard : {"1/2", "2/2"}) {
    const Outcome outcome = sandbox.call({"tune", "c.toml", "--shard", shard, "--format", "json"});
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const json classes = json::parse(outcome.out).at("classes");
    REQUIRE(classes.size() == 1);
    // Work is greater where n is: that problem comes first.
    const int n = std::string(shard) == "1/2" ? 32 : 8;
    CHECK(classes[0].at("problem").at("n") == n);
    CHECK(classes[0].at("configurations")[0].at("tunables").at("TILE") == n);
  }
}
