#include "library.hpp"

#include <dlfcn.h>

#include <cstdlib>

namespace benchctl::nvml {

namespace {

constexpr const char* variable = "BENCHCTL_NVML_LIBRARY";

std::string file_name() {
  const char* chosen = std::getenv(variable);
  return chosen != nullptr && *chosen != '\0' ? chosen : "libnvidia-ml.so.1";
}

std::string last_error() {
  const char* text = dlerror();
  return text != nullptr ? text : "unknown error";
}

}  // namespace

template <class Signature>
void Library::find(Signature*& function, const char* name) const {
  function = reinterpret_cast<Signature*>(dlsym(handle_, name));
}

Library::Library() {
  const std::string file = file_name();
  // NODELETE, and no dlclose: the driver's library may run code of its own until the process ends.
  handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle_ == nullptr) {
    throw LibraryError("NVML, which comes with the driver, cannot be opened: " + last_error());
  }
  find(init_, "nvmlInit_v2");
  find(shutdown_, "nvmlShutdown");
  find(error_string_, "nvmlErrorString");
  find(device_by_pci, "nvmlDeviceGetHandleByPciBusId_v2");
  find(clock, "nvmlDeviceGetClockInfo");
  find(power, "nvmlDeviceGetPowerUsage");
  find(temperature, "nvmlDeviceGetTemperature");
  // The newer name of the two; older drivers know the other alone.
  find(clock_reasons, "nvmlDeviceGetCurrentClocksEventReasons");
  if (clock_reasons == nullptr) find(clock_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  find(energy, "nvmlDeviceGetTotalEnergyConsumption");
  find(mig_mode, "nvmlDeviceGetMigMode");
  if (init_ == nullptr || device_by_pci == nullptr) {
    throw LibraryError(file +
                       " has no nvmlInit_v2 or nvmlDeviceGetHandleByPciBusId_v2: it is no NVML, or "
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
