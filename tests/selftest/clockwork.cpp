// A device of clockwork for testing the self-test: its kernels do what workloads `spin` and `vector_add`
// want, in simulated time, and its timer can be told to lie.
//
//   CLOCKWORK_RATE         device times are multiplied by it (1)
//   CLOCKWORK_LEAK_NS      host's part of a launch that gets into device times (0)
//   CLOCKWORK_HANDED_NS    what a launch takes that only begins when the one before has ended: no execution
//                          of a batch is shorter (0)
//   CLOCKWORK_UNGATED      set: launches cannot be held
//   CLOCKWORK_TWIN         by how much twin 2 is slower: 0.01 is 1 % (0)
//   CLOCKWORK_STRETCH      share of a planted slowdown that is really there (1)
//   CLOCKWORK_GBS          what the probe dram_copy reaches (80), of a datasheet of 100 GB/s if it is set;
//                          0: it fails
//   CLOCKWORK_NOISE        standard deviation of the logarithm of a time (0.002)
//   CLOCKWORK_ABSENT       set: there is no device
#include <benchctl/host.hpp>
#include <benchctl/plugin.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "fake/noise.hpp"

namespace {

using namespace benchctl;

double setting(const char* name, double otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtod(text, nullptr) : otherwise;
}

std::int64_t integer(const Parameters& values, const char* name, std::int64_t otherwise) {
  const auto found = values.find(name);
  return found != values.end() ? std::get<std::int64_t>(found->second) : otherwise;
}

constexpr double start_and_end_ns = 1200;  // of any kernel, on the device
constexpr double host_part_ns = 6000;      // of a launch and of waiting for its end

class Clockwork : public Prepared {
 public:
  Clockwork(HostBuffers& problem, const PrepareRequest& request)
      : problem_(problem),
        noise_({.body = setting("CLOCKWORK_NOISE", 0.002)}, stream_of(request, problem)) {
    const auto stretch = static_cast<double>(integer(request.tunables, "stretch", 0));
    const ProblemSpec& spec = problem.spec();
    if (spec.workload == "peaks" && setting("CLOCKWORK_GBS", 80) <= 0) {
      throw Failure(FailureKind::launch_error, "scripted: the spring is broken");
    }
    kernel_ns_ = spec.workload == "peaks"
                     ? 2.0 * static_cast<double>(spec.buffers[0].bytes()) / setting("CLOCKWORK_GBS", 80) -
                           start_and_end_ns
                 : spec.workload == "spin"
                     ? 1e3 * static_cast<double>(integer(spec.parameters, "duration_us", 0))
                     : 0.1 * static_cast<double>(integer(spec.parameters, "n", 0));
    kernel_ns_ *= 1 + stretch / 1000 * setting("CLOCKWORK_STRETCH", 1);
    if (integer(request.tunables, "twin", 1) == 2) kernel_ns_ *= 1 + setting("CLOCKWORK_TWIN", 0);
  }

  [[nodiscard]] Resources resources() const override { return {}; }

  double run(std::uint32_t set) override {
    compute(set);
    return kernel_ns_ + start_and_end_ns + host_part_ns;
  }

  [[nodiscard]] SampleBlock sample(const SampleRequest& request) override {
    compute(request.set);
    const bool device = request.basis == Basis::device;
    const double rate = device ? setting("CLOCKWORK_RATE", 1) : 1;
    const double around = start_and_end_ns + (device ? setting("CLOCKWORK_LEAK_NS", 0) : host_part_ns);
    const double least = device && request.batch > 1 ? setting("CLOCKWORK_HANDED_NS", 0) : 0;
    SampleBlock block;
    block.batch = request.batch;
    block.gated = device && std::getenv("CLOCKWORK_UNGATED") == nullptr;
    if (device && !block.gated) block.note = "not gated: the clockwork cannot be held";
    for (std::uint32_t i = 0; i < request.count; ++i) {
      block.ns.push_back(rate * noise_.observe(std::max(kernel_ns_ + around, least), request.batch));
    }
    return block;
  }

 private:
  /// Noise of its own for each point: with the same in every group, twelve comparisons would be one.
  static std::string stream_of(const PrepareRequest& request, const HostBuffers& problem) {
    std::string name = request.variant->name;
    for (const Parameters* values : {&request.tunables, &problem.spec().parameters}) {
      for (const auto& [key, value] : *values) {
        if (const auto* number = std::get_if<std::int64_t>(&value))
          name += fmt::format(" {}={}", key, *number);
      }
    }
    return name;
  }

  void compute(std::uint32_t set) const {
    if (problem_.spec().workload == "spin") return spin(set);
    if (problem_.spec().workload == "peaks") {
      std::memcpy(problem_.at<std::byte>(set, 1), problem_.at<std::byte>(set, 0),
                  problem_.spec().buffers[0].bytes());
      return;
    }
    const auto* a = problem_.at<float>(set, 0);
    const auto* b = problem_.at<float>(set, 1);
    auto* c = problem_.at<float>(set, 2);
    const std::int64_t n = integer(problem_.spec().parameters, "n", 0);
    for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
  }
  void spin(std::uint32_t set) const {
    const std::int64_t nominal = integer(problem_.spec().parameters, "duration_us", 0) * 1000;
    *problem_.at<std::uint32_t>(set, 1) =
        *problem_.at<std::uint32_t>(set, 0) + static_cast<std::uint32_t>(nominal);
    const std::uint64_t one = nominal > 0 ? 1 : 0;
    const std::array<std::uint64_t, 3> counted{static_cast<std::uint64_t>(nominal), one, one};
    std::memcpy(problem_.at<std::byte>(set, 2), counted.data(), sizeof counted);
  }

  HostBuffers& problem_;
  fake::Noise noise_;
  double kernel_ns_ = 0;
};

class ClockworkProblem : public HostBuffers {
 public:
  using HostBuffers::HostBuffers;
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const PrepareRequest& request) override {
    return std::make_unique<Clockwork>(*this, request);
  }
};

class ClockworkSession : public Session {
 public:
  [[nodiscard]] std::unique_ptr<Problem> create_problem(const ProblemRequest& request) override {
    return std::make_unique<ClockworkProblem>(request);
  }
};

class ClockworkBackend : public Backend {
 public:
  ClockworkBackend() {
    VariantInfo clock;
    clock.workload = "spin";
    clock.name = "clock";
    clock.doc = "simulated";
    clock.tunables = {{"stretch", std::int64_t{0}, "thousandths", {}}};
    VariantInfo plain;
    plain.workload = "vector_add";
    plain.name = "plain";
    plain.doc = "simulated";
    plain.dtypes = {DType::f32};
    VariantInfo copy;
    copy.workload = "peaks";
    copy.name = "copy";
    copy.doc = "simulated";
    copy.require = {"probe == 'dram_copy'"};
    variants_ = {clock, plain, copy};
  }
  [[nodiscard]] std::span<const VariantInfo> variants() const override { return variants_; }
  [[nodiscard]] DeviceList devices() override {
    if (std::getenv("CLOCKWORK_ABSENT") != nullptr) return {{}, "the clockwork is not wound up"};
    DeviceInfo device;
    device.id = "0";
    device.name = "Clockwork";
    device.vendor = "Nobody";
    device.type = DeviceType::gpu;
    device.driver = "clockwork 1.0";
    device.architecture = "clockwork";
    device.physical = "clockwork:0";
    device.compute_units = 1;
    device.timer_step_ns = 100;
    device.max_batch = 30;
    device.limits.memory_bytes = 1ULL << 30;
    if (std::getenv("CLOCKWORK_GBS") != nullptr) device.properties["peak_dram_per_s"] = "100000000000";
    return {{device}, {}};
  }
  [[nodiscard]] std::unique_ptr<Session> open(const std::string&, const SessionOptions&) override {
    return std::make_unique<ClockworkSession>();
  }

 private:
  std::vector<VariantInfo> variants_;
};

class ClockworkPlugin : public Plugin {
 public:
  [[nodiscard]] PluginInfo info() const override {
    return {"clockwork", "Simulated device for the self-test's tests", "1.0", "test"};
  }
  [[nodiscard]] Backend* backend() override { return &backend_; }

 private:
  ClockworkBackend backend_;
};

}  // namespace

BENCHCTL_PLUGIN(ClockworkPlugin)
