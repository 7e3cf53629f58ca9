#include "session.hpp"

#include "kernel_work.hpp"
#include "measure/sampler.hpp"
#include "table.hpp"

#ifdef BENCHCTL_OPENCL_CLBLAST
#include "vendor/clblast.hpp"
#endif

namespace benchctl::opencl {

namespace {

/// What the objects of a session share; it lives as long as the last of them.
struct Shared {
  Shared(const FoundDevice& found, const SessionOptions& options)
      : device(found, options), sampler(device) {}
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() {
#ifdef BENCHCTL_OPENCL_CLBLAST
    clear_clblast();  // it keeps programs of the context
#endif
  }

  OpenDevice device;
  Sampler sampler;
};

class DevicePrepared final : public Prepared {
 public:
  DevicePrepared(std::shared_ptr<Shared> shared, const Buffers& buffers, std::unique_ptr<Work> work)
      : shared_(std::move(shared)), buffers_(buffers), work_(std::move(work)) {}

  [[nodiscard]] Resources resources() const override { return work_->resources(); }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return work_->notes();
  }
  double run(std::uint32_t set) override { return shared_->sampler.run(*work_, set); }
  void reset_scratch() override { work_->reset_scratch(); }
  [[nodiscard]] SampleBlock sample(const SampleRequest& request) override {
    return shared_->sampler.sample(*work_, buffers_, request);
  }

 private:
  std::shared_ptr<Shared> shared_;
  const Buffers& buffers_;
  std::unique_ptr<Work> work_;
};

class DeviceProblem final : public Problem {
 public:
  DeviceProblem(std::shared_ptr<Shared> shared, const ProblemRequest& request)
      : shared_(std::move(shared)), buffers_(shared_->device, request) {}

  void write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
             std::span<const std::byte> bytes) override {
    buffers_.enqueue_write(set, buffer, offset, bytes);
    shared_->device.finish();
  }
  void read(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
            std::span<std::byte> bytes) const override {
    buffers_.enqueue_read(set, buffer, offset, bytes);
    shared_->device.finish();
  }
  void fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
            std::byte value) override {
    buffers_.enqueue_fill(set, buffer, offset, bytes, value);
    shared_->device.finish();
  }
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const PrepareRequest& request) override {
    return std::make_unique<DevicePrepared>(shared_, buffers_, make_work(request));
  }

 private:
  [[nodiscard]] std::unique_ptr<Work> make_work(const PrepareRequest& request) const {
    if (request.kernel) return std::make_unique<KernelWork>(shared_->device, buffers_, *request.kernel);
    if (const MakeNative make = Table::instance().native(*request.variant)) {
      return make(shared_->device, buffers_, request);
    }
    throw Failure(FailureKind::unsupported, "this build of the OpenCL plugin has no variant " +
                                                request.variant->workload + "/" + request.variant->name);
  }

  std::shared_ptr<Shared> shared_;
  Buffers buffers_;
};

class DeviceSession final : public Session {
 public:
  DeviceSession(const FoundDevice& device, const SessionOptions& options)
      : shared_(std::make_shared<Shared>(device, options)) {}

  [[nodiscard]] std::unique_ptr<Problem> create_problem(const ProblemRequest& request) override {
    return std::make_unique<DeviceProblem>(shared_, request);
  }

 private:
  std::shared_ptr<Shared> shared_;
};

}  // namespace

std::unique_ptr<Session> open_session(const FoundDevice& device, const SessionOptions& options) {
  return std::make_unique<DeviceSession>(device, options);
}

}  // namespace benchctl::opencl
