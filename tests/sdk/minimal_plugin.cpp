// The smallest complete backend: one device, one native variant of matmul, the host's memory. Built outside
// the tree against the installed SDK.
#include <benchctl/cpu_packages.hpp>
#include <benchctl/host.hpp>
#include <benchctl/plugin.hpp>

namespace {

using namespace benchctl;

// C (m × n) = A (m × k) · B (k × n), row-major.
class NaiveMatmul : public HostExecution {
 public:
  explicit NaiveMatmul(HostBuffers& buffers) : buffers_(buffers) {}

 private:
  void execute(std::uint32_t set) override {
    const std::int64_t m = buffers_.size("m");
    const std::int64_t n = buffers_.size("n");
    const std::int64_t k = buffers_.size("k");
    const auto* a = buffers_.at<const float>(set, buffers_.spec().position_of_buffer("A"));
    const auto* b = buffers_.at<const float>(set, buffers_.spec().position_of_buffer("B"));
    auto* c = buffers_.at<float>(set, buffers_.spec().position_of_buffer("C"));
    for (std::int64_t row = 0; row < m; ++row) {
      for (std::int64_t column = 0; column < n; ++column) {
        float sum = 0;
        for (std::int64_t i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
        c[row * n + column] = sum;
      }
    }
  }

  HostBuffers& buffers_;
};

class MinimalProblem : public HostBuffers {
 public:
  using HostBuffers::HostBuffers;
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const PrepareRequest& request) override {
    if (request.variant->name != "naive")
      throw Failure(FailureKind::unsupported, "no such variant: " + request.variant->name);
    return std::make_unique<NaiveMatmul>(*this);
  }
};

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
