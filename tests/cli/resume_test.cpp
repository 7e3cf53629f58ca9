// Nothing is lost: Ctrl-C, kill -9 of the coordinator and of a worker, resumption, reuse.
#include "support/catch.hpp"
#include "support/program.hpp"

#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>

using namespace benchctl::test;
using nlohmann::json;

namespace {

const std::string six_points =
    fake_config("variants = [\"steady\", \"noisy\"]", "n = [8, 9, 10]\nns = [1000000]", "max_seconds = 5");

/// The processes that `coordinator` has started, the oldest first.
std::vector<pid_t> workers(pid_t coordinator) {
  // They are the children of one of its threads, all of the same one.
  std::vector<pid_t> found;
  std::error_code ended;
  const std::filesystem::path threads = "/proc/" + std::to_string(coordinator) + "/task";
  for (const auto& thread : std::filesystem::directory_iterator(threads, ended)) {
    std::ifstream in(thread.path() / "children");
    for (pid_t child = 0; in >> child;) found.push_back(child);
  }
  return found;
}

/// The process of some lane's worker, or 0.
pid_t any_worker(pid_t coordinator) {
  const std::vector<pid_t> found = workers(coordinator);
  // The first is the reference worker; the lanes' come after it.
  return found.size() < 2 ? 0 : found.back();
}

/// Waits until the fake plugin has logged that many more lines, or the program has ended by itself. A
/// random moment that is told in work, so that a slow machine gets as far as a fast one.
void wait_for_progress(const Sandbox& sandbox, pid_t process, std::size_t lines) {
  const std::size_t end = sandbox.log().size() + lines;
  const auto has_ended = [process] {
    siginfo_t info{};
    const int left = WEXITED | WNOHANG | WNOWAIT;
    return waitid(P_PID, static_cast<id_t>(process), &info, left) == 0 && info.si_pid == process;
  };
  while (sandbox.log().size() < end && !has_ended()) usleep(1'000);
}

std::map<std::string, json> finished_rows(const Sandbox& sandbox) {
  std::map<std::string, json> rows;
  for (const json& row : sandbox.rows({"--samples"})) {
    if (row.at("status") != "ok") continue;
    json& kept = rows[row.at("label").get<std::string>()];
    // Without what only other points have: an audit leaves a figure out where a busy machine disturbs it.
    for (const auto& [column, value] : row.items()) {
      if (!value.is_null()) kept[column] = value;
    }
  }
  return rows;
}

/// Interrupts a run of six points when its second problem has begun; later runs are quick.
void interrupt_six_points(Sandbox& sandbox) {
  sandbox.set("BENCHCTL_FAKE_SLEEP_US", "5000");
  sandbox.write("c.toml", six_points);
  const pid_t process = sandbox.start({"run", "c.toml"});
  wait_for(sandbox, "problem", 2);
  kill(process, SIGINT);
  CHECK(Sandbox::wait(process) == 130);
  sandbox.set("BENCHCTL_FAKE_SLEEP_US", "0");
}

}  // namespace

TEST_CASE_METHOD(
    Sandbox,
    "an interrupted run is kept, while its devices cannot be listed, too, and resumed when they can") {
  interrupt_six_points(*this);
  CHECK_THAT(read("background.err"), ContainsSubstring("The same command continues"));
  const auto before = finished_rows(*this);
  CHECK(before.size() >= 2);
  CHECK(before.size() < 6);
  const Outcome refused = call_under({"env", "BENCHCTL_FAKE_CRASH_PROBE=1"}, {"run", "c.toml"});
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.err, HasAll({"it is kept", "--fresh"}));
  CHECK_THAT(expect(0, {"run", "c.toml"}).err, ContainsSubstring("resuming run 1"));
  const auto after = finished_rows(*this);
  CHECK(after.size() == 6);
  for (const auto& [label, row] : before) CHECK(after.at(label) == row);
  CHECK(parsed({"runs"}).at("runs").size() == 1);
}

TEST_CASE_METHOD(Sandbox,
                 "where other devices are there than before, what was finished is not measured again") {
  interrupt_six_points(*this);
  const std::size_t finished = finished_rows(*this).size();
  CHECK(finished >= 2);

  set("BENCHCTL_FAKE_DEVICES", "2");
  CHECK_THAT(expect(0, {"run", "c.toml"}).err,
             HasAll({"a new run begins", std::to_string(finished) + " of 12 points taken from"}));
  CHECK(finished_rows(*this).size() == 12);
}

TEST_CASE_METHOD(Sandbox, "a group of several sizes is resumed in all of them") {
  write("mine.k", "x\n");
  write("c.toml", own_config(sized_workload("only") + fake_kernel("only", "sized"),
                             "workload = 'sized'\nparameters = { TILE = [1, 4, 16] }\n"));
  set("BENCHCTL_FAKE_SLEEP_US", "5000");
  const pid_t process = start({"run", "c.toml"});
  wait_for(*this, "problem", 5);  // three references, and the second of the three sizes
  kill(process, SIGINT);
  CHECK(Sandbox::wait(process) == 130);
  CHECK(finished_rows(*this).size() < 3);
  set("BENCHCTL_FAKE_SLEEP_US", "0");
  CHECK_THAT(expect(0, {"run", "c.toml"}).err, ContainsSubstring("resuming run 1"));
  CHECK(finished_rows(*this).size() == 3);
}

TEST_CASE_METHOD(Sandbox, "a second Ctrl-C stops at once") {
  write("c.toml",
        fake_config("variants = [\"hang\"]", "n = [8]\nfault_verb = [\"sample\"]", "max_seconds = 5"));
  const pid_t process = start({"run", "c.toml", "--timeout", "600"});
  wait_for(*this, "sample hang", 1);
  kill(process, SIGINT);
  usleep(50'000);
  kill(process, SIGINT);
  CHECK(Sandbox::wait(process) == 130);
}

TEST_CASE("kill -9 of the coordinator at random moments loses no finished point and measures none twice") {
  std::mt19937 random(7);
  for (int round = 0; round < 2; ++round) {  // tools/campaign has hundreds
    Sandbox sandbox;
    sandbox.set("BENCHCTL_FAKE_SLEEP_US", "1000");
    sandbox.write("c.toml", six_points);
    std::map<std::string, json> known;
    bool complete = false;
    for (unsigned attempt = 0; attempt < 60 && !complete; ++attempt) {
      const pid_t process = sandbox.start({"run", "c.toml"});
      // The first now and then before there is a store; later ones live longer, so that an end is reached.
      wait_for_progress(sandbox, process, random() % (60 + 30 * attempt));
      usleep(static_cast<useconds_t>(random() % 20'000));
      kill(process, SIGKILL);
      static_cast<void>(Sandbox::wait(process));
      const Outcome listed = sandbox.call({"runs", "--format", "json"});
      if (listed.exit_code != 0) {
        // Only before the store was made, of which a file without contents may be left.
        REQUIRE_THAT(listed.err, ContainsSubstring("there is no store"));
        REQUIRE(known.empty());
        continue;
      }
      const json runs = json::parse(listed.out).at("runs");
      if (runs.empty()) continue;
      CHECK(runs.size() == 1);
      // It may have been killed after its last point and before its last word.
      complete = runs.at(0).at("state") == "complete";
      const auto now = finished_rows(sandbox);
      for (const auto& [label, row] : known) {
        REQUIRE(now.contains(label));
        CHECK(now.at(label) == row);
      }
      known = now;
    }
    CAPTURE(round);
    CHECK(complete);
    CHECK(known.size() == 6);
  }
}

TEST_CASE_METHOD(
    Sandbox, "the folder of a run that was killed is removed by the next, that of a living one is not") {
  const auto temporary = path() / "tmp";
  std::filesystem::create_directory(temporary);
  set("TMPDIR", temporary.string());
  const auto folders = [&] {
    return std::distance(std::filesystem::directory_iterator(temporary),
                         std::filesystem::directory_iterator());
  };
  set("BENCHCTL_FAKE_SLEEP_US", "5000");
  write("c.toml", six_points);
  const pid_t process = start({"run", "c.toml"});
  wait_for(*this, "problem", 1);
  expect(0, {"check", "c.toml"});
  CHECK(folders() == 1);
  kill(process, SIGKILL);
  static_cast<void>(Sandbox::wait(process));
  CHECK(folders() == 1);
  expect(0, {"check", "c.toml"});
  CHECK(folders() == 0);
}

TEST_CASE("only folders that a run has made and marked are removed") {
  namespace fs = std::filesystem;
  Sandbox sandbox;
  const std::string mark = "folder of a run of benchctl; the next run removes it\n";
  const auto folder = [&](const std::string& name, const std::string& content,
                          fs::perms mode = fs::perms::owner_all) {
    const fs::path owner = sandbox.write("tmp/" + name + "/owner", content);
    fs::permissions(owner, fs::perms::owner_read | fs::perms::owner_write);
    fs::permissions(owner.parent_path(), mode);
    return owner.parent_path();
  };
  const fs::path outside = sandbox.write("outside/keep", "this").parent_path();
  const fs::path abandoned = folder("benchctl-Abc123", mark);
  sandbox.write("tmp/benchctl-Abc123/deep/er/file", "x");
  fs::create_directory_symlink(outside, abandoned / "link");
  const std::vector<fs::path> kept{
      folder("benchctl-something", mark),
      folder("benchctl-Abc12", mark),
      folder("benchctl-Abc12.", mark),
      folder("benchctl-Empty1", ""),
      folder("benchctl-Other1", "17"),
      folder("benchctl-Longer", mark + "and more"),
      folder("benchctl-Shared", mark, fs::perms::owner_all | fs::perms::group_all),
  };
  const fs::path target = folder("target", mark);
  fs::create_directory_symlink(target, sandbox.path() / "tmp/benchctl-LinkAb");
  const fs::path linked = sandbox.path() / "tmp/benchctl-LinkCd";
  fs::create_directory(linked);
  fs::permissions(linked, fs::perms::owner_all);
  fs::create_symlink(target / "owner", linked / "owner");

  sandbox.set("TMPDIR", (sandbox.path() / "tmp").string());
  sandbox.write("c.toml", six_points);
  sandbox.expect(0, {"check", "c.toml"});
  CHECK_FALSE(fs::exists(abandoned));
  CHECK(fs::exists(outside / "keep"));
  CHECK(fs::exists(target / "owner"));
  CHECK(fs::exists(linked));
  for (const fs::path& path : kept) {
    CAPTURE(path);
    CHECK(fs::exists(path / "owner"));
  }
}

TEST_CASE("kill -9 of a worker costs at most the point it was working on") {
  std::mt19937 random(11);
  Sandbox sandbox;
  sandbox.set("BENCHCTL_FAKE_SLEEP_US", "10000");
  sandbox.write("c.toml", six_points);
  const pid_t process = sandbox.start({"run", "c.toml"});
  // There is a worker from now on, with almost all of the run before it.
  wait_for(sandbox, "problem", 1);
  int killed = 0;
  for (int i = 0; i < 3; ++i) {
    if (i > 0) usleep(static_cast<useconds_t>(150'000 + random() % 100'000));
    if (const pid_t worker = any_worker(process); worker != 0 && kill(worker, SIGKILL) == 0) ++killed;
  }
  const int exit_code = Sandbox::wait(process);
  int crashed = 0;
  int good = 0;
  for (const json& row : sandbox.rows()) {
    if (row.at("status") == "crashed") {
      ++crashed;
      CHECK_THAT(row.at("reason").get<std::string>(), ContainsSubstring("Killed"));
    }
    good += row.at("status") == "ok" ? 1 : 0;
  }
  CHECK(killed >= 1);
  CHECK(crashed <= killed);
  CHECK(good + crashed == 6);
  CHECK(exit_code == (crashed > 0 ? 1 : 0));
}

TEST_CASE("workers that are killed before there is a point to work on cost none") {
  // What is meant may be missed when the machine is slow: then the worker is past its start.
  for (int attempt = 0; attempt < 20; ++attempt) {
    Sandbox sandbox;
    sandbox.write("c.toml", six_points);
    const pid_t process = sandbox.start({"run", "c.toml"});
    pid_t worker = 0;
    for (int i = 0; worker == 0 && i < 20'000; ++i) {
      worker = any_worker(process);
      usleep(200);
    }
    REQUIRE(worker != 0);
    const pid_t of_references = workers(process).front();
    kill(worker, SIGKILL);
    const bool was_starting = sandbox.logged("problem") == 0;
    kill(of_references, SIGKILL);
    const int exit_code = Sandbox::wait(process);
    if (!was_starting) continue;
    CHECK(exit_code == 0);
    CHECK(finished_rows(sandbox).size() == 6);
    return;
  }
  SKIP("no worker could be killed while it started");
}

TEST_CASE_METHOD(Sandbox, "a signal to stop that reaches the workers too is not taken for a crash") {
  set("BENCHCTL_FAKE_SLEEP_US", "2000");
  write("c.toml", six_points);
  const pid_t process = start({"run", "c.toml"});
  wait_for(*this, "problem", 1);
  int told = 0;
  for (const int signal : {SIGTERM, SIGINT}) {
    if (const pid_t worker = any_worker(process); worker != 0 && kill(worker, signal) == 0) ++told;
    usleep(20'000);
  }
  CHECK(told == 2);
  CHECK(Sandbox::wait(process) == 0);
  CHECK(finished_rows(*this).size() == 6);
}

TEST_CASE_METHOD(Sandbox, "workers do not outlive a coordinator that was killed") {
  write("c.toml",
        fake_config("variants = [\"hang\"]", "n = [8]\nfault_verb = [\"sample\"]", "max_seconds = 5"));
  const pid_t process = start({"run", "c.toml", "--timeout", "600"});
  wait_for(*this, "sample hang", 1);
  const pid_t worker = any_worker(process);
  REQUIRE(worker != 0);
  kill(process, SIGKILL);
  CHECK(Sandbox::wait(process) == 128 + SIGKILL);
  bool gone = false;
  for (int i = 0; i < 200 && !gone; ++i) {
    gone = kill(worker, 0) != 0;
    if (!gone) {
      std::ifstream stat("/proc/" + std::to_string(worker) + "/stat");
      std::string pid;
      std::string name;
      std::string state;
      stat >> pid >> name >> state;
      gone = state == "Z";  // killed; whoever adopted it has not looked yet
    }
    usleep(5'000);
  }
  CHECK(gone);
}

TEST_CASE_METHOD(
    Sandbox, "a complete run is followed by a new one; --reuse takes what matches; --fresh takes nothing") {
  run(six_points);
  const std::size_t once = logged("problem");
  REQUIRE(once == 3);
  expect(0, {"run", "c.toml"});
  CHECK(logged("problem") == 6);
  CHECK_THAT(expect(0, {"run", "c.toml", "--reuse"}).err,
             ContainsSubstring("6 of 6 points taken from older runs"));
  CHECK(logged("problem") == 6);
  CHECK(finished_rows(*this).size() == 6);
  write("d.toml", fake_config("variants = [\"steady\", \"noisy\"]", "n = [8, 9, 10, 11]\nns = [1000000]",
                              "max_seconds = 5"));
  expect(0, {"run", "d.toml", "--reuse"});
  CHECK(logged("problem") == 7);
  CHECK(parsed({"runs"}).at("runs").size() == 4);
}

TEST_CASE_METHOD(Sandbox, "reuse needs the same measure settings and the same worker environment") {
  run(fake_config("variants = [\"steady\"]", "n = [8]", "max_seconds = 1"));
  REQUIRE(logged("problem") == 1);
  expect(0, {"run", "c.toml", "--reuse", "--set", "measure.max_seconds=2"});
  CHECK(logged("problem") == 2);
  set("OMP_NUM_THREADS", "1");
  expect(0, {"run", "c.toml", "--reuse"});
  CHECK(logged("problem") == 3);
  expect(0, {"run", "c.toml", "--reuse"});
  CHECK(logged("problem") == 3);
  set("FAKE_DRIVER_MODE", "slow");  // the fake plugin names it
  expect(0, {"run", "c.toml", "--reuse"});
  CHECK(logged("problem") == 4);
  set("OTHER_DRIVER_MODE", "slow");  // no plugin does
  expect(0, {"run", "c.toml", "--reuse"});
  CHECK(logged("problem") == 4);
}

TEST_CASE_METHOD(Sandbox, "an interrupted run is not resumed with --fresh, nor with another config") {
  interrupt_six_points(*this);
  expect(0, {"run", "c.toml", "--set", "n=[4]"});
  expect(0, {"run", "c.toml", "--fresh"});
  CHECK(parsed({"runs"}).at("runs").size() == 3);
}
