#include "counters/cupti_api.hpp"

#include "driver/toolkit.hpp"

#include <cstdlib>

namespace benchctl::cuda {

namespace {

/// The toolkit keeps CUPTI in a folder of its own as well.
std::vector<std::string> candidates() {
  std::vector<std::string> files = toolkit_candidates("libcupti");
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* folder = std::getenv(variable);
    if (folder != nullptr && *folder != '\0') {
      files.push_back(std::string(folder) + "/extras/CUPTI/lib64/libcupti.so");
    }
  }
  files.emplace_back("/usr/local/cuda/extras/CUPTI/lib64/libcupti.so");
  return files;
}

}  // namespace

CuptiApi::CuptiApi() {
  try {
    const SharedLibrary library("CUPTI", candidates());
#define BENCHCTL_CUDA_BIND(member, symbol) library.bind(member, #symbol);
    BENCHCTL_CUDA_CUPTI_FUNCTIONS(BENCHCTL_CUDA_BIND)
#undef BENCHCTL_CUDA_BIND
  } catch (const LibraryError& error) {
    throw CounterError(std::string("counters are read through CUPTI of CUDA 12.6 or newer: ") +
                       error.what());
  }
}

void CuptiApi::check(CUptiResult result, const std::string& doing) const {
  if (result == CUPTI_SUCCESS) return;
  if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ||
      result == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES) {
    throw CounterError(
        "the driver does not let users read its counters (ERR_NVGPUCTRPERM): run as root, or have the "
        "administrator load it with NVreg_RestrictProfilingToAdminUsers=0");
  }
  const char* text = nullptr;
  if (get_result_string(result, &text) != CUPTI_SUCCESS || text == nullptr) text = "unknown error";
  throw CounterError(doing + " failed: " + text + " (CUPTI " + std::to_string(static_cast<int>(result)) +
                     ")");
}

}  // namespace benchctl::cuda
