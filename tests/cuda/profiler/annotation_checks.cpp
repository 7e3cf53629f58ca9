// What a profiler sees of a point.
#include "measure/annotation.hpp"
#include "support/catch.hpp"
#include "support/contents_of.hpp"
#include "support/paths.hpp"

#include <cstdlib>

using namespace benchctl;

namespace {

struct Counted : Prepared {
  [[nodiscard]] Resources resources() const override { return {{"registers", 7}}; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return {{"kernel", "some"}};
  }
  double run(std::uint32_t set) override { return 10.0 + set; }
  [[nodiscard]] SampleBlock sample(const SampleRequest& request) override {
    if (request.count == 0) throw Failure(FailureKind::launch_error, "nothing asked for");
    return {.ns = {1, 2}, .batch = request.batch, .gated = false, .readings = {}, .note = {}};
  }
};

}  // namespace

TEST_CASE("executions stand in ranges that carry the point's name, whatever becomes of them") {
  // NVTX looks for the profiler once in a process: at its first range.
  const test::TemporaryDirectory folder;
  const std::filesystem::path log = folder.path() / "log";
  const auto profiler =
      test::test_plugin_directory().parent_path() / "profiler" / "libtest_cuda_profiler.so";
  REQUIRE(setenv("NVTX_INJECTION64_PATH", profiler.c_str(), 1) == 0);
  REQUIRE(setenv("BENCHCTL_PROFILER_LOG", log.c_str(), 1) == 0);

  const auto plain = cuda::annotated(std::make_unique<Counted>(), "");
  CHECK(plain->run(1) == 11);
  const auto named = cuda::annotated(std::make_unique<Counted>(), "matmul/tiled @ cuda:0 n=8");
  CHECK(named->run(2) == 12);
  CHECK(named->sample({.batch = 3}).batch == 3);
  CHECK_THROWS_AS(named->sample({.count = 0}), Failure);
  CHECK(named->resources() == Resources{{"registers", 7}});
  CHECK(named->notes().at("kernel") == "some");

  const std::string sample =
      "push benchctl: matmul/tiled @ cuda:0 n=8\npush benchctl.step: sample\npop benchctl.step\npop "
      "benchctl\n";
  CHECK(test::contents_of(log) ==
        "push benchctl: matmul/tiled @ cuda:0 n=8\npush benchctl.step: run\npop benchctl.step\n"
        "pop benchctl\n" +
            sample + sample);
  unsetenv("NVTX_INJECTION64_PATH");
  unsetenv("BENCHCTL_PROFILER_LOG");
}
