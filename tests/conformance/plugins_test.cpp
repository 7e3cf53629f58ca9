// The plugins of this tree pass the conformance kit, as far as this machine has devices for them. True
// times are the self-test's proof, and Oclgrind's (tests/catalogue) are bounds and results of OpenCL's
// kernels: those checks, the longest, have the label `full` here.
#include "support/catch.hpp"
#include "support/program.hpp"

using namespace benchctl;

namespace {

constexpr const char* shorter_checks =
    "loading,refusal,variants,devices,observer,compiler,canaries,errors,memory,together,leaks";

void passes(const std::string& name, const std::vector<std::string>& more = {}) {
  const auto library = test::plugin_directory() / ("libbenchctl_" + name + ".so");
  if (!std::filesystem::exists(library)) SKIP("this build has no plugin " + name);
  const test::Sandbox sandbox;
  std::vector<std::string> arguments{"plugin", "check", library.string(), "--timeout", "300"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const test::Outcome outcome = sandbox.call(arguments);
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
}

}  // namespace

TEST_CASE("a plugin of kernels is checked on its backend's devices", "[serial]") {
  if (!std::filesystem::exists(test::plugin_directory() / "libbenchctl_opencl.so"))
    SKIP("this build has no plugin opencl");
  const test::Sandbox sandbox(test::Plugins::all);
  sandbox.expect(0, {"plugin", "new", "mine", "--kind", "kernels"});
  const std::vector<std::string> arguments{"plugin",           "check",    "mine/kernels/mine", "--only",
                                           "variants,results", "--device", "opencl:pocl:0"};
  const test::Outcome right = sandbox.call(arguments);
  if (right.err.find("no such device") != std::string::npos) SKIP(right.err);
  CHECK(right.exit_code == 0);
  CHECK_THAT(right.out, ContainsSubstring("2 checks passed, 0 failed"));
  std::string kernel = sandbox.read("mine/kernels/mine/vector_add.cl");
  kernel.replace(kernel.find("a[i] + b[i]"), 11, "a[i] - b[i]");
  sandbox.write("mine/kernels/mine/vector_add.cl", kernel);
  const test::Outcome wrong = sandbox.expect(1, arguments);
  CHECK_THAT(wrong.out, ContainsSubstring("failed: vector_add/mine"));
}
TEST_CASE("cpu_avx passes the shorter checks of the kit", "[serial]") {
  passes("cpu_avx", {"--only", std::string(shorter_checks) + ",results"});
}
TEST_CASE("opencl passes the shorter checks of the kit", "[serial]") {
  passes("opencl", {"--only", shorter_checks});
}
TEST_CASE("cpu_avx passes the conformance kit", "[full]") { passes("cpu_avx"); }
TEST_CASE("opencl passes the conformance kit", "[full]") { passes("opencl"); }
TEST_CASE("cuda passes the conformance kit", "[serial]") { passes("cuda"); }
TEST_CASE("nvml passes the conformance kit") { passes("nvml"); }
