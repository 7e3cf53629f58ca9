// What PoCL is asked: to bind its threads where it may use all processors, and to keep its kernels where it
// can. Never against the user's wish.
#include "driver/pocl_threads.hpp"
#include "support/catch.hpp"

#include "support/paths.hpp"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>

using namespace benchctl::opencl;

namespace {

/// The variable and this thread's processors, as they were at the end.
class Restored {
 public:
  Restored() {
    if (const char* text = std::getenv("POCL_AFFINITY")) value_ = text;
    REQUIRE(sched_getaffinity(0, sizeof processors_, &processors_) == 0);
    unsetenv("POCL_AFFINITY");
  }
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;
  ~Restored() {
    if (value_) {
      setenv("POCL_AFFINITY", value_->c_str(), 1);
    } else {
      unsetenv("POCL_AFFINITY");
    }
    sched_setaffinity(0, sizeof processors_, &processors_);
  }

  [[nodiscard]] const cpu_set_t& processors() const { return processors_; }

 private:
  std::optional<std::string> value_;
  cpu_set_t processors_{};
};

std::string affinity() {
  const char* text = std::getenv("POCL_AFFINITY");
  return text == nullptr ? "unset" : text;
}

}  // namespace

TEST_CASE("PoCL is asked to bind its threads where it may use all processors") {
  const Restored restored;
  const long processors = sysconf(_SC_NPROCESSORS_CONF);
  if (CPU_COUNT(&restored.processors()) != processors) SKIP("this process may not use all processors");
  bind_pocl_threads();
  CHECK(affinity() == "1");
}

TEST_CASE("PoCL is not asked to bind threads to processors that it may not use") {
  const Restored restored;
  if (CPU_COUNT(&restored.processors()) < 2) SKIP("one processor");
  cpu_set_t fewer = restored.processors();
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &fewer)) --last;
  CPU_CLR(last, &fewer);
  REQUIRE(sched_setaffinity(0, sizeof fewer, &fewer) == 0);
  bind_pocl_threads();
  CHECK(affinity() == "unset");
}

TEST_CASE("the user's wish about PoCL's threads is left as it is") {
  const Restored restored;
  setenv("POCL_AFFINITY", "0", 1);
  bind_pocl_threads();
  CHECK(affinity() == "0");
}

TEST_CASE(
    "PoCL gets a folder for its kernels where the home cannot be written, unless the user names one") {
  const benchctl::test::TemporaryDirectory folder;
  static_cast<void>(folder.write("file", "no folder\n"));
  const std::string file = (folder.path() / "file").string();
  // Not in this process: other tests open devices.
  const auto chosen = [&](const std::string& home, const char* named) {
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    const pid_t child = fork();
    if (child == 0) {
      setenv("HOME", home.c_str(), 1);
      setenv("TMPDIR", folder.path().c_str(), 1);
      unsetenv("XDG_CACHE_HOME");
      named != nullptr ? setenv("POCL_CACHE_DIR", named, 1) : unsetenv("POCL_CACHE_DIR");
      give_pocl_a_cache();
      const char* text = std::getenv("POCL_CACHE_DIR");
      const std::string answer = text != nullptr ? text : "unset";
      _exit(write(ends[1], answer.data(), answer.size()) < 0 ? 1 : 0);
    }
    close(ends[1]);
    std::array<char, 4096> answer{};
    const ssize_t size = read(ends[0], answer.data(), answer.size());
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return std::string(answer.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  };
  const std::filesystem::path own = folder.path() / ("benchctl-pocl-" + std::to_string(geteuid()));
  CHECK(chosen(folder.path().string(), nullptr) == "unset");
  CHECK(chosen(file, "/named") == "/named");
  CHECK_FALSE(std::filesystem::exists(own));
  CHECK(chosen(file, nullptr) == own.string());
  CHECK(chosen(file, nullptr) == own.string());  // the second time, too
  std::filesystem::permissions(own, std::filesystem::perms::all);
  CHECK(chosen(file, nullptr) == "unset");
}
