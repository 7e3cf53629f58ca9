// The plugins of this tree pass the conformance kit, as far as this machine has devices for them.
#include <catch2/catch_test_macros.hpp>

#include "support/program.hpp"

using namespace benchctl;

namespace {

void passes(const std::string& name) {
  const auto library = test::plugin_directory() / ("libbenchctl_" + name + ".so");
  if (!std::filesystem::exists(library)) SKIP("this build has no plugin " + name);
  const test::Sandbox sandbox;
  const test::Outcome outcome = sandbox.call({"plugin", "check", library.string(), "--timeout", "300"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
}

}  // namespace

TEST_CASE("cpu_avx passes the conformance kit", "[serial]") { passes("cpu_avx"); }
TEST_CASE("opencl passes the conformance kit", "[serial]") { passes("opencl"); }
TEST_CASE("cuda passes the conformance kit", "[serial]") { passes("cuda"); }
TEST_CASE("nvml passes the conformance kit") { passes("nvml"); }
