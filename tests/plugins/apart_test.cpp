// Questions to code that may crash or hang.
#include "model/apart.hpp"
#include "plugins/plugin_host.hpp"
#include "support/paths.hpp"

#include <catch2/catch_test_macros.hpp>

#include <unistd.h>

#include <csignal>
#include <stdexcept>

using namespace benchctl;
namespace fs = std::filesystem;

TEST_CASE("an answer comes from another process, whole, however long it is") {
  const pid_t here = getpid();
  const std::string tail(300'000, 'x');  // more than a pipe holds
  const ApartAnswer answer = ask_apart([&] { return (getpid() == here ? "same " : "other ") + tail; }, 20);
  CHECK(answer.failure.empty());
  CHECK(answer.text == "other " + tail);
  const ApartAnswer empty = ask_apart([] { return std::string(); }, 20);
  CHECK(empty.failure.empty());
  CHECK(empty.text.empty());
}

TEST_CASE("a child that crashes, ends, throws or hangs is a failure with its reason") {
  const auto failure = [](const std::function<std::string()>& question) {
    const ApartAnswer answer = ask_apart(question, 1);
    CHECK(answer.text.empty());
    return answer.failure;
  };
  CHECK(failure([]() -> std::string {
          std::signal(SIGABRT, SIG_DFL);
          std::raise(SIGABRT);
          return "went on";
        }) == "it crashed (signal 6)");
  CHECK(failure([]() -> std::string { _exit(3); }) == "it ended the process (exit code 3)");
  CHECK(failure([]() -> std::string { throw std::runtime_error("no such thing"); }) == "no such thing");
  CHECK(failure([]() -> std::string {
          for (;;) pause();
        }) == "it did not answer in time");
}

TEST_CASE("libraries are found folder by folder, each by name") {
  const test::TemporaryDirectory first;
  const test::TemporaryDirectory second;
  for (const char* name : {"libbenchctl_b.so", "libbenchctl_a.so", "libother.so", "notes.txt"})
    first.write(name, "");
  second.write("libbenchctl_0.so", "");
  const std::vector<fs::path> expected{first.path() / "libbenchctl_a.so", first.path() / "libbenchctl_b.so",
                                       second.path() / "libbenchctl_0.so"};
  CHECK(plugin_libraries({first.path(), "/no/such/folder", second.path()}) == expected);
}
