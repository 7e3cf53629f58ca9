#include "session.hpp"

#include "kernel_work.hpp"
#include "measure/sampler.hpp"
#include "table.hpp"

namespace benchctl::vulkan {

namespace {

/// What the objects of a session share; it lives as long as the last of them.
struct Shared {
  Shared(std::shared_ptr<const Instance> instance, const FoundDevice& found, const SessionOptions& options)
      : device(std::move(instance), found, options), sampler(device) {}

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
    buffers_.write(set, buffer, offset, bytes);
  }
  void read(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
            std::span<std::byte> bytes) const override {
    buffers_.read(set, buffer, offset, bytes);
  }
  void fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
            std::byte value) override {
    buffers_.fill(set, buffer, offset, bytes, value);
  }
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const PrepareRequest& request) override {
    return std::make_unique<DevicePrepared>(shared_, buffers_, make_work(request));
  }

 private:
  [[nodiscard]] std::unique_ptr<Work> make_work(const PrepareRequest& request) const {
    check_values();
    if (request.kernel) return std::make_unique<KernelWork>(shared_->device, buffers_, *request.kernel);
    if (const MakeNative make = Table::instance().native(*request.variant)) return make(buffers_);
    throw Failure(FailureKind::unsupported, "the Vulkan plugin has no variant " +
                                                request.variant->workload + "/" + request.variant->name);
  }

  /// Denormals that become 0 are the driver's right where it does not promise otherwise, and no fault of a
  /// variant.
  void check_values() const {
    const Parameters& parameters = buffers_.spec().parameters;
    const auto is = [&](const char* name, const std::string& word) {
      const auto found = parameters.find(name);
      return found != parameters.end() && found->second == Value(word);
    };
    if (!is("values", "denormal") || is("dtype", "f64")) return;
    if (shared_->device.query().float_controls().shaderDenormPreserveFloat32 != VK_FALSE) return;
    throw Failure(FailureKind::unsupported,
                  "the driver of " + shared_->device.info().name +
                      " may take denormals for 0 (it has no shaderDenormPreserveFloat32), and these inputs "
                      "are denormals");
  }

  std::shared_ptr<Shared> shared_;
  Buffers buffers_;
};

class DeviceSession final : public Session {
 public:
  DeviceSession(std::shared_ptr<const Instance> instance, const FoundDevice& device,
                const SessionOptions& options)
      : shared_(std::make_shared<Shared>(std::move(instance), device, options)) {}

  [[nodiscard]] std::unique_ptr<Problem> create_problem(const ProblemRequest& request) override {
    return std::make_unique<DeviceProblem>(shared_, request);
  }

 private:
  std::shared_ptr<Shared> shared_;
};

}  // namespace

std::unique_ptr<Session> open_session(std::shared_ptr<const Instance> instance, const FoundDevice& device,
                                      const SessionOptions& options) {
  return std::make_unique<DeviceSession>(std::move(instance), device, options);
}

}  // namespace benchctl::vulkan
