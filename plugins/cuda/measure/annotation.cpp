#include "measure/annotation.hpp"

#include <nvtx3/nvToolsExt.h>

namespace benchctl::cuda {

namespace {

/// A range on the stack of the calling thread.
class Range {
 public:
  Range(nvtxDomainHandle_t domain, const char* name) : domain_(domain) {
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = name;
    nvtxDomainRangePushEx(domain_, &attributes);
  }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
  ~Range() { nvtxDomainRangePop(domain_); }

 private:
  nvtxDomainHandle_t domain_;
};

// Domains live as long as the process: destroying one at its end would call into a profiler's library
// that may be gone by then.
nvtxDomainHandle_t point_domain() {
  static nvtxDomainHandle_t const domain = nvtxDomainCreateA("benchctl");
  return domain;
}

nvtxDomainHandle_t step_domain() {
  static nvtxDomainHandle_t const domain = nvtxDomainCreateA("benchctl.step");
  return domain;
}

class Annotated final : public Prepared {
 public:
  Annotated(std::unique_ptr<Prepared> prepared, std::string label)
      : prepared_(std::move(prepared)), label_(std::move(label)) {}

  [[nodiscard]] Resources resources() const override { return prepared_->resources(); }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return prepared_->notes();
  }
  double run(std::uint32_t set) override {
    const Range point(point_domain(), label_.c_str());
    const Range step(step_domain(), "run");
    return prepared_->run(set);
  }
  void reset_scratch() override { prepared_->reset_scratch(); }
  [[nodiscard]] SampleBlock sample(const SampleRequest& request) override {
    const Range point(point_domain(), label_.c_str());
    const Range step(step_domain(), "sample");
    return prepared_->sample(request);
  }

 private:
  std::unique_ptr<Prepared> prepared_;
  std::string label_;
};

}  // namespace

std::unique_ptr<Prepared> annotated(std::unique_ptr<Prepared> prepared, std::string label) {
  if (label.empty()) return prepared;
  return std::make_unique<Annotated>(std::move(prepared), std::move(label));
}

}  // namespace benchctl::cuda
