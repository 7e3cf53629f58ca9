#include "driver/context.hpp"

#include "driver/device.hpp"
#include "gpu/self_path.hpp"
#include "measure/annotation.hpp"
#include "measure/gate_policy.hpp"
#include "measure/limits.hpp"

namespace benchctl::cuda {

PrimaryContext::PrimaryContext(const DriverApi& driver, CUdevice device)
    : driver_(driver), device_(device) {
  driver_.check(driver_.primary_ctx_retain(&context_, device_), "opening the device's context");
  if (const CUresult result = driver_.ctx_set_current(context_); result != CUDA_SUCCESS) {
    static_cast<void>(driver_.primary_ctx_release(device_));
    driver_.check(result, "making the device's context current");
  }
}

PrimaryContext::~PrimaryContext() {
  static_cast<void>(driver_.ctx_set_current(nullptr));
  static_cast<void>(driver_.primary_ctx_release(device_));
}

Context::Context(std::shared_ptr<Libraries> libraries, const std::string& device, SessionOptions options)
    : libraries_(std::move(libraries)),
      driver_(libraries_->driver()),
      options_(std::move(options)),
      device_(find_device(driver_, device)),
      info_(describe_device(driver_, device_, device)),
      primary_(driver_, device_),
      stream_(make_stream(driver_)) {
  gate_.emplace(
      driver_, stream_.get(),
      options_.device_debug ? std::string("kernels are compiled for a debugger") : gate_objection_here());
}

void Context::finish(std::string_view what) const {
  if (const CUresult result = driver_.stream_synchronize(stream_.get()); result != CUDA_SUCCESS) {
    driver_.check(result, "running " + std::string(what));
  }
}

Memory Context::allocate(Space space, std::uint64_t bytes, const std::string& what) const {
  if (space == Space::device) return {cuda::allocate(driver_, bytes, what), {}};
  return {{}, allocate_pinned(driver_, bytes, what)};
}

std::shared_ptr<std::byte[]> Context::host_bytes(std::uint64_t bytes, const std::string& what) const {
  const auto owner = std::make_shared<const PinnedMemory>(allocate_pinned(driver_, bytes, what));
  return {owner, static_cast<std::byte*>(owner->get())};
}

void Context::upload(const Memory& to, std::uint64_t offset, std::span<const std::byte> bytes) const {
  driver_.check(driver_.memcpy_htod_async(to.address() + offset, bytes.data(), bytes.size(), stream()),
                "copying to the device");
}

void Context::download(const Memory& from, std::uint64_t offset, std::span<std::byte> bytes) const {
  driver_.check(driver_.memcpy_dtoh_async(bytes.data(), from.address() + offset, bytes.size(), stream()),
                "copying from the device");
}

void Context::copy(const Memory& from, const Memory& to, std::uint64_t bytes) const {
  driver_.check(driver_.memcpy_dtod_async(to.address(), from.address(), bytes, stream()),
                "copying on the device");
}

void Context::fill(const Memory& memory, std::uint64_t offset, std::uint64_t bytes, std::byte value) const {
  const CUdeviceptr target = memory.address() + offset;
  const auto byte = std::to_integer<unsigned char>(value);
  const bool words = target % 4 == 0 && bytes % 4 == 0;
  driver_.check(words ? driver_.memset_d32_async(target, 0x01010101U * byte, bytes / 4, stream())
                      : driver_.memset_d8_async(target, byte, bytes, stream()),
                "filling device memory");
}

// RELAXED: a library may load a kernel while it is captured; this stream is ours alone.
std::function<void()> Context::capture(const std::function<void()>& queue) const {
  driver_.check(driver_.stream_begin_capture(stream(), CU_STREAM_CAPTURE_MODE_RELAXED),
                "starting to capture a graph");
  CUgraph raw = nullptr;
  try {
    queue();
  } catch (...) {
    // The stream must not stay in capture mode.
    if (driver_.stream_end_capture(stream(), &raw) == CUDA_SUCCESS && raw != nullptr) {
      static_cast<void>(driver_.graph_destroy(raw));
    }
    throw;
  }
  driver_.check(driver_.stream_end_capture(stream(), &raw), "capturing a graph");
  const Graph graph(driver_, raw);
  CUgraphExec executable = nullptr;
  driver_.check(driver_.graph_instantiate(&executable, graph.get(), 0), "instantiating a graph");
  const auto owned = std::make_shared<const GraphExec>(driver_, executable);
  driver_.check(driver_.graph_upload(executable, stream()), "uploading a graph");
  driver_.check(driver_.stream_synchronize(stream()), "uploading a graph");
  return
      [this, owned] { driver_.check(driver_.graph_launch(owned->get(), stream()), "launching a graph"); };
}

std::string Context::objection(const gpu::Work& work, const SampleRequest& request) const {
  // A graph is one operation of the stream, however many nodes it has.
  const std::uint64_t queued = std::uint64_t{request.batch} * work.operations();
  if (request.launch == LaunchMode::stream &&
      (request.batch > max_gated_batch || queued > max_gated_operations)) {
    return std::to_string(request.batch) + " executions of " + std::to_string(work.operations()) +
           " operations are too many to queue behind a gate";
  }
  return gate_->objection();
}

gpu::DeviceTime Context::timed(const gpu::Work& work, const SampleRequest& request,
                               const gpu::QueueSome& queue, bool hold) {
  if (!start_) start_ = make_event(driver_);
  if (!stop_) stop_ = make_event(driver_);
  if (hold && !gate_->close()) return {};
  const auto start = gpu::Clock::now();
  {
    const gpu::GateGuard guard(*gate_);
    driver_.check(driver_.event_record(start_.get(), stream()), "recording the start event");
    queue(0, request.batch);
    driver_.check(driver_.event_record(stop_.get(), stream()), "recording the stop event");
  }
  if (const CUresult result = driver_.event_synchronize(stop_.get()); result != CUDA_SUCCESS) {
    driver_.check(result, "running " + work.title());
  }
  const double host_ns = gpu::since(start);
  if (hold && !gate_->objection().empty()) return {};
  float milliseconds = 0;
  driver_.check(driver_.event_elapsed_time(&milliseconds, start_.get(), stop_.get()),
                "reading the event times");
  return {static_cast<double>(milliseconds) * 1e6, host_ns, hold};
}

gpu::Eviction Context::eviction() const {
  if (info_.last_level_cache_bytes == 0) {
    throw Failure(FailureKind::unsupported,
                  "cache = \"cold\": the driver does not report the size of the L2 cache");
  }
  return {(gpu::plugin_directory() / "kernels/cuda/evict.cu").string(), 2 * info_.last_level_cache_bytes,
          std::uint64_t{8} * info_.compute_units};
}

std::optional<std::uint64_t> Context::free_memory() const {
  enter();
  std::size_t free = 0;
  std::size_t total = 0;
  if (driver_.mem_get_info(&free, &total) != CUDA_SUCCESS) return std::nullopt;
  return free;
}

std::unique_ptr<Prepared> Context::labelled(std::unique_ptr<Prepared> prepared, const std::string& label) {
  return annotated(std::move(prepared), label);
}

CublasHandle& Context::cublas() {
  if (!cublas_) cublas_.emplace(*this);
  return *cublas_;
}

}  // namespace benchctl::cuda
