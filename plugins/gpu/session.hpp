// The session of every backend for GPUs, and its one way to take samples.
//
// What differs between the APIs is behind the backend's open device, `Device`:
//
//   allocate(space, bytes, what), host_bytes(bytes, what)   memory; host_bytes: what a device copies best
//   upload, download, copy, fill                            queue one operation on memory
//   enter(), finish(title)                                  the calling thread uses the device; waits for
//   it capture(queue)                                          a graph of what `queue` queues
//   objection(work, request), timed(work, request, queue, hold)   a sample by the device's clock
//   eviction()                                              how the caches are emptied
//
// and its types Memory and Kernels (kernel_work.hpp).
#pragma once

#include "gpu/extras.hpp"
#include "gpu/kernel_work.hpp"
#include "gpu/sampling.hpp"

#include <tuple>

namespace benchctl::gpu {

/// What the objects of a session have in common; it lives as long as the last of them.
template <class Device>
struct Shared {
  template <class... Arguments>
  explicit Shared(Arguments&&... arguments) : device(std::forward<Arguments>(arguments)...) {}
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() { device.enter(); }

  /// Made at first use: it compiles a kernel and takes memory.
  Evictor<Device>& evictor() {
    if (!evictor_) evictor_ = std::make_unique<Evictor<Device>>(device, device.eviction());
    return *evictor_;
  }

  Device device;

 private:
  std::unique_ptr<Evictor<Device>> evictor_;
};

template <class Device>
class DevicePrepared final : public Prepared {
 public:
  DevicePrepared(std::shared_ptr<Shared<Device>> shared, Buffers<Device>& buffers,
                 std::unique_ptr<Work> work)
      : shared_(std::move(shared)), buffers_(buffers), work_(std::move(work)) {}
  ~DevicePrepared() override { device().enter(); }

  [[nodiscard]] Resources resources() const override { return work_->resources(); }
  [[nodiscard]] Notes notes() const override { return work_->notes(); }
  void reset_scratch() override {
    device().enter();
    work_->reset_scratch();
  }
  double run(std::uint32_t set) override {
    device().enter();
    const auto start = Clock::now();
    work_->enqueue(set);
    device().finish(work_->title());
    return since(start);
  }
  [[nodiscard]] SampleBlock sample(const SampleRequest& request) override {
    device().enter();
    check_request(request, buffers_.sets());
    work_->check(request);
    if (request.cache == CacheMode::cold) static_cast<void>(shared_->evictor());
    SampleBlock block = request.basis == Basis::device ? sample_device(request) : sample_host(request);
    block.batch = request.batch;
    return block;
  }

 private:
  [[nodiscard]] Device& device() const noexcept { return shared_->device; }

  /// Where a graph cannot stand between other commands, it is used only where it stands alone.
  [[nodiscard]] static bool is_graph(const SampleRequest& request) {
    return request.launch == LaunchMode::graph &&
           (Device::graphs_are_commands || request.basis == Basis::host_sync);
  }
  /// Executions of a request, from the `first` on, as a graph, captured at first use.
  const std::function<void()>& graph(const SampleRequest& request, std::uint64_t first,
                                     std::uint32_t executions) {
    std::function<void()>& entry = graphs_[{set_of(request, first), executions, request.sets}];
    if (!entry) {
      entry = device().capture([&] {
        for (std::uint32_t i = 0; i < executions; ++i) work_->enqueue(set_of(request, first + i));
      });
    }
    return entry;
  }
  /// Captures all graphs of so many executions that a request needs, if it is for graphs at all.
  void capture_graphs(const SampleRequest& request, std::uint32_t executions) {
    if (!is_graph(request)) return;
    const std::uint64_t total = std::uint64_t{request.count} * request.batch;
    for (std::uint64_t first = 0; first < total; first += executions) {
      static_cast<void>(graph(request, first, executions));
      if (first / executions >= request.sets) break;  // from here on the same ones come again
    }
  }
  /// Queues executions of a request, from the `first` on.
  void queue(const SampleRequest& request, std::uint64_t first, std::uint32_t executions) {
    if (is_graph(request)) return graph(request, first, executions)();
    for (std::uint32_t i = 0; i < executions; ++i) work_->enqueue(set_of(request, first + i));
  }

  void evict(const SampleRequest& request, bool wait) {
    if (request.cache != CacheMode::cold) return;
    shared_->evictor().enqueue();
    if (wait) device().finish("the eviction of the caches");
  }

  /// The samples of a block, behind something that holds the device if `hold`: up to the first that began
  /// early, which is the last then.
  std::vector<DeviceTime> take_samples(const SampleRequest& request, bool hold) {
    constexpr int most_attempts = 5;
    std::vector<DeviceTime> times;
    for (std::uint32_t i = 0; i < request.count; ++i) {
      const auto queue_some = [&](std::uint32_t first, std::uint32_t executions) {
        queue(request, std::uint64_t{i} * request.batch + first, executions);
      };
      DeviceTime time;
      for (int attempt = 0; attempt < most_attempts; ++attempt) {
        evict(request, !Device::evicts_while_queueing);
        time = device().timed(*work_, request, queue_some, hold);
        if (!time.retry) break;
      }
      times.push_back(time);
      if (hold && !time.held) break;
    }
    return times;
  }

  /// Why a block is not held back, or empty.
  [[nodiscard]] std::string objection(const SampleRequest& request) {
    if (std::string own = work_->objection(); !own.empty()) return own;
    if (std::string of_device = device().objection(*work_, request); !of_device.empty()) return of_device;
    return work_->began_early ? began_early_text : "";
  }

  [[nodiscard]] SampleBlock sample_device(const SampleRequest& request) {
    capture_graphs(request, request.batch);
    SampleBlock block;
    std::string not_gated = objection(request);
    std::vector<DeviceTime> times;
    if (not_gated.empty()) {
      times = take_samples(request, true);
      if (!times.empty() && !times.back().held) {
        // Whatever made the driver wait will make it wait again; behind a closed gate for seconds.
        work_->began_early = true;
        not_gated = objection(request);
      }
    }
    // One block is of one kind: what was taken before is dropped.
    if (!not_gated.empty()) times = take_samples(request, false);
    block.gated = not_gated.empty();
    if (!block.gated) block.note = "not gated: " + not_gated;
    const bool usable = std::ranges::all_of(times, &can_be);
    for (const DeviceTime& time : times) {
      block.ns.push_back((usable ? time.device_ns : time.host_ns) / request.batch);
    }
    if (usable) return block;
    if (!work_->bracketed()) {
      throw Failure(FailureKind::launch_error,
                    "the driver of " + device().info().name +
                        " has no usable time stamps; measure with basis = \"host_sync\"");
    }
    block.gated = false;
    block.note =
        "the driver has no usable time stamps around the work: host clock around queueing and waiting";
    return block;
  }

  [[nodiscard]] SampleBlock sample_host(const SampleRequest& request) {
    const bool end_to_end = request.basis == Basis::end_to_end;
    if (end_to_end) {
      check_end_to_end(buffers_.spec());
      buffers_.copy_to_host(request.set);
    }
    // Each execution is waited for by itself; a graph is one launch of the whole batch, unless copies
    // surround every execution.
    const bool whole_batch = is_graph(request) && !end_to_end;
    const std::uint32_t rounds = whole_batch ? 1 : request.batch;
    const std::uint32_t executions = whole_batch ? request.batch : 1;
    capture_graphs(request, executions);
    return timed_by_host(
        request, [&] { evict(request, true); },
        [&](std::uint64_t first) {
          for (std::uint32_t round = 0; round < rounds; ++round) {
            if (end_to_end) buffers_.upload(request.set);
            queue(request, first + std::uint64_t{round} * executions, executions);
            if (end_to_end) buffers_.download(request.set);
            device().finish(work_->title());
          }
        });
  }

  std::shared_ptr<Shared<Device>> shared_;
  Buffers<Device>& buffers_;
  std::unique_ptr<Work> work_;
  /// By first set, number of executions, and number of sets that these use in turn.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::function<void()>> graphs_;
};

template <class Device>
class DeviceProblem final : public Problem {
 public:
  DeviceProblem(std::shared_ptr<Shared<Device>> shared, const ProblemRequest& request)
      : shared_(std::move(shared)), buffers_(entered(shared_->device), request) {}
  ~DeviceProblem() override { shared_->device.enter(); }

  void write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
             std::span<const std::byte> bytes) override {
    shared_->device.enter();
    buffers_.write(set, buffer, offset, bytes);
  }
  void read(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
            std::span<std::byte> bytes) const override {
    shared_->device.enter();
    buffers_.read(set, buffer, offset, bytes);
  }
  void fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
            std::byte value) override {
    shared_->device.enter();
    buffers_.fill(set, buffer, offset, bytes, value);
  }
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const PrepareRequest& request) override {
    shared_->device.enter();
    auto prepared = std::make_unique<DevicePrepared<Device>>(shared_, buffers_, make_work(request));
    if constexpr (requires { Device::labelled(std::move(prepared), request.label); }) {
      return Device::labelled(std::move(prepared), request.label);
    } else {
      return prepared;
    }
  }

 private:
  static Device& entered(Device& device) {
    device.enter();
    return device;
  }

  [[nodiscard]] std::unique_ptr<Work> make_work(const PrepareRequest& request) {
    if (request.kernel) {
      check_extras(*request.kernel, Device::known_extras);
      if (!Device::has_constants) refuse_constants(*request.kernel);
      return std::make_unique<KernelWork<Device>>(shared_->device, buffers_, *request.kernel);
    }
    if (const auto make = Table<Device>::instance().native(*request.variant)) {
      return make(shared_->device, buffers_);
    }
    throw Failure(FailureKind::unsupported, "this build of the plugin has no variant " +
                                                request.variant->workload + "/" + request.variant->name);
  }

  std::shared_ptr<Shared<Device>> shared_;
  Buffers<Device> buffers_;
};

template <class Device>
class DeviceSession final : public Session {
 public:
  /// Opens the device with these arguments. Throws Failure.
  template <class... Arguments>
  explicit DeviceSession(Arguments&&... arguments)
      : shared_(std::make_shared<Shared<Device>>(std::forward<Arguments>(arguments)...)) {}

  [[nodiscard]] std::unique_ptr<Problem> create_problem(const ProblemRequest& request) override {
    return std::make_unique<DeviceProblem<Device>>(shared_, request);
  }
  [[nodiscard]] std::optional<std::uint64_t> free_memory() override {
    if constexpr (requires { shared_->device.free_memory(); }) {
      return shared_->device.free_memory();
    } else {
      return std::nullopt;
    }
  }

 private:
  std::shared_ptr<Shared<Device>> shared_;
};

}  // namespace benchctl::gpu
