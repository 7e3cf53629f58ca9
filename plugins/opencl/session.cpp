#include "session.hpp"

#include "gpu/extras.hpp"
#include "gpu/session.hpp"

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

class DeviceProblem final : public gpu::SampledProblem<Shared, Buffers, Work> {
 public:
  using SampledProblem::SampledProblem;

 private:
  [[nodiscard]] std::unique_ptr<Work> make_work(const PrepareRequest& request) const override {
    if (request.kernel) {
      gpu::check_extras(*request.kernel, {});
      gpu::refuse_constants(*request.kernel);
      return std::make_unique<KernelWork>(shared_->device, buffers_, *request.kernel);
    }
    if (const MakeNative make = Table::instance().native(*request.variant)) {
      return make(shared_->device, buffers_, request);
    }
    throw Failure(FailureKind::unsupported, "this build of the OpenCL plugin has no variant " +
                                                request.variant->workload + "/" + request.variant->name);
  }
};

}  // namespace

std::unique_ptr<Session> open_session(const FoundDevice& device, const SessionOptions& options) {
  return std::make_unique<gpu::SampledSession<Shared, DeviceProblem>>(
      std::make_shared<Shared>(device, options));
}

}  // namespace benchctl::opencl
