// A small backend with everything that the conformance kit looks at: native variants and one of a kernel
// file, a compiler that needs no device, a kernel of known duration, two devices, an observer.
// BENCHCTL_FAULT names the one thing that it does wrong; without it, it keeps the contract.
#include <benchctl/host.hpp>
#include <benchctl/plugin.hpp>

#include <fcntl.h>
#include <unistd.h>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>
#include <utility>

namespace {

using namespace benchctl;

bool faulty(std::string_view name) {
  static const char* const fault = std::getenv("BENCHCTL_FAULT");
  return fault != nullptr && name == fault;
}

double now_ns() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::nano>(since).count();
}

/// Ends the process if the library is let go of before its plugin was made.
struct Unused {
  bool made = false;
  ~Unused() {
    if (!made && faulty("unload")) std::abort();
  }
};
Unused unused;

class HostProblem;
/// What the fault `shared_state` shares.
HostProblem* latest = nullptr;

/// What is asked for, as far as a fault lets the allocator see it.
ProblemRequest seen(ProblemRequest request) {
  for (std::uint64_t& bytes : request.allocation) {
    const bool absurd = bytes > (std::uint64_t{1} << 40);
    if (absurd && faulty("memory_foreign")) throw std::runtime_error("no memory");
    if (absurd && faulty("memory_late")) bytes = 0;
  }
  return request;
}

class HostProblem final : public HostBuffers {
 public:
  explicit HostProblem(const ProblemRequest& request) : HostBuffers(seen(request)) { latest = this; }
  ~HostProblem() override {
    if (latest == this) latest = nullptr;
  }
  void write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
             std::span<const std::byte> bytes) override {
    HostBuffers::write(set, buffer, faulty("write_offset") ? offset & ~std::uint64_t{3} : offset, bytes);
  }
  void read(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
            std::span<std::byte> bytes) const override {
    if (owed) std::exchange(owed, nullptr)();
    HostBuffers::read(set, buffer, offset, bytes);
  }
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const PrepareRequest& request) override;

  mutable std::function<void()> owed;  ///< what samples did not wait for
};

class Execution : public Prepared {
 public:
  explicit Execution(HostProblem& problem, bool waits = true) : problem_(problem), waits_(waits) {
    if (faulty("leak_memory")) leaked_ = new char[5000];
    if (faulty("leak_descriptor")) static_cast<void>(open("/dev/null", O_RDONLY | O_CLOEXEC));
  }
  ~Execution() override { problem_.owed = nullptr; }
  [[nodiscard]] Resources resources() const override { return {}; }
  double run(std::uint32_t set) override {
    const double start = now_ns();
    execute(set);
    return now_ns() - start;
  }
  [[nodiscard]] SampleBlock sample(const SampleRequest& request) override {
    if (request.cache == CacheMode::cold || request.basis == Basis::end_to_end ||
        request.launch == LaunchMode::graph) {
      if (faulty("refuses_untyped")) throw std::invalid_argument("cold");
      throw Failure(FailureKind::unsupported, "only hot caches, streams and the host's clock");
    }
    SampleBlock block;
    block.batch = faulty("batch") ? 1 : request.batch;
    std::uint64_t execution = 0;
    for (std::uint32_t i = 0; i < request.count; ++i) {
      if (request.hook != nullptr && (i == 0 || !faulty("hook"))) request.hook->begin();
      const double start = now_ns();
      if (!waits_) {
        problem_.owed = [this, request] {
          for (std::uint32_t j = 0; j < request.batch; ++j) execute(set_of(request, j));
        };
      } else if (!faulty("instant") && !faulty("instant_but_noisy")) {
        for (std::uint32_t j = 0; j < request.batch; ++j) execute(set_of(request, execution++));
      }
      double ns = (now_ns() - start) / (faulty("undivided") ? 1 : request.batch);
      // Two readings of a clock that differ for no reason; it happens that the longer one is of more work.
      if (faulty("instant_but_noisy")) ns = problem_.spec().bytes() > 65536 ? 40 : 20;
      if (faulty("too_long")) ns *= 10;
      if (faulty("milliseconds")) ns *= 1e-6;
      if (faulty("slow_launch")) ns += 1e7;
      if (faulty("wrong_clock")) ns *= 0.5;
      block.ns.push_back(faulty("negative") ? -ns : ns);
      if (request.hook != nullptr && (i == 0 || !faulty("hook"))) request.hook->end();
    }
    if (faulty("count")) block.ns.pop_back();
    return block;
  }

 protected:
  virtual void execute(std::uint32_t set) = 0;
  HostProblem& problem_;

 private:
  bool waits_;
  char* leaked_ = nullptr;
};

class VectorAdd final : public Execution {
 public:
  VectorAdd(HostProblem& problem, std::int64_t chunk, bool waits)
      : Execution(problem, waits), chunk_(chunk) {}

 private:
  void execute(std::uint32_t set) override {
    HostProblem& problem = faulty("shared_state") ? *latest : problem_;
    if (problem.spec().buffers[0].type == DType::f64) return add<double>(problem, set);
    add<float>(problem, set);
  }
  template <class Real>
  void add(HostProblem& problem, std::uint32_t set) {
    const std::uint64_t n = problem.spec().buffers[0].count;
    if (n == 3 && faulty("crash")) {
      std::signal(SIGSEGV, SIG_DFL);
      raise(SIGSEGV);
    }
    if (n == 3 && faulty("hang")) std::this_thread::sleep_for(std::chrono::hours(1));
    if (n == 3 && faulty("sticky")) throw Failure(FailureKind::launch_error, "the device fell off", true);
    if (faulty("wrong_set")) set = 0;
    const auto* a = problem.at<const Real>(set, 0);
    const auto* b = problem.at<const Real>(set, 1);
    auto* c = problem.at<Real>(set, 2);
    if (faulty("witness") && !std::isnan(c[0])) return;
    std::uint64_t last = n;
    if (faulty("wrong") && n % 2 == 1 && n > 1) --last;
    for (std::uint64_t first = 0; first < last; first += static_cast<std::uint64_t>(chunk_)) {
      for (std::uint64_t i = first; i < std::min(last, first + static_cast<std::uint64_t>(chunk_)); ++i) {
        c[i] = a[i] + b[i];
        if (faulty("nan_is_zero") && std::isnan(c[i])) c[i] = 0;
        if (faulty("absolute")) c[i] = std::abs(a[i]) + b[i];
      }
    }
    if (faulty("reads_past")) c[n - 1] += a[n];
    if (faulty("looks_behind")) looked_at_ = std::isnan(a[n]);
    if (faulty("looks_before")) looked_at_ = std::isnan(a[-1]);
    if (faulty("race") && ++executions_ % 37 == 0) c[n / 2] = a[n / 2];
    if (faulty("overrun")) c[n] = 0;
    if (faulty("accumulates") && ++executions_ > 1) c[0] += c[0] + 1;
  }
  std::int64_t chunk_;
  int executions_ = 0;
  volatile bool looked_at_ = false;
};

/// Waits by the steady clock.
class Clock final : public Execution {
 public:
  using Execution::Execution;

 private:
  void execute(std::uint32_t set) override {
    const auto duration = std::get<std::int64_t>(problem_.spec().scalars[0].value);
    const double end = now_ns() + static_cast<double>(duration);
    while (now_ns() < end) {
    }
    *problem_.at<std::uint32_t>(set, 1) =
        *problem_.at<const std::uint32_t>(set, 0) + static_cast<std::uint32_t>(duration);
  }
};

/// The compiler: it looks for the words `kernel ENTRY:` at the beginning of a file.
bool compile_file(const PlannedLaunch& launch, const SessionOptions& options) {
  std::ifstream in(launch.source);
  std::string first;
  std::string second;
  if (!(in >> first >> second)) throw Failure(FailureKind::compile_error, "no file " + launch.source);
  if (!faulty("takes_garbage")) {
    if (first != "kernel") throw Failure(FailureKind::compile_error, launch.source + ":1: no kernel");
    if (second != launch.entry + ":") throw Failure(FailureKind::compile_error, "no entry " + launch.entry);
  }
  std::filesystem::create_directories(options.cache_dir);
  const std::filesystem::path file = std::filesystem::path(options.cache_dir) / (first + second);
  if (std::filesystem::exists(file) && !faulty("never_cached")) return true;
  std::ofstream(file) << second;
  return false;
}

SessionOptions session_options;

std::unique_ptr<Prepared> HostProblem::prepare(const PrepareRequest& request) {
  const std::string& name = request.variant->name;
  if (request.kernel) compile_file(request.kernel->launches.at(0), session_options);
  if (request.kernel || name == "plain" || (faulty("accepts_all") && spec().workload == "vector_add")) {
    const std::int64_t chunk = request.kernel ? 64 : std::get<std::int64_t>(request.tunables.at("chunk"));
    if (chunk == 0 && faulty("odd_tunable")) raise(SIGFPE);
    return std::make_unique<VectorAdd>(*this, chunk, !request.kernel || !faulty("does_not_wait"));
  }
  if (name == "clock") return std::make_unique<Clock>(*this);
  throw Failure(FailureKind::unsupported, "no variant " + name);
}

class HostSession final : public Session {
 public:
  [[nodiscard]] std::unique_ptr<Problem> create_problem(const ProblemRequest& request) override {
    for (const BufferSpec& buffer : request.spec.buffers) {
      if (buffer.space != Space::device) throw Failure(FailureKind::unsupported, "device memory only");
    }
    device_bytes_ += faulty("leak_device") ? 1 << 20 : 0;
    return std::make_unique<HostProblem>(request);
  }
  [[nodiscard]] std::optional<std::uint64_t> free_memory() override { return (1ULL << 40) - device_bytes_; }

 private:
  std::uint64_t device_bytes_ = 0;
};

class HostBackend final : public Backend {
 public:
  HostBackend() {
    VariantInfo plain;
    plain.workload = faulty("workload") ? "vector_subtract" : "vector_add";
    plain.name = "plain";
    plain.doc = faulty("no_doc") ? "" : "one loop";
    plain.dtypes = {DType::f32, DType::f64};
    plain.tunables = {{"chunk", std::int64_t{64}, "elements in a row", {"chunk >= 1"}, {std::int64_t{1}}}};
    if (faulty("odd_tunable")) plain.tunables[0].require.clear();
    if (faulty("expression")) plain.require = {"chunk >= "};
    if (faulty("unknown_name")) plain.require = {"block >= 1"};
    VariantInfo file = plain;
    file.name = faulty("duplicate") ? "plain" : "file";
    file.tunables.clear();
    file.require.clear();
    LaunchSpec launch;
    launch.source = faulty("no_file") ? "vector_sub.txt" : "vector_add.txt";
    launch.entry = "vector_add";
    launch.arguments = {"a", "b", "c", faulty("argument") ? "m" : "n"};
    file.kernel = KernelSpec{{launch}, {}};
    if (faulty("derived")) file.kernel->derived = {{"n", "2"}};
    file.architectures = {"any"};
    VariantInfo choice = plain;
    choice.name = "choice";
    choice.doc = "the quicker of two";
    choice.require.clear();
    choice.tunables = choice_tunables();
    choice.among = {"plain", "file"};
    if (faulty("among_nobody")) choice.among = {"flat"};
    if (faulty("among_itself")) choice.among = {"choice"};
    if (faulty("other_precision")) file.precision = "f16";
    VariantInfo clock;
    clock.workload = "spin";
    clock.name = "clock";
    clock.doc = "waits by the steady clock";
    variants_ = {plain, file, choice, clock};
  }
  [[nodiscard]] std::span<const VariantInfo> variants() const override { return variants_; }
  [[nodiscard]] DeviceList devices() override {
    if (faulty("no_reason")) return {};
    if (std::getenv("BENCHCTL_NO_DEVICE") != nullptr) return {{}, "none was ordered"};
    DeviceList list;
    for (const char* id : {"0", "1"}) {
      DeviceInfo device;
      device.id = faulty("same_id") ? "0" : id;
      if (faulty("new_id")) device.id += std::to_string(++calls_);
      device.name = "Device";
      device.type = DeviceType::cpu;
      device.driver = "none";
      device.physical = faulty("no_physical") ? "" : std::string("test:") + id;
      device.compute_units = 1;
      device.timer_step_ns = 1;
      device.max_batch = 1000;
      device.fp64 = true;
      list.devices.push_back(std::move(device));
    }
    return list;
  }
  [[nodiscard]] std::unique_ptr<Session> open(const std::string& device,
                                              const SessionOptions& options) override {
    if (device != "0" && device != "1") {
      if (faulty("foreign")) throw std::runtime_error("no device");
      throw Failure(FailureKind::no_device, "there are devices 0 and 1");
    }
    session_options = options;
    return std::make_unique<HostSession>();
  }
  [[nodiscard]] bool compiles_offline() const override { return true; }
  CompileResult compile(const KernelPlan& plan, const std::string&,
                        const SessionOptions& options) override {
    CompileResult result;
    result.cached = compile_file(plan.launches.at(0), options);
    return result;
  }

 private:
  std::vector<VariantInfo> variants_;
  int calls_ = 0;
};

class Idle final : public Watch {
 public:
  void end(const Window&, Readings& readings) override {
    readings.values[faulty("unlisted") ? "other" : "test_level"] = {1.0};
  }
};

class HostObserver final : public Observer {
 public:
  [[nodiscard]] std::span<const ReadingInfo> readings() const override {
    static const std::vector<ReadingInfo> table{
        {"test_level", "V", faulty("reading_doc") ? "" : "a constant"}};
    return table;
  }
  [[nodiscard]] std::unique_ptr<Watch> watch(const DeviceInfo& device,
                                             std::span<const std::string>) override {
    if (!device.physical.starts_with("test:") && !faulty("watches_all")) return nullptr;
    return std::make_unique<Idle>();
  }
};

class FaultyPlugin final : public Plugin {
 public:
  FaultyPlugin() { unused.made = true; }
  [[nodiscard]] PluginInfo info() const override {
    return {faulty("name") ? "other" : "faulty", faulty("title") ? "" : "Test", "1.0", "test"};
  }
  [[nodiscard]] Backend* backend() override { return &backend_; }
  [[nodiscard]] Observer* observer() override { return &observer_; }

 private:
  HostBackend backend_;
  HostObserver observer_;
};

}  // namespace

BENCHCTL_PLUGIN(FaultyPlugin)
