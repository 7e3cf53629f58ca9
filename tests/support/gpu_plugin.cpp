#include "support/gpu_plugin.hpp"

#include "config/kernel_tables.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "sweep/kernel_plan.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <memory>

namespace benchctl::test {

namespace {

constexpr std::byte guard_value{0xa5};
constexpr std::byte poison_value{0xff};  // NaN in f32 and f64

/// Null when it was not built.
std::unique_ptr<Plugin> load(const std::string& name) {
  const auto file = plugin_directory() / ("libbenchctl_" + name + ".so");
  if (!std::filesystem::exists(file)) return nullptr;
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) throw std::runtime_error(dlerror());
  auto* create = reinterpret_cast<Plugin* (*)()>(dlsym(library, "benchctl_create_plugin"));
  if (create == nullptr) throw std::runtime_error("no factory in " + file.string());
  return std::unique_ptr<Plugin>(create());
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

struct Loaded {
  std::unique_ptr<Plugin> plugin;  ///< null when it was not built
  std::vector<VariantInfo> variants;
};

/// Never destroyed: at the end of the program drivers are gone before.
std::map<std::string, Loaded>& loaded_backends() {
  static auto& loaded = *new std::map<std::string, Loaded>;
  return loaded;
}

}  // namespace

Backend* plugin_backend(const std::string& name) {
  if (!loaded_backends().contains(name)) {
    Loaded& loaded = loaded_backends()[name];
    loaded.plugin = load(name);
    if (loaded.plugin) {
      loaded.variants = read_kernel_tables(kernels_of(name), name).variants;
      const auto own = loaded.plugin->backend()->variants();
      loaded.variants.insert(loaded.variants.end(), own.begin(), own.end());
    }
  }
  const Loaded& loaded = loaded_backends().at(name);
  return loaded.plugin ? loaded.plugin->backend() : nullptr;
}

Backend& built_backend(const std::string& name) {
  Backend* backend = plugin_backend(name);
  if (backend == nullptr) SKIP("the plugin " << name << " was not built");
  return *backend;
}

const std::vector<VariantInfo>& variants_of(const Backend& backend) {
  const auto found = std::ranges::find_if(loaded_backends(), [&](const auto& one) {
    return one.second.plugin && one.second.plugin->backend() == &backend;
  });
  REQUIRE(found != loaded_backends().end());
  return found->second.variants;
}

std::filesystem::path kernels_of(const std::string& plugin) {
  return plugin_directory() / "kernels" / plugin;
}

const VariantInfo& variant_of(Backend& backend, const std::string& workload, const std::string& name) {
  const std::vector<VariantInfo>& variants = variants_of(backend);
  const auto found = std::ranges::find_if(variants, [&](const VariantInfo& variant) {
    return variant.workload == workload && variant.name == name;
  });
  INFO(workload << '/' << name);
  REQUIRE(found != variants.end());
  return *found;
}

std::vector<GpuLane> gpu_lanes(const std::vector<std::string>& plugins) {
  const bool simulators = std::getenv("BENCHCTL_TEST_SIMULATOR") != nullptr;
  std::vector<GpuLane> lanes;
  std::string reasons;
  for (const std::string& plugin : plugins) {
    Backend* backend = plugin_backend(plugin);
    if (backend == nullptr) {
      reasons += plugin + " was not built; ";
      continue;
    }
    const DeviceList list = backend->devices();
    reasons += list.unavailable;
    for (const DeviceInfo& device : list.devices) {
      if ((device.type == DeviceType::simulator) == simulators) lanes.push_back({plugin, *backend, device});
    }
  }
  if (lanes.empty()) SKIP((simulators ? "no simulator: " : "no device: ") + reasons);
  return lanes;
}

ProblemSpec matmul_problem(const MatmulSize& size) {
  const auto count = [](std::int64_t rows, std::int64_t columns) {
    return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns);
  };
  ProblemSpec spec;
  spec.workload = "matmul";
  spec.parameters = {
      {"m", size.m}, {"n", size.n}, {"k", size.k}, {"dtype", std::string(to_string(size.dtype))}};
  spec.buffers = {{"A", size.dtype, count(size.m, size.k), BufferRole::in, Space::device},
                  {"B", size.dtype, count(size.k, size.n), BufferRole::in, Space::device},
                  {"C", size.dtype, count(size.m, size.n), BufferRole::out, Space::device}};
  spec.scalars = {{"m", DType::i32, size.m}, {"n", DType::i32, size.n}, {"k", DType::i32, size.k}};
  return spec;
}

Parameters tunables_of(const VariantInfo& variant, const Parameters& given) {
  Parameters tunables = given;
  for (const TunableInfo& tunable : variant.tunables) tunables.emplace(tunable.name, tunable.default_value);
  return tunables;
}

MatmulProblem::MatmulProblem(Session& session, const MatmulSize& size, std::uint32_t sets,
                             const Spaces& spaces)
    : size_(size),
      spec_(matmul_problem(size)),
      a_(numbers(size.m * size.k, 1)),
      b_(numbers(size.k * size.n, 2)) {
  for (std::size_t i = 0; i < spaces.size(); ++i) spec_.buffers[i].space = spaces[i];
  ProblemRequest request{spec_, sets, {}};
  for (const BufferSpec& buffer : spec_.buffers) request.allocation.push_back(buffer.bytes() + guard_bytes);
  problem_ = session.create_problem(request);
  for (std::uint32_t set = 0; set < sets; ++set) {
    for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
      problem_->fill(set, i, spec_.buffers[i].bytes(), guard_bytes, guard_value);
    }
    problem_->write(set, 0, 0, encode(a_, size.dtype));
    problem_->write(set, 1, 0, encode(b_, size.dtype));
    poison(set);
  }
}

void MatmulProblem::poison(std::uint32_t set) {
  problem_->fill(set, 2, 0, spec_.buffers[2].bytes(), poison_value);
}

std::unique_ptr<Prepared> MatmulProblem::prepare(const GpuLane& lane, const std::string& name,
                                                 const Parameters& tunables) {
  const VariantInfo& variant = variant_of(lane.backend, "matmul", name);
  PrepareRequest request;
  request.variant = &variant;
  request.tunables = tunables_of(variant, tunables);
  if (variant.kernel) {
    const Parameters values =
        kernel_values(spec_.parameters, "", request.tunables, {{"compute_units", std::int64_t{8}}});
    request.kernel = plan_kernel(*variant.kernel, values, spec_, kernels_of(lane.plugin));
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
  const DType dtype = size_.dtype;
  for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
    std::vector<std::byte> guard(guard_bytes);
    problem_->read(set, i, spec_.buffers[i].bytes(), guard);
    if (std::ranges::any_of(guard, [](std::byte value) { return value != guard_value; })) {
      return "guard bytes of " + spec_.buffers[i].name + " changed";
    }
  }
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
    bytes.resize(spec_.buffers[i].bytes());
    problem_->read(set, i, 0, bytes);
    if (i < 2 && bytes != encode(i == 0 ? a_ : b_, dtype)) return spec_.buffers[i].name + " changed";
  }
  const double epsilon = dtype == DType::f32 ? static_cast<double>(std::numeric_limits<float>::epsilon())
                                             : std::numeric_limits<double>::epsilon();
  const auto at = [](std::int64_t row, std::int64_t columns, std::int64_t column) {
    return static_cast<std::size_t>(row * columns + column);
  };
  for (std::int64_t row = 0; row < size_.m; ++row) {
    for (std::int64_t column = 0; column < size_.n; ++column) {
      double sum = 0;
      double magnitude = 0;
      for (std::int64_t i = 0; i < size_.k; ++i) {
        const double product = a_[at(row, size_.k, i)] * b_[at(i, size_.n, column)];
        sum += product;
        magnitude += std::abs(product);
      }
      const double found = element(bytes, at(row, size_.n, column), dtype);
      // The bound of a sum of k products in any order; a NaN fails it too.
      if (!(std::abs(found - sum) <= static_cast<double>(size_.k + 1) * epsilon * magnitude)) {
        return "C[" + std::to_string(row) + ", " + std::to_string(column) + "] is " +
               std::to_string(found) + ", not " + std::to_string(sum);
      }
    }
  }
  return {};
}

}  // namespace benchctl::test
