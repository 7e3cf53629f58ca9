#include "plugin_under_test.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/paths.hpp"
#include "sweep/kernel_plan.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>

namespace benchctl::test {

namespace {

std::filesystem::path plugin_file() { return plugin_directory() / "libbenchctl_cuda.so"; }

std::unique_ptr<Plugin> load_plugin() {
  void* library = dlopen(plugin_file().c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) FAIL("the plugin does not load: " << dlerror());
  auto* create = reinterpret_cast<Plugin* (*)()>(dlsym(library, "benchctl_create_plugin"));
  REQUIRE(create != nullptr);
  return std::unique_ptr<Plugin>(create());
}

}  // namespace

Backend& cuda_backend() {
  if (!std::filesystem::exists(plugin_file())) SKIP("the CUDA plugin was not built");
  static const std::unique_ptr<Plugin> plugin = load_plugin();
  return *plugin->backend();
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

std::filesystem::path kernel_folder() { return plugin_directory() / "kernels/cuda"; }

std::string file_bytes(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  return bytes.str();
}

const VariantInfo& matmul_variant(Backend& backend, const std::string& name) {
  const auto found = std::ranges::find_if(backend.variants(), [&](const VariantInfo& variant) {
    return variant.workload == "matmul" && variant.name == name;
  });
  REQUIRE(found != backend.variants().end());
  return *found;
}

Parameters tunables_of(const VariantInfo& variant, const Parameters& given) {
  Parameters tunables = given;
  for (const TunableInfo& tunable : variant.tunables) tunables.emplace(tunable.name, tunable.default_value);
  return tunables;
}

ProblemSpec matmul_problem(const MatmulSize& size) {
  const auto elements = [](std::int64_t rows, std::int64_t columns) {
    return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns);
  };
  ProblemSpec problem;
  problem.workload = "matmul";
  problem.parameters = {
      {"m", size.m}, {"n", size.n}, {"k", size.k}, {"dtype", std::string(to_string(size.dtype))}};
  problem.buffers = {{"A", size.dtype, elements(size.m, size.k), BufferRole::in, Space::device},
                     {"B", size.dtype, elements(size.k, size.n), BufferRole::in, Space::device},
                     {"C", size.dtype, elements(size.m, size.n), BufferRole::out, Space::device}};
  problem.scalars = {{"m", DType::i32, size.m}, {"n", DType::i32, size.n}, {"k", DType::i32, size.k}};
  return problem;
}

KernelPlan plan_for(const VariantInfo& variant, const ProblemSpec& problem, const Parameters& tunables) {
  Parameters values = problem.parameters;
  values.insert(tunables.begin(), tunables.end());
  return plan_kernel(variant.kernel.value(), values, problem, kernel_folder());
}

}  // namespace benchctl::test
