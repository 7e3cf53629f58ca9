// Reductions as strangers write them, each with a bug that its name tells; the one named `right` has none.
// The conformance kit has to find every one by itself.
#include <benchctl/host.hpp>
#include <benchctl/plugin.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

namespace {

using namespace benchctl;

constexpr std::array names{"right",          "absolute",      "nan_to_zero", "nan_skipped",
                           "packs_past_end", "one_past_end",  "one_short",   "lost_update",
                           "does_not_wait",  "witness",       "accumulates", "keeps_first",
                           "starts_at_zero", "loses_infinity"};

template <class Real>
class Reduction {
 public:
  Reduction(const std::string& op, const std::string& bug) : op_(op), bug_(bug) {
    if (op == "min") value_ = std::numeric_limits<Real>::infinity();
    if (op == "max") value_ = -std::numeric_limits<Real>::infinity();
    if (bug == "starts_at_zero") value_ = 0;
  }

  void add(const Real* x, const Real* y, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Real term = op_ == "dot" ? x[i] * y[i] : x[i];
      if (op_ == "norm") {
        scaled_ = std::hypot(scaled_, static_cast<double>(term));
      } else {
        join(term);
      }
    }
  }
  void join(const Reduction& other) {
    if (op_ == "norm") {
      scaled_ = std::hypot(scaled_, other.scaled_);
    } else {
      join(other.value_);
    }
  }
  [[nodiscard]] Real result(std::size_t n) const {
    if (op_ == "norm") return static_cast<Real>(scaled_);
    return op_ == "mean" ? value_ / static_cast<Real>(n) : value_;
  }

 private:
  void join(Real term) {
    if (bug_ == "absolute") term = std::abs(term);
    if (bug_ == "nan_to_zero" && std::isnan(term)) term = 0;
    if (bug_ == "loses_infinity" && std::isinf(term)) {
      term = std::copysign(std::numeric_limits<Real>::max(), term);
    }
    if (op_ == "min" || op_ == "max") {
      const bool better = op_ == "min" ? term < value_ : term > value_;
      if (better || (std::isnan(term) && bug_ != "nan_skipped"))
        value_ = std::isnan(value_) ? value_ : term;
    } else if (bug_ != "nan_skipped" || !std::isnan(term)) {
      value_ += term;
    }
  }

  std::string op_;
  std::string bug_;
  Real value_ = 0;
  double scaled_ = 0;
};

class HostProblem final : public HostBuffers {
 public:
  using HostBuffers::HostBuffers;
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const PrepareRequest& request) override;
};

class Execution final : public HostExecution {
 public:
  Execution(HostProblem& problem, std::string bug) : problem_(problem), bug_(std::move(bug)) {}

 private:
  void execute(std::uint32_t set) override {
    problem_.spec().buffers[0].type == DType::f64 ? reduce<double>(set) : reduce<float>(set);
  }

  template <class Real>
  void reduce(std::uint32_t set) {
    const std::string op = std::get<std::string>(problem_.spec().parameters.at("op"));
    const std::size_t n = problem_.spec().buffers[0].count;
    const auto* x = problem_.at<const Real>(set, 0);
    const auto* y = problem_.at<const Real>(set, op == "dot" ? 1 : 0);
    Real& result = *problem_.at<Real>(set, op == "dot" ? 2 : 1);
    if (bug_ == "witness" && !std::isnan(result)) return;
    if (bug_ == "keeps_first" && kept_ != 0) {
      result = static_cast<Real>(kept_);
      return;
    }
    std::size_t last = n;
    if (bug_ == "packs_past_end") last = (n + 3) / 4 * 4;
    if (bug_ == "one_past_end") ++last;
    if (bug_ == "one_short" && n > 4) --last;
    Reduction<Real> all(op, bug_);
    Reduction<Real> half(op, bug_);
    // Two threads, a half each.
    if (bug_ == "lost_update" || bug_ == "does_not_wait") {
      std::thread other([&, half]() mutable {
        half.add(x, y, 0, n / 2);
        Reduction<Real> before = all;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        before.join(half);
        all = before;
      });
      half.add(x, y, n / 2, n);
      if (bug_ == "does_not_wait") {
        result = half.result(n);
        other.join();
        return;
      }
      Reduction<Real> before = all;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      before.join(half);
      all = before;
      other.join();
    } else {
      half.add(x, y, 0, last);
      all = half;
    }
    result = all.result(n) + (bug_ == "accumulates" ? static_cast<Real>(kept_) : 0);
    kept_ = static_cast<double>(result);
  }

  HostProblem& problem_;
  std::string bug_;
  double kept_ = 0;
};

std::unique_ptr<Prepared> HostProblem::prepare(const PrepareRequest& request) {
  if (spec().workload != "reduce" || request.kernel)
    throw Failure(FailureKind::unsupported, "reductions only");
  if (std::ranges::find(names, request.variant->name) == names.end()) {
    throw Failure(FailureKind::unsupported, "no variant " + request.variant->name);
  }
  return std::make_unique<Execution>(*this, request.variant->name);
}

class HostSession final : public Session {
 public:
  [[nodiscard]] std::unique_ptr<Problem> create_problem(const ProblemRequest& request) override {
    return std::make_unique<HostProblem>(request);
  }
};

class HostBackend final : public Backend {
 public:
  HostBackend() {
    for (const char* name : names) {
      VariantInfo variant;
      variant.workload = "reduce";
      variant.name = name;
      variant.doc = "one number of many";
      variant.dtypes = {DType::f32, DType::f64};
      variants_.push_back(std::move(variant));
    }
  }
  [[nodiscard]] std::span<const VariantInfo> variants() const override { return variants_; }
  [[nodiscard]] DeviceList devices() override {
    DeviceInfo device;
    device.id = "0";
    device.name = "Device";
    device.type = DeviceType::cpu;
    device.driver = "none";
    device.physical = "test:planted";
    device.compute_units = 1;
    device.timer_step_ns = 1;
    device.max_batch = 1000;
    device.fp64 = true;
    return {{device}, {}};
  }
  [[nodiscard]] std::unique_ptr<Session> open(const std::string& device, const SessionOptions&) override {
    if (device != "0") throw Failure(FailureKind::no_device, "there is device 0");
    return std::make_unique<HostSession>();
  }

 private:
  std::vector<VariantInfo> variants_;
};

class PlantedPlugin final : public Plugin {
 public:
  [[nodiscard]] PluginInfo info() const override { return {"planted", "Test", "1.0", "test"}; }
  [[nodiscard]] Backend* backend() override { return &backend_; }

 private:
  HostBackend backend_;
};

}  // namespace

BENCHCTL_PLUGIN(PlantedPlugin)
