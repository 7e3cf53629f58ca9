// transfer/memcpy: the driver's copies between host and device.
#pragma once

#include "measure/execution.hpp"

#include <optional>

namespace benchctl::cuda {

/// Copies to the device go through the main stream; copies from it too, unless both are wanted at once:
/// then a second stream starts when the main one gets there, and the main one waits for it at the end, so
/// that events of the main stream bracket both.
class PreparedTransfer final : public PreparedExecution {
 public:
  /// Throws Failure(unsupported) for a problem without copies.
  explicit PreparedTransfer(DeviceProblem& problem);
  ~PreparedTransfer() override;

  [[nodiscard]] Resources resources() const override { return {}; }
  [[nodiscard]] SampleBlock sample(const SampleRequest& request) override;

 protected:
  void enqueue(std::uint32_t set) override;
  [[nodiscard]] std::uint32_t operations() const override { return 5; }
  [[nodiscard]] std::string own_gate_objection() const override;
  [[nodiscard]] std::string title() const override { return "copies between host and device"; }

 private:
  struct Copy {
    std::size_t source;
    std::size_t target;
    std::uint64_t bytes;
  };

  [[nodiscard]] std::optional<Copy> find_copy(const char* source, const char* target) const;
  [[nodiscard]] bool pageable() const;
  void enqueue_upload(std::uint32_t set) const;
  void enqueue_download(std::uint32_t set, CUstream stream) const;

  std::optional<Copy> upload_;
  std::optional<Copy> download_;
  Stream second_;
  Event fork_;
  Event join_;
};

}  // namespace benchctl::cuda
