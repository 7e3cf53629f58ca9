// The smallest complete backend: one device, one native variant of matmul, plain memory. Explained step by
// step in docs/plugin-guide.md, and built and used by the tests, so that the guide stays true.
#include <benchctl/cpu_packages.hpp>
#include <benchctl/plugin.hpp>

#include <chrono>
#include <cstring>

namespace {

using namespace benchctl;

double now_ns() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::nano>(since).count();
}

// The buffers of one problem, `sets` copies of each. A backend for a GPU holds device memory here.
class MinimalProblem : public Problem {
 public:
  explicit MinimalProblem(const ProblemRequest& request) : spec_(request.spec) {
    for (std::uint32_t set = 0; set < request.sets; ++set) {
      auto& buffers = sets_.emplace_back();
      for (const std::uint64_t bytes : request.allocation) buffers.emplace_back(bytes);
    }
  }

  void write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
             std::span<const std::byte> bytes) override {
    std::memcpy(at(set, buffer) + offset, bytes.data(), bytes.size());
  }
  void read(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
            std::span<std::byte> bytes) const override {
    std::memcpy(bytes.data(), sets_.at(set).at(buffer).data() + offset, bytes.size());
  }
  void fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
            std::byte value) override {
    std::memset(at(set, buffer) + offset, std::to_integer<int>(value), bytes);
  }
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const PrepareRequest& request) override;

  [[nodiscard]] const ProblemSpec& spec() const { return spec_; }
  [[nodiscard]] std::byte* at(std::uint32_t set, std::size_t buffer) {
    return sets_.at(set).at(buffer).data();
  }

 private:
  ProblemSpec spec_;
  std::vector<std::vector<std::vector<std::byte>>> sets_;  // [set][buffer][byte]
};

// The variant, bound to its problem: it executes, and it takes the time of executions.
class NaiveMatmul : public Prepared {
 public:
  explicit NaiveMatmul(MinimalProblem& problem) : problem_(problem) {}

  [[nodiscard]] Resources resources() const override { return {}; }

  double run(std::uint32_t set) override {
    const double start = now_ns();
    execute(set);
    return now_ns() - start;
  }

  [[nodiscard]] SampleBlock sample(const SampleRequest& request) override {
    if (request.basis == Basis::end_to_end || request.cache == CacheMode::cold) {
      throw Failure(FailureKind::unsupported, "the minimal backend times executions on hot caches only");
    }
    SampleBlock block;
    block.batch = request.batch;
    for (std::uint32_t i = 0; i < request.count; ++i) {
      const double start = now_ns();
      for (std::uint32_t repeat = 0; repeat < request.batch; ++repeat) execute(request.set);
      block.ns.push_back((now_ns() - start) / request.batch);
    }
    return block;
  }

 private:
  // C (m × n) = A (m × k) · B (k × n), row-major. Sizes are scalars of the problem, found by name.
  void execute(std::uint32_t set) {
    const std::int64_t m = size("m");
    const std::int64_t n = size("n");
    const std::int64_t k = size("k");
    const auto* a = reinterpret_cast<const float*>(buffer(set, "A"));
    const auto* b = reinterpret_cast<const float*>(buffer(set, "B"));
    auto* c = reinterpret_cast<float*>(buffer(set, "C"));
    for (std::int64_t row = 0; row < m; ++row) {
      for (std::int64_t column = 0; column < n; ++column) {
        float sum = 0;
        for (std::int64_t i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
        c[row * n + column] = sum;
      }
    }
  }
  [[nodiscard]] std::int64_t size(std::string_view name) const {
    const auto index = problem_.spec().scalar_index(name);
    if (!index) throw Failure(FailureKind::unsupported, "the problem has no scalar " + std::string(name));
    return std::get<std::int64_t>(problem_.spec().scalars[*index].value);
  }
  [[nodiscard]] std::byte* buffer(std::uint32_t set, std::string_view name) {
    const auto index = problem_.spec().buffer_index(name);
    if (!index) throw Failure(FailureKind::unsupported, "the problem has no buffer " + std::string(name));
    return problem_.at(set, *index);
  }

  MinimalProblem& problem_;
};

std::unique_ptr<Prepared> MinimalProblem::prepare(const PrepareRequest& request) {
  if (request.variant->name != "naive") {
    throw Failure(FailureKind::unsupported, "no such variant: " + request.variant->name);
  }
  return std::make_unique<NaiveMatmul>(*this);
}

class MinimalSession : public Session {
 public:
  [[nodiscard]] std::unique_ptr<Problem> create_problem(const ProblemRequest& request) override {
    return std::make_unique<MinimalProblem>(request);
  }
};

class MinimalBackend : public Backend {
 public:
  MinimalBackend() {
    VariantInfo naive;
    naive.workload = "matmul";
    naive.name = "naive";
    naive.doc = "one thread, three plain loops: bound by strided reads of B";
    naive.dtypes = {DType::f32};
    variants_.push_back(std::move(naive));
  }

  [[nodiscard]] std::span<const VariantInfo> variants() const override { return variants_; }

  [[nodiscard]] DeviceList devices() override {
    DeviceInfo device;
    device.id = "0";
    device.name = "Host processor";
    device.type = DeviceType::cpu;
    device.driver = "none";
    device.physical = cpu_physical(cpu_packages());
    device.compute_units = 1;
    device.timer_step_ns = 1;
    device.max_batch = 1'000'000;
    return {{device}, ""};
  }

  [[nodiscard]] std::unique_ptr<Session> open(const std::string& device, const SessionOptions&) override {
    if (device != "0")
      throw Failure(FailureKind::no_device, "asked for device " + device + ", there is only 0");
    return std::make_unique<MinimalSession>();
  }

 private:
  std::vector<VariantInfo> variants_;
};

class MinimalPlugin : public Plugin {
 public:
  [[nodiscard]] PluginInfo info() const override {
    return {"minimal", "Minimal example", "1.0", __VERSION__};
  }
  [[nodiscard]] Backend* backend() override { return &backend_; }

 private:
  MinimalBackend backend_;
};

}  // namespace

BENCHCTL_PLUGIN(MinimalPlugin)
