// The processor of this machine as a backend.
#pragma once

#include <benchctl/backend.hpp>

namespace benchctl::cpu_avx {

class CpuBackend final : public Backend {
 public:
  CpuBackend();

  [[nodiscard]] std::span<const VariantInfo> variants() const override { return variants_; }
  /// Always one device, `0`.
  [[nodiscard]] DeviceList devices() override;
  [[nodiscard]] std::unique_ptr<Session> open(const std::string& device,
                                              const SessionOptions& options) override;

 private:
  std::vector<VariantInfo> variants_;
};

}  // namespace benchctl::cpu_avx
