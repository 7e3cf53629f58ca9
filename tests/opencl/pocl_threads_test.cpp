// When PoCL is asked to bind its threads: all processors, and nobody else's wish.
#include "driver/pocl_threads.hpp"

#include <catch2/catch_test_macros.hpp>

#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>

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
