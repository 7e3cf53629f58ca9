// Stands in for a profiler: NVTX loads this library because NVTX_INJECTION64_PATH names it, and it appends
// what it is told to the file that BENCHCTL_PROFILER_LOG names.
#include <nvtx3/nvToolsExt.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace {

void log(const std::string& line) {
  if (const char* file = std::getenv("BENCHCTL_PROFILER_LOG"))
    std::ofstream(file, std::ios::app) << line << '\n';
}

struct Domain {
  std::string name;
};

nvtxDomainHandle_t NVTX_API create_domain(const char* name) {
  return reinterpret_cast<nvtxDomainHandle_t>(new Domain{name});  // domains are never destroyed
}

const std::string& name_of(nvtxDomainHandle_t domain) { return reinterpret_cast<Domain*>(domain)->name; }

int NVTX_API push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  log("push " + name_of(domain) + ": " + attributes->message.ascii);
  return 0;
}

int NVTX_API pop(nvtxDomainHandle_t domain) {
  log("pop " + name_of(domain));
  return 0;
}

template <class Function>
void install(NvtxFunctionTable table, unsigned size, unsigned id, Function function) {
  if (id < size) *table[id] = reinterpret_cast<NvtxFunctionPointer>(function);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    NvtxGetExportTableFunc_t get_table) {
  const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(get_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) == 0) {
    return 0;
  }
  install(table, size, NVTX_CBID_CORE2_DomainCreateA, &create_domain);
  install(table, size, NVTX_CBID_CORE2_DomainRangePushEx, &push);
  install(table, size, NVTX_CBID_CORE2_DomainRangePop, &pop);
  return 1;
}
