// Plans split over machines: shards of runs, searches and tunings.
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

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
  CHECK_THAT(sandbox.expect(2, arguments).err, ContainsSubstring(reason));
}

}  // namespace

TEST_CASE_METHOD(Sandbox, "a host's shard follows from its place in the list") {
  run(seven_problems, 0, {"--shard", "2/3"});
  const auto second = keys_of(*this);
  set("SLURMD_NODENAME", "node2");
  expect(0, {"run", "c.toml", "--shard-of", "node[1-2],gpu7", "--fresh"});
  CHECK(keys_of(*this) == second);
  check_refused(*this, {"run", "c.toml", "--shard-of", "gpu[1-4]"},
                "this host, node2, is not among the 4 in the host list, from gpu1 to gpu4");
}

TEST_CASE_METHOD(Sandbox, "shards that cannot be are refused, and one without problems says so") {
  write("c.toml", seven_problems);
  for (const char* wrong : {"0/3", "4/3", "1", "1/0", "a/3", "1/3x", "-1/3"})
    check_refused(*this, {"run", "c.toml", "--shard", wrong}, "expected I/N with I from 1 to N");
  CHECK_THAT(expect(0, {"run", "c.toml", "--shard", "8/8"}).err,
             ContainsSubstring("shard 8/8 has nothing to measure"));
  CHECK_FALSE(std::filesystem::exists(path() / "store.db"));
}

TEST_CASE_METHOD(Sandbox,
                 "another device of the same kind goes on where the first stopped, in a run of its own") {
  write("c.toml", seven_problems);
  const std::vector<std::string> command{"run", "c.toml", "--shard", "1/2"};
  set("BENCHCTL_FAKE_SLEEP_US", "20000");
  const pid_t process = start(command);
  wait_for(*this, "problem", 2);
  kill(process, SIGINT);
  REQUIRE(Sandbox::wait(process) == 130);
  set("BENCHCTL_FAKE_SLEEP_US", "0");
  const auto finished = [&](const char* run) {
    std::set<std::string> labels;
    const json document = exported({run});
    for (const json& row : document.at("rows")) {
      if (row.at("status") == "ok") labels.insert(row.at("label").get<std::string>());
    }
    return labels;
  };
  const std::set<std::string> first = finished("1");
  REQUIRE(!first.empty());
  REQUIRE(first.size() < 8);

  set("BENCHCTL_FAKE_PHYSICAL", "fake:another");
  CHECK_THAT(expect(0, command).err,
             ContainsSubstring(std::to_string(first.size()) + " points were finished by an equal"));
  CHECK(finished("1") == first);
  const std::set<std::string> rest = finished("2");
  CHECK(rest.size() == 8 - first.size());
  for (const std::string& label : rest) CHECK_FALSE(first.contains(label));
}

TEST_CASE_METHOD(Sandbox, "a plan shows its shards without asking a device") {
  write("c.toml", seven_problems);
  set("BENCHCTL_FAKE_CRASH_PROBE", "1");
  CHECK_THAT(expect(0, {"plan", "c.toml", "--shards", "3"}).out, ContainsSubstring("3/3"));
  const json plan = parsed({"plan", "c.toml", "--shards", "3"});
  std::size_t points = 0;
  for (const json& shard : plan.at("shards")) points += shard.at("points").get<std::size_t>();
  CHECK(points == 14);
}

TEST_CASE_METHOD(Sandbox, "shards of a tuning find what one tuning finds") {
  write("mine.k", "fine\n");
  write(
      "c.toml",
      "[experiment]\nname = 'tuned'\n[measure]\nmax_samples = 60\nmax_seconds = 0.2\n[[kernel]]\nname = "
      "'mine'\nworkload = 'matmul'\nbackend = 'fake'\nsource = 'mine.k'\nentry = 'go'\nblock = "
      "'TILE'\ngrid "
      "= 1\ndefines = ['TILE']\n[kernel.tunables]\nTILE = { default = 1, values = [1, 8, 32] }\nfit = "
      "0.25\nns = 100000\nnoise = 0.0\nnoise_seed = 1\ncorrelation = 0.0\ntail = 0.0\ndrift = 0.0\nprocess "
      "= 0.0\nfault_verb = 'run'\n[[sweep]]\nworkload = 'matmul'\nbackends = ['fake']\nvariants = "
      "['mine']\nparameters = { n = [8, 32] }\n");
  for (const char* shard : {"1/2", "2/2"}) {
    const json classes = parsed({"tune", "c.toml", "--shard", shard}).at("classes");
    REQUIRE(classes.size() == 1);
    // Work is greater where n is: that problem comes first.
    const int n = std::string(shard) == "1/2" ? 32 : 8;
    CHECK(classes[0].at("problem").at("n") == n);
    CHECK(classes[0].at("configurations")[0].at("tunables").at("TILE") == n);
  }
}
