#include "observe/package_energy.hpp"

#include "observe/machine_observers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace benchctl {

namespace {

namespace fs = std::filesystem;

/// The counters move about once a millisecond; half a second makes that a matter of a few thousandths.
constexpr double least_seconds = 0.5;
/// Below it, the energy of waiting would be counted as the variant's.
constexpr double least_busy_share = 0.8;

std::uint64_t read_number(const fs::path& file) {
  errno = 0;
  std::ifstream in(file);
  std::uint64_t number = 0;
  if (in >> number) return number;
  throw std::runtime_error(
      fmt::format("{} cannot be read: {}{}", file.string(),
                  errno != 0 ? std::strerror(errno) : "it does not contain a number",
                  errno == EACCES ? "; an administrator may allow it (chmod a+r)" : ""));
}

struct Package {
  fs::path counter;
  std::uint64_t range = 0;  ///< where the counter starts again at 0
  std::uint64_t before = 0;
};

/// Microjoules between two values of a counter that may have started again once.
std::uint64_t difference(std::uint64_t before, std::uint64_t after, std::uint64_t range) {
  return after >= before ? after - before : after + range - before;
}

class PackageEnergyWatch final : public Watch {
 public:
  explicit PackageEnergyWatch(const fs::path& powercap) {
    std::error_code missing;
    for (const auto& zone : fs::directory_iterator(powercap, missing)) {
      std::ifstream file(zone.path() / "name");
      std::string name;
      if (!(file >> name) || !name.starts_with("package-")) continue;
      packages_.push_back({zone.path() / "energy_uj", read_number(zone.path() / "max_energy_range_uj")});
    }
    if (packages_.empty()) {
      throw std::runtime_error(
          fmt::format("{} has no package with an energy counter (a virtual machine, or no driver for it)",
                      powercap.string()));
    }
    for (Package& package : packages_) package.before = read_number(package.counter);
  }

  void begin() override {
    for (Package& package : packages_) package.before = read_number(package.counter);
  }

  void end(const Window& window, Readings& readings) override {
    double joules = 0;
    for (const Package& package : packages_) {
      joules += 1e-6 * static_cast<double>(
                           difference(package.before, read_number(package.counter), package.range));
    }
    if (!window.only_executions) {
      readings.absent["energy"] = "caches are emptied or buffers copied between executions";
    } else if (window.wall_ns < 1e9 * least_seconds) {
      readings.absent["energy"] =
          fmt::format("the pass lasted {:.3g} s, too short for the counter", window.wall_ns * 1e-9);
    } else if (window.busy_share() < least_busy_share) {
      readings.absent["energy"] =
          fmt::format("the variant ran for only {:.0f} % of the pass", 100 * window.busy_share());
    } else {
      readings.values["energy"] = {joules / window.executions};
    }
  }

  [[nodiscard]] double pass_seconds() const override { return least_seconds; }

 private:
  std::vector<Package> packages_;
};

}  // namespace

std::span<const ReadingInfo> PackageEnergyObserver::readings() const {
  static const std::vector<ReadingInfo> table{
      {"energy", "J", "energy of all processor packages per execution, idle power included",
       ReadingKind::pass, ReadingSummary::mean, true}};
  return table;
}

std::unique_ptr<Watch> PackageEnergyObserver::watch(const DeviceInfo& device,
                                                    std::span<const std::string>) {
  if (!is_processor(device)) return nullptr;
  return std::make_unique<PackageEnergyWatch>(powercap_);
}

}  // namespace benchctl
