// The interfaces that a backend plugin implements. Calls come from one thread. Any method may throw
// benchctl::Failure; any other exception is reported as a fault of the plugin.
#pragma once

#include <benchctl/device.hpp>
#include <benchctl/failure.hpp>
#include <benchctl/problem.hpp>
#include <benchctl/sampling.hpp>
#include <benchctl/types.hpp>
#include <benchctl/variant.hpp>

#include <memory>
#include <span>
#include <vector>

namespace benchctl {

/// Figures of the compiler and driver for a prepared variant, by metric id (see the table in
/// core/model): `registers`, `spill_bytes`, `static_shared_bytes`, `local_bytes`, `constant_bytes`,
/// `max_block_threads`, `occupancy`, `preferred_multiple`, …
using Resources = std::map<std::string, double, std::less<>>;

/// A variant made ready for one problem: compiled, loaded, arguments bound.
class Prepared {
 public:
  Prepared() = default;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  virtual ~Prepared() = default;

  /// By metric id; empty if nothing is known.
  [[nodiscard]] virtual Resources resources() const = 0;
  /// Facts about the choice made, as text: which kernel a vendor's library picked, which instruction
  /// set runs. Stored with the point.
  [[nodiscard]] virtual std::map<std::string, std::string, std::less<>> notes() const { return {}; }
  /// Executes once on a set of buffers and waits for the end. Used to verify and to warm up; returns
  /// the host time that it took in nanoseconds.
  virtual double run(std::uint32_t set) = 0;
  /// Restores scratch memory to its state after `prepare`: no execution may find what an earlier one left.
  /// Called between executions, never while one is timed.
  virtual void reset_scratch() {}
  /// Takes `request.count` samples. Everything has been executed at least once before.
  [[nodiscard]] virtual SampleBlock sample(const SampleRequest& request) = 0;
};

/// What the engine asks a session to make ready.
struct PrepareRequest {
  /// Never null; outlives the Prepared. One of Backend::variants(); with a kernel, its names alone.
  const VariantInfo* variant = nullptr;
  Parameters tunables;               ///< all of the variant's, defaults filled in
  std::optional<KernelPlan> kernel;  ///< evaluated KernelSpec; empty for a native variant
  /// The point's name in results: `matmul/tiled @ gpu:0 n=512 tile=16`. A backend whose profilers know
  /// named ranges opens one of that name around `run` and `sample`; others ignore it.
  std::string label;
};

/// The buffers of one problem on one device, shared by all variants that are measured on it. Each
/// buffer holds `allocation` bytes (payload first, then guard bytes that the engine watches).
class Problem {
 public:
  Problem() = default;
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;
  virtual ~Problem() = default;

  /// Copies host bytes into a buffer, starting at byte `offset`; returns when they are there.
  virtual void write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                     std::span<const std::byte> bytes) = 0;
  /// Copies buffer bytes to the host.
  virtual void read(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                    std::span<std::byte> bytes) const = 0;
  /// Sets `bytes` bytes, from `offset`, to one value; both are multiples of 4 in practice.
  virtual void fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
                    std::byte value) = 0;
  /// Makes a variant ready. The Prepared must not outlive the Problem.
  [[nodiscard]] virtual std::unique_ptr<Prepared> prepare(const PrepareRequest& request) = 0;
};

/// What the engine asks a session to hold.
struct ProblemRequest {
  ProblemSpec spec;        ///< which buffers and scalars there are
  std::uint32_t sets = 1;  ///< how many copies of all buffers
  /// Bytes to allocate per buffer, in the order of `spec.buffers`: payload plus guard. The guard includes
  /// the rest of the payload's last 16-byte pack: a kernel may read that pack as a whole.
  std::vector<std::uint64_t> allocation;
};

/// One device, opened.
class Session {
 public:
  Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  virtual ~Session() = default;

  /// Allocates the buffers. If it cannot, it throws a Failure (out_of_memory or unsupported) and leaves the
  /// session unchanged. The Problem must not outlive the Session.
  [[nodiscard]] virtual std::unique_ptr<Problem> create_problem(const ProblemRequest& request) = 0;
  /// Free bytes of the device's memory; nothing if the driver does not tell.
  /// Leak checks use it.
  [[nodiscard]] virtual std::optional<std::uint64_t> free_memory() { return std::nullopt; }
};

/// How a device is opened.
struct SessionOptions {
  std::string cache_dir;      ///< compiled kernels are kept here, by content; empty: no cache
  bool device_debug = false;  ///< compile kernels with debug information, optimisation off
};

/// Result of compiling a plan without a device.
struct CompileResult {
  Resources resources;  ///< what the compiler says of the code
  std::string log;      ///< compiler's messages, also when it succeeded
  bool cached = false;  ///< found in the cache
};

/// A kind of device: what can be measured with it, and on which devices.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  /// Static data; needs neither driver nor device.
  [[nodiscard]] virtual std::span<const VariantInfo> variants() const = 0;
  /// Enumerates devices. No device is not a failure: `unavailable` says why.
  [[nodiscard]] virtual DeviceList devices() = 0;
  /// Opens the device with that DeviceInfo::id.
  [[nodiscard]] virtual std::unique_ptr<Session> open(const std::string& device,
                                                      const SessionOptions& options) = 0;

  /// Can `compile` work without a device? If so, the engine compiles in processes of their own, before
  /// anything is measured.
  [[nodiscard]] virtual bool compiles_offline() const { return false; }
  /// Compiles every launch of a plan for an architecture (DeviceInfo::architecture; unless
  /// compiles_offline, that of a device here) into `options.cache_dir`, where `prepare` finds it. Failure:
  /// compile_error, log.
  virtual CompileResult compile(const KernelPlan& plan, const std::string& architecture,
                                const SessionOptions& options) {
    static_cast<void>(plan);
    static_cast<void>(architecture);
    static_cast<void>(options);
    throw Failure(FailureKind::unsupported, "this backend compiles on its device only");
  }
};

}  // namespace benchctl
