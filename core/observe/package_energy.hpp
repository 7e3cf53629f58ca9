// Energy of the processor packages by the kernel's power-capping files, where they can be read.
#pragma once

#include <benchctl/observer.hpp>

#include <filesystem>

namespace benchctl {

/// `energy` of processors: the sum of all packages over a pass, per execution. Cores of other programs and
/// idle power are in it.
class PackageEnergyObserver final : public Observer {
 public:
  /// `powercap`: the folder with the zones; tests bring their own.
  explicit PackageEnergyObserver(std::filesystem::path powercap) : powercap_(std::move(powercap)) {}
  [[nodiscard]] std::span<const ReadingInfo> readings() const override;
  [[nodiscard]] std::unique_ptr<Watch> watch(const DeviceInfo& device,
                                             std::span<const std::string> ids) override;

 private:
  std::filesystem::path powercap_;
};

}  // namespace benchctl
