#include "library.hpp"

#include <cstdlib>

namespace benchctl::nvml {

namespace {

constexpr const char* variable = "BENCHCTL_NVML_LIBRARY";

std::string file_name() {
  const char* chosen = std::getenv(variable);
  return chosen != nullptr && *chosen != '\0' ? chosen : "libnvidia-ml.so.1";
}

}  // namespace

Library::Library() {
  const std::string file = file_name();
  const SharedLibrary nvml("NVML, which comes with the driver,", {file});
  nvml.find(init_, "nvmlInit_v2");
  nvml.find(shutdown_, "nvmlShutdown");
  nvml.find(error_string_, "nvmlErrorString");
  nvml.find(device_by_pci, "nvmlDeviceGetHandleByPciBusId_v2");
  nvml.find(clock, "nvmlDeviceGetClockInfo");
  nvml.find(power, "nvmlDeviceGetPowerUsage");
  nvml.find(fields, "nvmlDeviceGetFieldValues");
  nvml.find(architecture, "nvmlDeviceGetArchitecture");
  nvml.find(temperature, "nvmlDeviceGetTemperature");
  // The newer name of the two; older drivers know the other alone.
  if (!nvml.find(clock_reasons, "nvmlDeviceGetCurrentClocksEventReasons")) {
    nvml.find(clock_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  }
  nvml.find(energy, "nvmlDeviceGetTotalEnergyConsumption");
  nvml.find(mig_mode, "nvmlDeviceGetMigMode");
  if (init_ == nullptr || device_by_pci == nullptr) {
    throw LibraryError(file +
                       " has no nvmlInit_v2 or nvmlDeviceGetHandleByPciBusId_v2: it is not NVML, or "
                       "one older than this plugin understands");
  }
  if (const Code code = init_(); code != success) {
    throw LibraryError("NVML does not start: " + text(code));
  }
}

Library::~Library() {
  if (shutdown_ != nullptr) shutdown_();
}

std::string Library::text(Code code) const {
  const char* words = error_string_ != nullptr ? error_string_(code) : nullptr;
  return (words != nullptr ? std::string(words) : std::string("error")) + " (NVML " + std::to_string(code) +
         ")";
}

}  // namespace benchctl::nvml
