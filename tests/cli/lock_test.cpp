// Only one measures at a time.
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <csignal>
#include <fstream>

using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string two_problems =
    fake_config("variants = [\"steady\"]", "n = [8, 9]\nns = [1000000]", "max_seconds = 5");

}  // namespace

TEST_CASE("a run that is refused because another measures leaves nothing") {
  Sandbox sandbox;
  const auto lock = (sandbox.path() / "machine.lock").string();
  const auto config = sandbox.write("c.toml", two_problems);
  const auto refused = [&] {
    const Outcome outcome = sandbox.call_under({"flock", lock}, {"run", config.string()});
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, ContainsSubstring("another benchctl") && ContainsSubstring("--wait"));
  };
  refused();
  CHECK_FALSE(std::filesystem::exists(sandbox.path() / "store.db"));
  // Nor does it begin to resume what was interrupted.
  sandbox.set("BENCHCTL_FAKE_SLEEP_US", "5000");
  const pid_t process = sandbox.start({"run", config.string()});
  wait_for(sandbox, "problem", 2);
  kill(process, SIGINT);
  CHECK(Sandbox::wait(process) == 130);
  const std::string before = sandbox.call({"runs", "--format", "json"}).out;
  refused();
  CHECK(sandbox.call({"runs", "--format", "json"}).out == before);
  // What only rules points out measures nothing, and need not wait.
  const auto ruled_out =
      sandbox.write("out.toml", fake_config("variants = [\"steady\"]", "n = [8]\nblock = [2048]"));
  CHECK(sandbox.call_under({"flock", lock}, {"run", ruled_out.string()}).exit_code == 6);
}

TEST_CASE("Ctrl-C ends waiting for another benchctl") {
  Sandbox sandbox;
  const auto config = sandbox.write("c.toml", two_problems);
  const int lock = open((sandbox.path() / "machine.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  REQUIRE(flock(lock, LOCK_EX) == 0);
  const pid_t process = sandbox.start({"run", config.string(), "--wait"});
  for (int i = 0; i < 10'000 && sandbox.read("background.err").empty(); ++i) usleep(1'000);
  CHECK_THAT(sandbox.read("background.err"), ContainsSubstring("waiting for another benchctl"));
  kill(process, SIGINT);
  CHECK(Sandbox::wait(process) == 130);
  CHECK_FALSE(std::filesystem::exists(sandbox.path() / "store.db"));
  close(lock);
}

TEST_CASE("a second benchctl is kept out while one measures, unless it waits") {
  Sandbox sandbox;
  const auto endless =
      sandbox.write("endless.toml", fake_config(list_of({"hang"}), "n = [8]\nfault_verb = ['sample']"));
  const pid_t first = sandbox.start({"run", endless.string(), "--timeout", "3600"});
  while (sandbox.logged("sample hang") == 0) usleep(10'000);
  sandbox.set("BENCHCTL_DB", (sandbox.path() / "other.db").string());
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  const Outcome second = sandbox.call({"run", config.string()});
  CHECK(second.exit_code == 2);
  CHECK_THAT(second.err, ContainsSubstring("is measuring on this machine"));

  const pid_t waiting = sandbox.start({"run", config.string(), "--wait"});
  usleep(300'000);  // if it did not wait, it would have begun
  CHECK(sandbox.logged("problem") == 1);
  kill(first, SIGKILL);
  CHECK(Sandbox::wait(first) == 128 + SIGKILL);
  CHECK(Sandbox::wait(waiting) == 0);
  CHECK(sandbox.logged("sample steady") > 0);
}
