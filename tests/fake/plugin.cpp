// A deterministic backend for the tests of the engine. It computes real products on the host, so that
// verification is real, and reports scripted times instead of measured ones.
//
// A variant's tunable `fault_verb` says in which verb something goes wrong, and the variant's name says
// what. `chosen` is a choice among some of them. `twin` is `noisy` under another name, `slower` takes 2 %
// longer. BENCHCTL_FAKE_LOG names a file to which every executed verb is appended; BENCHCTL_FAKE_DEVICES
// says how many devices there are, BENCHCTL_FAKE_SLEEP_US how long each sample really takes,
// BENCHCTL_FAKE_SLOWER_PERCENT by how much all variants are slower than their scripts say,
// BENCHCTL_FAKE_PHYSICAL which piece of hardware the first device is; BENCHCTL_FAKE_SLOTS puts the others
// into slots, as cards: `pci:0000:01:00.0`; FAKE_VISIBLE_DEVICES chooses some of them. A kernel of a config
// is as much slower as its source says: `slower_percent 5`; or its results are wrong: `wrong_results`; or
// all others' that the process executes after it: `spoils_others`; or the threads may run on one processor
// alone afterwards: `takes_one_core`. One
// with a tunable `fit` is slower by that share for each power of two between n and its tunable `TILE`. A
// plugin beside a file `slower_percent` is slower, too. A workload of a config that has no `m` is a copy:
// of its first buffer to its last.
#include <benchctl/access_spec.hpp>
#include <benchctl/host.hpp>
#include <benchctl/plugin.hpp>

#include <dlfcn.h>
#include <sched.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "noise.hpp"
#include "observer.hpp"

namespace {

using namespace benchctl;
using fake::log;

std::int64_t integer(const Parameters& values, const char* name) {
  return std::get<std::int64_t>(values.at(name));
}

double real(const Parameters& values, const char* name) { return std::get<double>(values.at(name)); }

fake::NoiseSettings noise_settings(const Parameters& tunables) {
  return {.body = real(tunables, "noise"),
          .correlation = real(tunables, "correlation"),
          .tail = real(tunables, "tail"),
          .drift = real(tunables, "drift"),
          .process = real(tunables, "process"),
          .seed = static_cast<std::uint64_t>(integer(tunables, "noise_seed"))};
}

long from_environment(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtol(text, nullptr, 10) : otherwise;
}

/// What a file says of a kernel: a number behind `slower_percent`, and words.
struct Script {
  double slowdown = 0;
  bool wrong = false;
  bool spoils = false;
  bool takes_core = false;
};

Script script_in(const std::filesystem::path& file) {
  Script script;
  std::ifstream in(file);
  for (std::string word; in >> word;) {
    double percent = 0;
    if (word == "slower_percent" && in >> percent) script.slowdown = percent / 100;
    if (word == "wrong_results") script.wrong = true;
    if (word == "spoils_others") script.spoils = true;
    if (word == "takes_one_core") script.takes_core = true;
  }
  return script;
}

/// The first of those that the thread may run on.
void take_one_core() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  std::size_t first = 0;
  while (!CPU_ISSET(first, &allowed)) ++first;
  CPU_ZERO(&allowed);
  CPU_SET(first, &allowed);
  sched_setaffinity(0, sizeof allowed, &allowed);
}

/// FAKE_VISIBLE_DEVICES names cards, from 0, with ',' between them. If it is not set, all are there.
bool is_visible(long card) {
  const char* given = std::getenv("FAKE_VISIBLE_DEVICES");
  if (given == nullptr) return true;
  return (',' + std::string(given) + ',').find(',' + std::to_string(card) + ',') != std::string::npos;
}

/// The folder of this library.
std::filesystem::path own_folder() {
  Dl_info own{};
  if (dladdr(reinterpret_cast<const void*>(&script_in), &own) == 0) return {};
  return std::filesystem::path(own.dli_fname).parent_path();
}

/// What a variant named after a fault does in its verb.
void misbehave(const std::string& variant) {
  if (variant == "throws") throw Failure(FailureKind::launch_error, "scripted failure");
  if (variant == "sticky") throw Failure(FailureKind::launch_error, "scripted sticky failure", true);
  if (variant == "foreign") throw std::runtime_error("scripted foreign exception");
  if (variant == "memory") throw Failure(FailureKind::out_of_memory, "scripted: 9 GiB asked, 1 GiB free");
  if (variant == "source") throw Failure(FailureKind::compile_error, "kernel.cu:3: error: scripted");
  if (variant == "unsupported") throw Failure(FailureKind::unsupported, "scripted: not on this device");
  if (variant == "crash") {
    std::signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
  }
  if (variant == "exit") _Exit(7);
  if (variant == "hang") std::this_thread::sleep_for(std::chrono::hours(1));
}

class FakeProblem;

class FakePrepared : public Prepared {
 public:
  FakePrepared(FakeProblem& problem, const PrepareRequest& request)
      : problem_(problem),
        variant_(request.variant->name),
        tunables_(request.tunables),
        noise_(noise_settings(tunables_), variant_) {
    fault("prepare");
    slowdown_ += script_in(own_folder() / "slower_percent").slowdown;
    if (request.kernel) {
      script_ = script_in(request.kernel->launches.front().source);
      slowdown_ += script_.slowdown;
    }
  }

  [[nodiscard]] Resources resources() const override { return {{"registers", 42.0}}; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return {{"kernel", "scripted"}};
  }
  double run(std::uint32_t set) override;
  [[nodiscard]] SampleBlock sample(const SampleRequest& request) override;

 private:
  void fault(const std::string& verb) const {
    if (std::get<std::string>(tunables_.at("fault_verb")) == verb) misbehave(variant_);
  }
  void compute(std::uint32_t set, bool timed);
  [[nodiscard]] double misfit() const;

  FakeProblem& problem_;
  std::string variant_;
  Parameters tunables_;
  fake::Noise noise_;
  double slowdown_ = 1;
  Script script_;
};

class FakeProblem : public HostBuffers {
 public:
  explicit FakeProblem(const ProblemRequest& request) : HostBuffers(request) {
    if (spec().parameters.contains("n") && integer(spec().parameters, "n") == 13) {
      misbehave("memory");  // an unlucky size
    }
  }
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const PrepareRequest& request) override {
    log("prepare " + request.variant->name);
    return std::make_unique<FakePrepared>(*this, request);
  }
};

template <class Real>
void multiply(FakeProblem& problem, std::uint32_t set) {
  const auto m = integer(problem.spec().parameters, "m");
  const auto n = integer(problem.spec().parameters, "n");
  const auto k = integer(problem.spec().parameters, "k");
  const Real* a = problem.at<Real>(set, 0);
  const Real* b = problem.at<Real>(set, 1);
  Real* c = problem.at<Real>(set, 2);
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      Real sum = 0;
      for (std::int64_t l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
      c[i * n + j] = sum;
    }
  }
}

/// The last buffer becomes what the first one is; if that is to be wrong, but for the lowest bit of the
/// last element.
void copy(FakeProblem& problem, std::uint32_t set, bool wrong) {
  const BufferSpec& to = problem.spec().buffers.back();
  auto* bytes = problem.at<std::byte>(set, problem.spec().buffers.size() - 1);
  std::memcpy(bytes, problem.at<std::byte>(set, 0), to.bytes());
  if (wrong) bytes[to.bytes() - size_of(to.type)] ^= std::byte{1};
}

void FakePrepared::compute(std::uint32_t set, bool timed) {
  const auto& parameters = problem_.spec().parameters;
  if (!parameters.contains("m")) return copy(problem_, set, script_.wrong);
  const auto last = static_cast<std::size_t>(integer(parameters, "m") * integer(parameters, "n"));
  if (variant_ == "silent" || (variant_ == "lazy" && timed)) return;  // writes nothing (when it counts)
  if (std::get<std::string>(parameters.at("dtype")) == "f64") {
    multiply<double>(problem_, set);
    return;
  }
  multiply<float>(problem_, set);
  float* c = problem_.at<float>(set, 2);
  static bool spoilt = false;
  spoilt = spoilt || script_.spoils;
  if (variant_ == "wrong" || script_.wrong || (spoilt && !script_.spoils)) c[last - 1] += 1.0F;
  if (script_.takes_core) take_one_core();
  if (variant_ == "overrun") c[last] = 0.0F;
  if (variant_ == "clobber") problem_.at<float>(set, 0)[0] += 1.0F;
}

double FakePrepared::run(std::uint32_t set) {
  log("run " + variant_);
  fault("run");
  compute(set, false);
  return static_cast<double>(integer(tunables_, "ns"));
}

double FakePrepared::misfit() const {
  if (!tunables_.contains("fit")) return 0;
  const auto n = static_cast<double>(integer(problem_.spec().parameters, "n"));
  return real(tunables_, "fit") * std::abs(std::log2(n / static_cast<double>(integer(tunables_, "TILE"))));
}

SampleBlock FakePrepared::sample(const SampleRequest& request) {
  log("sample " + variant_);
  fault("sample");
  const std::uint64_t executions = std::uint64_t{request.count} * request.batch;
  for (std::uint32_t i = 0; i < std::min<std::uint64_t>(executions, request.sets); ++i) {
    compute(request.basis == Basis::end_to_end ? request.set : set_of(request, i), true);
  }
  SampleBlock block;
  block.batch = request.batch;
  const auto percent = static_cast<double>(from_environment("BENCHCTL_FAKE_SLOWER_PERCENT", 0));
  const double ns = static_cast<double>(integer(tunables_, "ns")) *
                    ((variant_ == "slower" ? 1.02 : 1) * (slowdown_ + misfit()) * (1 + percent / 100));
  const bool submits = request.launch == LaunchMode::graph && request.basis == Basis::host_sync;
  const double submit = submits ? real(tunables_, "submit_ns") / request.batch : 0;
  for (std::uint32_t i = 0; i < request.count; ++i) {
    if (request.hook != nullptr) request.hook->begin();
    block.ns.push_back(noise_.observe(ns, request.batch) + submit);
    if (request.hook != nullptr) request.hook->end();
  }
  if (const long sleep = from_environment("BENCHCTL_FAKE_SLEEP_US", 0); sleep > 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(sleep) * request.count);
  }
  log("sampled " + variant_);
  return block;
}

class FakeSession : public Session {
 public:
  [[nodiscard]] std::unique_ptr<Problem> create_problem(const ProblemRequest& request) override {
    log("problem");
    return std::make_unique<FakeProblem>(request);
  }
};

class FakeBackend : public Backend {
 public:
  FakeBackend() {
    for (const char* name :
         {"steady", "noisy", "twin", "slower", "wrong", "silent", "lazy", "overrun", "clobber", "throws",
          "sticky", "foreign", "memory", "source", "unsupported", "crash", "exit", "hang"}) {
      VariantInfo variant;
      variant.workload = "matmul";
      variant.name = name;
      variant.doc = "scripted";
      variant.dtypes = {DType::f32, DType::f64};
      variant.tunables = {
          {"ns", std::int64_t{100'000}, "scripted duration of one execution", {"ns >= 1"}},
          {"noise", 0.0, "standard deviation of the logarithm of the duration", {}},
          {"noise_seed", std::int64_t{1}, "seed of the noise; 0: another one each time", {}},
          {"correlation", 0.0, "of the noise of neighbouring samples", {}},
          {"tail", 0.0, "share of samples that are held up", {}},
          {"drift", 0.0, "largest relative change of the machine's pace", {}},
          {"process", 0.0, "standard deviation of what a process does to a variant for good", {}},
          {"submit_ns", 0.0, "what launching a graph takes by the host's clock, beside its executions", {}},
          {"tile", std::int64_t{1}, "no effect", {}},
          {"fault_verb", std::string("run"), "prepare, run or sample: where the fault happens", {}},
      };
      if (std::string(name) == "wrong") {
        // As 64 threads would load floats from one element on.
        variant.access = {patterns::access(AccessSpace::global, AccessKind::read, "A", "4 * i + 4", "4")};
        variant.access[0].threads = "64";
      }
      if (std::string(name) == "steady") {
        variant.tunables.push_back({"block", std::int64_t{1}, "threads per block, for limits", {}});
        variant.require = {"block <= 1024"};
      }
      variants_.push_back(std::move(variant));
    }
    VariantInfo choice;
    choice.workload = "matmul";
    choice.name = "chosen";
    choice.doc = "the quickest of these";
    choice.dtypes = {DType::f32, DType::f64};
    choice.among = {"steady", "slower", "throws"};
    choice.tunables = choice_tunables();
    variants_.push_back(std::move(choice));
  }
  [[nodiscard]] std::span<const VariantInfo> variants() const override { return variants_; }
  [[nodiscard]] DeviceList devices() override {
    if (std::getenv("BENCHCTL_FAKE_CRASH_PROBE") != nullptr) raise(SIGSEGV);
    DeviceList list;
    const long count = from_environment("BENCHCTL_FAKE_DEVICES", 1);
    if (count == 0) list.unavailable = "no fake hardware";
    for (long i = 0; i < count; ++i) {
      if (i > 0 && !is_visible(i - 1)) continue;
      const std::string place = std::to_string(i);
      DeviceInfo device;
      device.id = std::to_string(list.devices.size());
      device.name = "Fake device " + device.id;
      device.vendor = "Nobody";
      device.type = i == 0 ? DeviceType::cpu : DeviceType::gpu;
      device.driver = "fake 1.0";
      device.architecture = "fake";
      device.physical = "fake:" + place;
      if (const char* physical = std::getenv("BENCHCTL_FAKE_PHYSICAL"); physical != nullptr && i == 0)
        device.physical = physical;
      if (std::getenv("BENCHCTL_FAKE_SLOTS") != nullptr && i > 0)
        device.physical = "pci:0000:0" + place + ":00.0";
      device.compute_units = 1;
      device.last_level_cache_bytes = 1U << 20;
      device.timer_step_ns = 1;
      device.max_batch = 1000;
      device.fp64 = true;
      device.limits.memory_bytes = 1ULL << 30;
      list.devices.push_back(std::move(device));
    }
    return list;
  }
  [[nodiscard]] std::unique_ptr<Session> open(const std::string& device, const SessionOptions&) override {
    log("open " + device);
    if (std::getenv("BENCHCTL_FAKE_FAIL_OPEN") != nullptr) {
      throw Failure(FailureKind::no_device, "scripted: the device is gone");
    }
    return std::make_unique<FakeSession>();
  }

 private:
  std::vector<VariantInfo> variants_;
};

class FakePlugin : public Plugin {
 public:
  [[nodiscard]] PluginInfo info() const override {
    return {"fake", "Scripted test backend", "1.0", "test", {"FAKE_DRIVER_", "FAKE_VISIBLE_DEVICES"}};
  }
  [[nodiscard]] Backend* backend() override { return &backend_; }
  [[nodiscard]] Observer* observer() override { return &observer_; }

 private:
  FakeBackend backend_;
  fake::FakeObserver observer_;
};

}  // namespace

#ifndef FAKE_PLUGIN_IS_INCLUDED
BENCHCTL_PLUGIN(FakePlugin)
#endif
