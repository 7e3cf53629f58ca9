// Portable parallel loops as a backend: reduce, vector_add, transpose and matmul in standard C++ with
// OpenMP's pragmas, for any processor and compiler. docs/plugin-guide.md goes through this file from top to
// bottom.
#include <benchctl/cpu_packages.hpp>
#include <benchctl/host.hpp>
#include <benchctl/plugin.hpp>
#include <benchctl/variant_table.hpp>

#include <omp.h>

#include <cstring>

namespace {

using namespace benchctl;

// 1. Buffers: the host's memory

class HostProblem final : public HostBuffers {
 public:
  using HostBuffers::HostBuffers;
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const PrepareRequest& request) override;
};

// 2. Kernels

// What a kernel is called with: the problem's buffers and scalars by name, the variant's tunables.
struct Call {
  const HostProblem& problem;
  const Parameters& tunables;
  std::uint32_t set;

  template <class Real>
  [[nodiscard]] Real* buffer(std::string_view name) const {
    return problem.at<Real>(set, problem.spec().position_of_buffer(name));
  }
  [[nodiscard]] std::int64_t size(std::string_view name) const { return problem.size(name); }
  [[nodiscard]] int threads() const {
    const auto wanted = std::get<std::int64_t>(tunables.at("threads"));
    return wanted == 0 ? omp_get_num_procs() : static_cast<int>(wanted);
  }
};

struct Kernels {
  void (*f32)(const Call&) = nullptr;
  void (*f64)(const Call&) = nullptr;
};

template <class Real>
void vector_add(const Call& call) {
  const Real* const a = call.buffer<const Real>("a");
  const Real* const b = call.buffer<const Real>("b");
  Real* const c = call.buffer<Real>("c");
  const std::int64_t n = call.size("n");
#pragma omp parallel for num_threads(call.threads()) schedule(static)
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

template <class Real>
void reduce(const Call& call) {
  const Real* const x = call.buffer<const Real>("x");
  // The dot product has a second vector, the sum has not.
  const Real* const y = call.problem.spec().buffer_index("y") ? call.buffer<const Real>("y") : nullptr;
  const std::int64_t n = call.size("n");
  Real sum = 0;
#pragma omp parallel for num_threads(call.threads()) schedule(static) reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += y == nullptr ? x[i] : x[i] * y[i];
  *call.buffer<Real>("result") = sum;
}

template <class Real>
void transpose(const Call& call) {
  const Real* const in = call.buffer<const Real>("in");
  Real* const out = call.buffer<Real>("out");
  const std::int64_t rows = call.size("rows"), columns = call.size("columns");
  const std::int64_t tile = std::get<std::int64_t>(call.tunables.at("tile"));
#pragma omp parallel for collapse(2) num_threads(call.threads()) schedule(static)
  for (std::int64_t top = 0; top < rows; top += tile) {
    for (std::int64_t left = 0; left < columns; left += tile) {
      for (std::int64_t i = top; i < std::min(top + tile, rows); ++i) {
        for (std::int64_t j = left; j < std::min(left + tile, columns); ++j) {
          std::memcpy(out + j * rows + i, in + i * columns + j, sizeof(Real));
        }
      }
    }
  }
}

template <class Real>
void matmul(const Call& call) {
  const Real* const a = call.buffer<const Real>("A");
  const Real* const b = call.buffer<const Real>("B");
  Real* const c = call.buffer<Real>("C");
  const std::int64_t m = call.size("m"), n = call.size("n"), k = call.size("k");
#pragma omp parallel for collapse(2) num_threads(call.threads()) schedule(static)
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      Real sum = 0;
      for (std::int64_t l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
      c[i * n + j] = sum;
    }
  }
}

// 3. The table of variants

using Table = VariantTable<Kernels>;

TunableInfo threads() {
  return {"threads",
          std::int64_t{0},
          "0: one per processor",
          {"threads >= 0", "threads <= 1024"},
          {std::int64_t{0}, std::int64_t{1}, std::int64_t{3}}};
}

VariantInfo variant(const char* workload, const char* name, const char* doc) {
  VariantInfo info;
  info.workload = workload;
  info.name = name;
  info.doc = doc;
  info.dtypes = {DType::f32, DType::f64};
  info.tunables = {threads()};
  return info;
}

const Table::Registration registration([] {
  VariantInfo sum =
      variant("reduce", "parallel_for", "one loop, partial sums per thread: bound by memory bandwidth");
  sum.require = {"op == 'sum' or op == 'dot'"};
  VariantInfo turn = variant("transpose", "tiled_for", "tile by tile, so that lines are used whole");
  turn.tunables.push_back({"tile",
                           std::int64_t{16},
                           "rows and columns of a tile",
                           {"tile >= 1", "tile <= 4096"},
                           {std::int64_t{1}, std::int64_t{5}, std::int64_t{16}, std::int64_t{64}}});
  return std::vector<Table::Entry>{
      {sum, {&reduce<float>, &reduce<double>}},
      {turn, {&transpose<float>, &transpose<double>}},
      {variant("vector_add", "parallel_for", "one loop over all threads: bound by memory bandwidth"),
       {&vector_add<float>, &vector_add<double>}},
      {variant("matmul", "naive", "three plain loops: bound by strided reads of B"),
       {&matmul<float>, &matmul<double>}}};
});

// 4. Executing; HostExecution takes the times

class Execution final : public HostExecution {
 public:
  Execution(const HostProblem& problem, void (*kernel)(const Call&), Parameters tunables)
      : problem_(problem), kernel_(kernel), tunables_(std::move(tunables)) {}

 private:
  void execute(std::uint32_t set) override { kernel_({problem_, tunables_, set}); }

  const HostProblem& problem_;
  void (*kernel_)(const Call&);
  Parameters tunables_;
};

std::unique_ptr<Prepared> HostProblem::prepare(const PrepareRequest& request) {
  const Kernels kernels = Table::instance().native(*request.variant);
  const auto kernel = spec().buffers.at(0).type == DType::f64 ? kernels.f64 : kernels.f32;
  if (kernel == nullptr)
    throw Failure(FailureKind::unsupported, "there is no variant " + request.variant->name);
  return std::make_unique<Execution>(*this, kernel, request.tunables);
}

// 5. Device, backend, plugin

class HostSession final : public Session {
 public:
  [[nodiscard]] std::unique_ptr<Problem> create_problem(const ProblemRequest& request) override {
    return std::make_unique<HostProblem>(request);
  }
};

class HostBackend final : public Backend {
 public:
  [[nodiscard]] std::span<const VariantInfo> variants() const override { return Table::instance().infos(); }

  [[nodiscard]] DeviceList devices() override {
    DeviceInfo device;
    device.id = "0";
    device.name = "Host processor";
    device.type = DeviceType::cpu;
    device.driver = "OpenMP " + std::to_string(_OPENMP);
    device.physical = cpu_physical(cpu_packages());
    device.compute_units = static_cast<std::uint32_t>(omp_get_num_procs());
    device.timer_step_ns = 1;
    device.max_batch = 1'000'000;
    device.fp64 = true;
    return {{device}, ""};
  }

  [[nodiscard]] std::unique_ptr<Session> open(const std::string& device,
                                              const SessionOptions& /*options*/) override {
    if (device != "0")
      throw Failure(FailureKind::no_device, "asked for device " + device + ", there is only 0");
    return std::make_unique<HostSession>();
  }
};

class StdparPlugin final : public Plugin {
 public:
  [[nodiscard]] PluginInfo info() const override {
    return {"stdpar", "Portable parallel loops", "1.0", __VERSION__};
  }
  [[nodiscard]] Backend* backend() override { return &backend_; }

 private:
  HostBackend backend_;
};

}  // namespace

BENCHCTL_PLUGIN(StdparPlugin)
