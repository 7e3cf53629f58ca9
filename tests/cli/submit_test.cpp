// `submit`: the script for Slurm, what it does on a node, and what is sent. Slurm itself is played by
// scripts; slurm_test has the real one.
#include "support/catch.hpp"
#include "support/program.hpp"

#include <unistd.h>
#include <cstdlib>
#include <filesystem>

using namespace benchctl::test;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

class Cluster : public Sandbox {
 public:
  Cluster() {
    write("c.toml", fake_config("variants = [\"steady\", \"slower\"]", "n = [8, 9, 10, 11, 12, 14, 15]",
                                "samples = 3"));
    fs::create_directories(path() / "bin");
    fs::create_directories(path() / "node");
    play("sbatch", "echo \"$@\" >>sbatch.log; echo 4242");
    play("squeue", "cat queue 2>/dev/null");
    play("scontrol", "echo \"$@\" >>scontrol.log");
    set("PATH", (path() / "bin").string() + ":" + std::getenv("PATH"));
    set("TMPDIR", (path() / "node").string());
    set("SLURM_JOB_ID", "77");
  }
  void play(const std::string& name, const std::string& commands) const {
    fs::permissions(write("bin/" + name, "#!/bin/bash\ncd " + path().string() + "\n" + commands + "\n"),
                    fs::perms::owner_all);
  }
  Outcome submit(std::vector<std::string> more, int exit_code = 0) const {
    more.insert(more.begin(), {"submit", "--slurm", "--output", "results"});
    return expect(exit_code, more);
  }
  Outcome submit_config(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"c.toml", "--array", "3"});
    return submit(more);
  }
  /// The script as Slurm runs it for one task. `prefix`: commands before it.
  Outcome task(int shard, int exit_code = 0, const std::string& prefix = "exec") const {
    Outcome outcome = call_under(
        {"bash", "-c",
         "export SLURM_ARRAY_TASK_ID=" + std::to_string(shard) + "; " + prefix + " bash results/job.sh"},
        {});
    CAPTURE(outcome.out, outcome.err);
    CHECK(outcome.exit_code == exit_code);
    return outcome;
  }
  [[nodiscard]] json collected() const {
    return json::parse(call({"collect", "results", "--format", "json"}).out);
  }
  [[nodiscard]] bool node_is_clean() const { return fs::is_empty(path() / "node"); }
};

}  // namespace

TEST_CASE_METHOD(Cluster, "the job's script has what was asked for, in sbatch's words") {
  const Outcome outcome =
      submit_config({"--print", "--nodes", "2", "--sbatch=--gres=gpu:h100:2", "--sbatch=--time=01:30:00",
                     "--set", "n=[8, 9, 10]", "--filter", "*it's*"});
  const std::string results = (path() / "results").string();
  const std::string head =
      "#!/bin/bash\n"
      "# Written by `benchctl submit` for the config fake. Slurm runs this script once for each shard of "
      "the plan.\n"
      "#SBATCH --job-name=benchctl-fake\n"
      "#SBATCH --array=1-3%2\n"
      "#SBATCH --nodes=1\n"
      "#SBATCH --output=" +
      results +
      "/shard-%a.log\n"
      "#SBATCH --signal=B:USR1@60\n"
      "#SBATCH --requeue\n"
      "#SBATCH --open-mode=append\n"
      "#SBATCH --exclusive\n"
      "#SBATCH --gres=gpu:h100:2\n"
      "#SBATCH --time=01:30:00\n"
      "set -u\n";
  CHECK(outcome.out.substr(0, head.size()) == head);
  CHECK_THAT(outcome.out, ContainsSubstring("run " + results +
                                            "/config/fake.toml --set 'n=[8, 9, 10]' --filter '*it'\\''s*' "
                                            "--timeout 120 \\\n  --shard \"$shard/3\" --db \"$store\""));
  CHECK(outcome.out.find('@') == outcome.out.find("@60"));
  CHECK(outcome.out.find('@', outcome.out.find("@60") + 1) == outcome.out.find("@]}"));
  CHECK_FALSE(fs::exists(path() / "results"));
  CHECK_FALSE(fs::exists(path() / "sbatch.log"));
}

TEST_CASE_METHOD(Cluster, "what was put into the script is not searched for places") {
  const Outcome outcome = submit(
      {"c.toml", "--print", "--filter", "*@SHARDS@*", "--filter", "*", "--sbatch=--partition=@RUN@"});
  CHECK_THAT(outcome.out, HasAll({"#SBATCH --partition=@RUN@\n", " --filter '*@SHARDS@*' --filter '*' "}));
}

TEST_CASE_METHOD(Cluster, "names of folders are no commands in the script, and no escapes on a terminal") {
  const std::string odd = "odd\nname\x1b[31mred\u202e'q\"\\$(touch x)";
  const std::string name = "libbenchctl_fake.so";
  fs::create_directories(path() / odd);
  fs::copy_file(test_plugin_directory() / name, path() / odd / name);
  for (const fs::path& one : {path() / odd, path() / odd / name})
    fs::permissions(one, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove);
  set("BENCHCTL_PLUGIN_PATH", "");
  const std::string results = "results $(touch x)";
  expect(0, {"submit", "--slurm", "c.toml", "--array", "1", "--output", results, "--plugin-path", odd});
  const std::string script = read(results + "/job.sh");
  for (const char* part : {"\x1b", "\u202e", "odd\n"}) CHECK(script.find(part) == std::string::npos);
  const Outcome outcome =
      call_under({"bash", "-c", "export SLURM_ARRAY_TASK_ID=1; exec bash '" + results + "/job.sh'"}, {});
  CAPTURE(outcome.out, outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(fs::exists(path() / results / "shard-1.db"));
  CHECK_FALSE(fs::exists(path() / "x"));
}

TEST_CASE_METHOD(Cluster, "tasks measure on the node's disk and leave their stores in the results") {
  CHECK_THAT(submit_config().err, ContainsSubstring("Job 4242 measures 3 shards"));
  CHECK_THAT(read("sbatch.log"), HasAll({"--parsable", "results/job.sh"}));
  for (int shard = 1; shard <= 3; ++shard) {
    task(shard);
    CHECK(node_is_clean());
  }
  const json collection = collected();
  CHECK(collection.at("missing_shards").empty());
  CHECK(collection.at("statuses") == json{{"ok", 14}});
  CHECK_THAT(submit({"--missing"}).err, ContainsSubstring("Nothing is missing"));
}

TEST_CASE_METHOD(Cluster, "a task that is ended keeps what it has, and the next attempt goes on") {
  submit_config();
  const auto end_with = [&](const std::string& signal, int problems) {
    // When so many problems were begun, as a scheduler would: the script alone is told.
    set("BENCHCTL_FAKE_SLEEP_US", "20000");
    fs::remove(path() / "fake.log");
    task(1, 130,
         "(until [ $(grep -cx problem fake.log 2>/dev/null || true) -ge " + std::to_string(problems) +
             " ] 2>/dev/null; do sleep 0.02; done; kill -" + signal + " $$) & exec");
    set("BENCHCTL_FAKE_SLEEP_US", "0");
    CHECK(node_is_clean());
  };
  end_with("TERM", 2);
  CHECK_FALSE(fs::exists(path() / "scontrol.log"));  // Slurm itself decides what comes next
  CHECK_FALSE(collected().at("shards")[0].at("missing").empty());
  end_with("USR1", 1);
  CHECK(read("scontrol.log") == "requeue 77\n");
  CHECK_THAT(task(1).err, ContainsSubstring("resuming run 1"));
  CHECK(collected().at("missing_shards") == json{2, 3});
}

TEST_CASE_METHOD(Cluster, "a task that is killed goes on from what it kept while it measured") {
  submit_config();
  set("BENCHCTL_KEEP_SECONDS", "0.05");
  set("BENCHCTL_FAKE_SLEEP_US", "100000");
  // While the second of two problems is measured, the script and all that it started are killed, as by a
  // node that dies. What was kept by then has the first.
  task(
      1, 128 + 9,
      "(until [ $(grep -cx problem fake.log 2>/dev/null || true) -ge 2 ] 2>/dev/null; do sleep 0.02; done; "
      "rm -f results/shard-1.db; until [ -e results/shard-1.db ]; do sleep 0.02; done; kill -KILL -- -$$) "
      "& exec");
  set("BENCHCTL_FAKE_SLEEP_US", "0");
  set("BENCHCTL_KEEP_SECONDS", "100");
  CHECK_THAT(task(1).err, ContainsSubstring("resuming run 1"));
  CHECK(collected().at("missing_shards") == json{2, 3});
  for (const auto& file : fs::directory_iterator(path() / "results"))
    CHECK_FALSE(file.path().string().ends_with(".77"));
}

TEST_CASE_METHOD(Cluster, "only what is missing is sent again, and not while it is queued") {
  submit_config();
  task(2);
  write("queue", "4242_1 RUNNING\n");
  CHECK_THAT(submit({"--missing"}, 2).err,
             ContainsSubstring("job 4242 of this plan has not ended (4242_1 RUNNING)"));
  fs::remove(path() / "queue");
  submit({"--missing", "--sbatch=--time=5"});
  CHECK_THAT(read("results/job.sh"), HasAll({"#SBATCH --array=1,3\n", "#SBATCH --time=5\n"}));
}

TEST_CASE_METHOD(Cluster, "a node that is not as expected measures nothing, and says what is wrong") {
  json devices = parsed({"list", "--devices"});
  for (json& backend : devices.at("backends")) {
    if (backend.at("backend") == "fake") backend.at("devices")[0].at("driver") = "fake 2.0";
  }
  write("expected.json", devices.dump());
  submit_config({"--expect", "expected.json"});
  CHECK_THAT(task(1, 1).err, HasAll({"fake:0: driver is fake 1.0; expected fake 2.0",
                                     "its devices are not as they should be"}));
  CHECK_FALSE(fs::exists(path() / "results/shard-1.db"));
  set("BENCHCTL_FAKE_DEVICES", "2");
  CHECK_THAT(call({"list", "--devices", "--expect", "expected.json"}).err,
             ContainsSubstring("fake: 2 devices; expected 1"));
}

TEST_CASE_METHOD(Cluster, "a task takes the cards that it was given, and no slice of one") {
  set("BENCHCTL_FAKE_DEVICES", "3");  // a processor and two cards
  submit_config();
  const auto cards_of_task = [&] {
    const std::string out = task(1).out;
    std::string cards;
    for (const std::string card : {"fake:1", "fake:2"}) {
      if (out.find(", " + card + ")") != std::string::npos) cards += card;
    }
    return cards;
  };
  CHECK(cards_of_task().empty());
  set("SLURM_JOB_GPUS", "1");
  CHECK(cards_of_task() == "fake:2");
  // What the scheduler says by the backend's own variable goes before.
  set("FAKE_VISIBLE_DEVICES", "0");
  CHECK(cards_of_task() == "fake:1");
  set("FAKE_VISIBLE_DEVICES", "MIG-2f8b7c3a");
  CHECK_THAT(task(2, 1).err, ContainsSubstring("is a slice of a card"));
}

TEST_CASE_METHOD(Cluster, "devices that BENCHCTL_HARDWARE does not name are not there") {
  set("BENCHCTL_FAKE_DEVICES", "2");
  set("BENCHCTL_HARDWARE", "fake:1");
  CHECK_THAT(call({"list", "--devices"}).out, ContainsSubstring("fake:1 "));
  set("BENCHCTL_HARDWARE", "fake:10");
  CHECK(call({"list", "--devices"}).out.find("fake:1 ") == std::string::npos);
}

TEST_CASE_METHOD(Cluster, "submit refuses what Slurm would misread") {
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& reason) {
    CHECK_THAT(expect(2, arguments).err, ContainsSubstring(reason));
  };
  refused({"submit", "c.toml", "--output", "r"}, "submit needs --slurm");
  refused({"submit", "--slurm", "--output", "r"}, "submit needs a config");
  refused({"submit", "c.toml", "--slurm", "--output", "r%j", "--print"}, "'%'");
  refused({"submit", "c.toml", "--slurm", "--output", "r", "--print", "--sbatch=--gres=gpu\n#SBATCH x"},
          "--sbatch");
  refused({"submit", "c.toml", "--slurm", "--output", "r", "--print", "--sbatch=account"},
          "an option of sbatch");
  refused({"submit", "--slurm", "--missing", "--output", "nowhere"}, "has no plan.json");
}
