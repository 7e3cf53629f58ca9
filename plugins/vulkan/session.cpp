#include "session.hpp"

#include "gpu/extras.hpp"
#include "gpu/session.hpp"

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

class DeviceProblem final : public gpu::SampledProblem<Shared, Buffers, Work> {
 public:
  using SampledProblem::SampledProblem;

 private:
  [[nodiscard]] std::unique_ptr<Work> make_work(const PrepareRequest& request) const override {
    check_values();
    if (request.kernel) {
      gpu::check_extras(*request.kernel, {});
      gpu::refuse_constants(*request.kernel);
      return std::make_unique<KernelWork>(shared_->device, buffers_, *request.kernel);
    }
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
                      " may flush denormals to 0 (it has no shaderDenormPreserveFloat32), and these inputs "
                      "are denormals");
  }
};

}  // namespace

std::unique_ptr<Session> open_session(std::shared_ptr<const Instance> instance, const FoundDevice& device,
                                      const SessionOptions& options) {
  return std::make_unique<gpu::SampledSession<Shared, DeviceProblem>>(
      std::make_shared<Shared>(std::move(instance), device, options));
}

}  // namespace benchctl::vulkan
