#include "plugin_under_test.hpp"

#include <catch2/catch_test_macros.hpp>

#include "sweep/kernel_plan.hpp"

#include <fstream>
#include <sstream>

namespace benchctl::test {

Backend& cuda_backend() {
  Backend* backend = plugin_backend("cuda");
  if (backend == nullptr) SKIP("the CUDA plugin was not built");
  return *backend;
}

Backend& compiling_backend() {
  Backend& backend = cuda_backend();
  const ProblemSpec problem = matmul_problem({});
  const VariantInfo& variant = matmul_variant(backend, "tiled");
  try {
    static_cast<void>(backend.compile(plan_for(variant, problem, tunables_of(variant)), "sm_80", {}));
  } catch (const Failure& failure) {
    if (failure.kind() == FailureKind::unsupported) SKIP(failure.what());
    throw;
  }
  return backend;
}

std::string first_gpu(Backend& backend) {
  const DeviceList list = backend.devices();
  if (list.devices.empty()) SKIP(list.unavailable);
  return list.devices.front().id;
}

std::filesystem::path kernel_folder() { return kernels_of("cuda"); }

std::string file_bytes(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  return bytes.str();
}

const VariantInfo& matmul_variant(Backend& backend, const std::string& name) {
  return variant_of(backend, "matmul", name);
}

KernelPlan plan_for(const VariantInfo& variant, const ProblemSpec& problem, const Parameters& tunables) {
  Parameters values = problem.parameters;
  values.insert(tunables.begin(), tunables.end());
  return plan_kernel(variant.kernel.value(), values, problem, kernel_folder());
}

}  // namespace benchctl::test
