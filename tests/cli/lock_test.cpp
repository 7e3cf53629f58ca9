// Only one measures at a time.
#include "support/has_all.hpp"
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <csignal>

using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string two_problems =
    fake_config("variants = [\"steady\"]", "n = [8, 9]\nns = [1000000]", "max_seconds = 5");

}  // namespace

TEST_CASE_METHOD(Sandbox, "a run that is refused because another measures leaves nothing") {
  const auto lock = (path() / "machine.lock").string();
  write("c.toml", two_problems);
  const auto refused = [&] {
    const Outcome outcome = call_under({"flock", lock}, {"run", "c.toml"});
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, HasAll({"another benchctl", "--wait"}));
  };
  refused();
  CHECK_FALSE(std::filesystem::exists(path() / "store.db"));
  // Nor does it begin to resume what was interrupted.
  set("BENCHCTL_FAKE_SLEEP_US", "5000");
  const pid_t process = start({"run", "c.toml"});
  wait_for(*this, "problem", 2);
  kill(process, SIGINT);
  CHECK(Sandbox::wait(process) == 130);
  const std::string before = call({"runs", "--format", "json"}).out;
  refused();
  CHECK(call({"runs", "--format", "json"}).out == before);
  // What only rules points out measures nothing, and need not wait.
  write("out.toml", fake_config("variants = [\"steady\"]", "n = [8]\nblock = [2048]"));
  CHECK(call_under({"flock", lock}, {"run", "out.toml"}).exit_code == 6);
}

TEST_CASE_METHOD(Sandbox, "Ctrl-C ends waiting for another benchctl") {
  write("c.toml", two_problems);
  const int lock = open((path() / "machine.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  REQUIRE(flock(lock, LOCK_EX) == 0);
  const pid_t process = start({"run", "c.toml", "--wait"});
  for (int i = 0; i < 10'000 && read("background.err").empty(); ++i) usleep(1'000);
  CHECK_THAT(read("background.err"), ContainsSubstring("waiting for another benchctl"));
  kill(process, SIGINT);
  CHECK(Sandbox::wait(process) == 130);
  CHECK_FALSE(std::filesystem::exists(path() / "store.db"));
  close(lock);
}
