// The processor of this machine as a backend.
#pragma once

#include <benchctl/backend.hpp>

namespace benchctl::cpu_avx {

class CpuBackend final : public Backend {
 public:
  [[nodiscard]] std::span<const VariantInfo> variants() const override;
  /// Always one device, `0`.
  [[nodiscard]] DeviceList devices() override;
  [[nodiscard]] std::unique_ptr<Session> open(const std::string& device,
                                              const SessionOptions& options) override;
};

}  // namespace benchctl::cpu_avx
