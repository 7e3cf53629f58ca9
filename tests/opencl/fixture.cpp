#include "fixture.hpp"

#include "sweep/kernel_plan.hpp"

#include <dlfcn.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace benchctl::test {

namespace {

constexpr std::uint64_t guard_bytes = 256;
constexpr std::byte guard_value{0xa5};
constexpr std::byte poison_value{0xff};  // NaN in f32 and f64

struct LoadedPlugin {
  std::unique_ptr<Plugin> plugin;
  std::string reason;
};

LoadedPlugin load() {
  const auto file = plugin_directory() / "libbenchctl_opencl.so";
  if (!std::filesystem::exists(file)) return {nullptr, "not built: " + file.string()};
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  auto* create = reinterpret_cast<Plugin* (*)()>(dlsym(library, "benchctl_create_plugin"));
  if (create == nullptr) throw std::runtime_error("no factory in " + file.string());
  return {std::unique_ptr<Plugin>(create()), {}};
}

/// Reals in [-1, 1), different for every seed; exact in f32.
std::vector<double> numbers(std::int64_t count, std::uint32_t seed) {
  std::vector<double> result;
  std::uint32_t state = seed * 2654435761U + 1;
  for (std::int64_t i = 0; i < count; ++i) {
    state = state * 1664525U + 1013904223U;
    result.push_back(static_cast<double>(state >> 9U) / static_cast<double>(1U << 22U) - 1.0);
  }
  return result;
}

std::vector<std::byte> encode(const std::vector<double>& values, DType dtype) {
  std::vector<std::byte> bytes(values.size() * size_of(dtype));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto single = static_cast<float>(values[i]);
    if (dtype == DType::f32) {
      std::memcpy(bytes.data() + i * sizeof single, &single, sizeof single);
    } else {
      std::memcpy(bytes.data() + i * sizeof(double), &values[i], sizeof(double));
    }
  }
  return bytes;
}

double element(const std::vector<std::byte>& bytes, std::size_t i, DType dtype) {
  float single = 0;
  double real = 0;
  if (dtype == DType::f32) {
    std::memcpy(&single, bytes.data() + i * sizeof single, sizeof single);
    return static_cast<double>(single);
  }
  std::memcpy(&real, bytes.data() + i * sizeof real, sizeof real);
  return real;
}

}  // namespace

Backend& opencl_backend() {
  static const LoadedPlugin loaded = load();
  if (!loaded.plugin) SKIP(loaded.reason);
  return *loaded.plugin->backend();
}

std::vector<DeviceInfo> opencl_devices() {
  const bool simulators = std::getenv("BENCHCTL_TEST_SIMULATOR") != nullptr;
  DeviceList list = opencl_backend().devices();
  std::erase_if(list.devices, [&](const DeviceInfo& device) {
    return (device.type == DeviceType::simulator) != simulators;
  });
  if (list.devices.empty()) {
    SKIP((simulators ? "no OpenCL simulator " : "no OpenCL device ") + list.unavailable);
  }
  return list.devices;
}

std::filesystem::path opencl_kernels() { return plugin_directory() / "kernels" / "opencl"; }

const VariantInfo* matmul_variant(const std::string& name) {
  for (const VariantInfo& variant : opencl_backend().variants()) {
    if (variant.workload == "matmul" && variant.name == name) return &variant;
  }
  return nullptr;
}

ProblemSpec matmul_spec(const Shape& shape, DType dtype) {
  const auto count = [](std::int64_t rows, std::int64_t columns) {
    return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns);
  };
  ProblemSpec spec;
  spec.workload = "matmul";
  spec.parameters = {
      {"m", shape.m}, {"n", shape.n}, {"k", shape.k}, {"dtype", std::string(to_string(dtype))}};
  spec.buffers = {{"A", dtype, count(shape.m, shape.k), BufferRole::in, Space::device},
                  {"B", dtype, count(shape.k, shape.n), BufferRole::in, Space::device},
                  {"C", dtype, count(shape.m, shape.n), BufferRole::out, Space::device}};
  spec.scalars = {{"m", DType::i32, shape.m}, {"n", DType::i32, shape.n}, {"k", DType::i32, shape.k}};
  return spec;
}

Parameters complete_tunables(const VariantInfo& variant, const Parameters& given) {
  Parameters tunables = given;
  for (const TunableInfo& tunable : variant.tunables) {
    tunables.try_emplace(tunable.name, tunable.default_value);
  }
  return tunables;
}

MatmulProblem::MatmulProblem(Session& session, const Shape& shape, DType dtype, std::uint32_t sets)
    : shape_(shape),
      spec_(matmul_spec(shape, dtype)),
      a_(numbers(shape.m * shape.k, 1)),
      b_(numbers(shape.k * shape.n, 2)) {
  ProblemRequest request;
  request.spec = spec_;
  request.sets = sets;
  for (const BufferSpec& buffer : spec_.buffers) request.allocation.push_back(buffer.bytes() + guard_bytes);
  problem_ = session.create_problem(request);
  for (std::uint32_t set = 0; set < sets; ++set) {
    for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
      problem_->fill(set, i, spec_.buffers[i].bytes(), guard_bytes, guard_value);
    }
    write_inputs(set);
    poison(set);
  }
}

void MatmulProblem::write_inputs(std::uint32_t set) {
  problem_->write(set, 0, 0, encode(a_, spec_.buffers[0].type));
  problem_->write(set, 1, 0, encode(b_, spec_.buffers[1].type));
}

void MatmulProblem::poison(std::uint32_t set) {
  problem_->fill(set, 2, 0, spec_.buffers[2].bytes(), poison_value);
}

std::unique_ptr<Prepared> MatmulProblem::prepare(const VariantInfo& variant, const Parameters& tunables) {
  PrepareRequest request;
  request.variant = &variant;
  request.tunables = complete_tunables(variant, tunables);
  if (variant.kernel) {
    // As of a device of a few compute units, so that groups share sums.
    const Parameters values =
        kernel_values(spec_.parameters, "", request.tunables, {{"compute_units", std::int64_t{8}}});
    request.kernel = plan_kernel(*variant.kernel, values, spec_, opencl_kernels());
  }
  return problem_->prepare(request);
}

std::unique_ptr<Prepared> MatmulProblem::prepare_file(const std::filesystem::path& file,
                                                      const std::string& entry) {
  LaunchSpec launch;
  launch.source = file.filename().string();
  launch.entry = entry;
  launch.defines = {{"REAL", "ctype(dtype)"}};
  launch.grid = {"n", "m", "1"};
  launch.arguments = {"A", "B", "C", "m", "n", "k"};
  VariantInfo variant;
  variant.workload = "matmul";
  variant.name = "file";
  variant.kernel = KernelSpec{{launch}, {}};
  PrepareRequest request;
  request.variant = &variant;
  request.kernel = plan_kernel(*variant.kernel, spec_.parameters, spec_, file.parent_path());
  return problem_->prepare(request);
}

std::string MatmulProblem::fault(std::uint32_t set) const {
  const DType dtype = spec_.buffers[2].type;
  for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
    std::vector<std::byte> guard(guard_bytes);
    problem_->read(set, i, spec_.buffers[i].bytes(), guard);
    if (std::ranges::any_of(guard, [](std::byte value) { return value != guard_value; })) {
      return "guard bytes of " + spec_.buffers[i].name + " changed";
    }
  }
  std::vector<std::byte> bytes(spec_.buffers[2].bytes());
  problem_->read(set, 2, 0, bytes);
  const double epsilon = dtype == DType::f32 ? static_cast<double>(std::numeric_limits<float>::epsilon())
                                             : std::numeric_limits<double>::epsilon();
  const auto at = [](std::int64_t row, std::int64_t columns, std::int64_t column) {
    return static_cast<std::size_t>(row * columns + column);
  };
  for (std::int64_t row = 0; row < shape_.m; ++row) {
    for (std::int64_t column = 0; column < shape_.n; ++column) {
      double sum = 0;
      double magnitude = 0;
      for (std::int64_t i = 0; i < shape_.k; ++i) {
        const double product = a_[at(row, shape_.k, i)] * b_[at(i, shape_.n, column)];
        sum += product;
        magnitude += std::abs(product);
      }
      const double found = element(bytes, at(row, shape_.n, column), dtype);
      // The bound of a sum of k products in any order; a NaN fails it too.
      if (!(std::abs(found - sum) <= static_cast<double>(shape_.k + 1) * epsilon * magnitude)) {
        return "C[" + std::to_string(row) + ", " + std::to_string(column) + "] is " +
               std::to_string(found) + ", not " + std::to_string(sum);
      }
    }
  }
  return {};
}

}  // namespace benchctl::test
