#include "vendor/clblast.hpp"

#include <benchctl/shared_library.hpp>

#include "driver/error.hpp"
#include "gpu/self_path.hpp"

#define BENCHCTL_TEXT_OF(x) #x
#define BENCHCTL_TEXT(x) BENCHCTL_TEXT_OF(x)

namespace benchctl::opencl {

namespace {

namespace fs = std::filesystem;

constexpr const char* library_name = "libclblast.so.1";
constexpr const char* header_version = BENCHCTL_TEXT(CLBLAST_VERSION_MAJOR) "." BENCHCTL_TEXT(
    CLBLAST_VERSION_MINOR) "." BENCHCTL_TEXT(CLBLAST_VERSION_PATCH);

/// Has anybody asked for the library yet?
bool opened = false;

ClBlast load() {
  ClBlast library;
  const fs::path bundled = (gpu::plugin_directory() / "../.." / library_name).lexically_normal();
  try {
    const SharedLibrary clblast("CLBlast", {bundled.string(), library_name});
    clblast.bind(library.sgemm, "CLBlastSgemm");
    clblast.bind(library.dgemm, "CLBlastDgemm");
    clblast.bind(library.ssum, "CLBlastSsum");
    clblast.bind(library.dsum, "CLBlastDsum");
    clblast.bind(library.snrm2, "CLBlastSnrm2");
    clblast.bind(library.dnrm2, "CLBlastDnrm2");
    clblast.bind(library.sdot, "CLBlastSdot");
    clblast.bind(library.ddot, "CLBlastDdot");
    clblast.bind(library.somatcopy, "CLBlastSomatcopy");
    clblast.bind(library.domatcopy, "CLBlastDomatcopy");
    clblast.bind(library.clear_cache, "CLBlastClearCache");
    // The library tells its version in its file name only: libclblast.so.1.5.3.
    std::error_code error;
    const fs::path file =
        fs::canonical(gpu::library_of(reinterpret_cast<const void*>(library.sgemm)), error);
    library.description =
        std::string("CLBlast, header ") + header_version + ", library " + file.filename().string();
  } catch (const LibraryError& error) {
    library.missing =
        std::string(error.what()) + "; install it, on Debian and Ubuntu the package libclblast1";
  }
  return library;
}

FailureKind kind_of(CLBlastStatusCode status) {
  switch (status) {
    case CLBlastTempBufferAllocFailure:
    case CLBlastOpenCLOutOfHostMemory:
      return FailureKind::out_of_memory;
    case CLBlastOpenCLBuildProgramFailure:
      return FailureKind::compile_error;
    case CLBlastNoDoublePrecision:
    case CLBlastInvalidLocalMemUsage:
    case CLBlastOpenCLCompilerNotAvailable:
      return FailureKind::unsupported;
    default:
      return FailureKind::launch_error;
  }
}

}  // namespace

const ClBlast& clblast() {
  static const ClBlast library = load();
  opened = true;
  return library;
}

void clear_clblast() {
  if (opened && clblast().missing.empty()) clblast().clear_cache();
}

void check_clblast(CLBlastStatusCode status, const std::string& doing) {
  if (status == CLBlastSuccess) return;
  // Codes above -1000 are OpenCL's own.
  const std::string name = status > -1000 ? error_name(status) : "its status " + std::to_string(status);
  throw Failure(kind_of(status), "CLBlast cannot " + doing + ": " + name);
}

}  // namespace benchctl::opencl
