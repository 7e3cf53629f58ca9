// examples/kernels on an OpenCL device: every result is right.
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"

#include <cstdlib>

using namespace benchctl::test;
using nlohmann::json;

namespace {

struct KernelExamples : Sandbox {
  KernelExamples() : Sandbox(Plugins::all) {
    if (call({"list", "--devices"}).out.find("opencl:") == std::string::npos) SKIP("no OpenCL device");
  }
  /// Runs it, and checks that `points` at least are there and that all are right.
  void all_right(const std::string& file, std::size_t points, const std::vector<std::string>& more) const {
    std::vector<std::string> words{"run",       (example_directory() / "kernels" / file).string(),
                                   "--set",     "measure.samples=2",
                                   "--set",     "measure.max_seconds=20",
                                   "--timeout", "120"};
    words.insert(words.end(), more.begin(), more.end());
    expect(0, words);
    std::size_t own = 0;
    for (const json& row : rows()) {
      INFO(row.dump(2));
      CHECK(row.at("status") == "ok");
      ++own;
    }
    CHECK(own >= points);
  }
};

}  // namespace

TEST_CASE_METHOD(KernelExamples, "a transform whose buffers change places, and an image in two layouts",
                 "[serial]") {
  all_right("fft.toml", 4, {});
  all_right("filter.toml", 4, {"--set", "width=100", "--set", "height=50"});
}

TEST_CASE_METHOD(KernelExamples, "a sparse matrix that NumPy makes", "[serial]") {
  set("PATH", "/usr/bin:/bin");
  if (std::system("PATH=/usr/bin:/bin python3 -c 'import numpy'") != 0) SKIP("Python has no NumPy");
  all_right("csr.toml", 4, {"--set", "rows=512", "--allow-programs"});
}
