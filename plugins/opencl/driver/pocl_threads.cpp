#include "driver/pocl_threads.hpp"

#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace benchctl::opencl {

namespace fs = std::filesystem;

namespace {

/// Empty if it is not set.
fs::path folder_in(const char* variable) {
  const char* text = std::getenv(variable);
  return text != nullptr ? text : "";
}

/// Is the folder there, or may this process make it, in a folder that it may write to?
bool can_have(fs::path folder) {
  std::error_code ignored;
  while (folder.has_relative_path() && !fs::exists(folder, ignored)) folder = folder.parent_path();
  return fs::is_directory(folder, ignored) && access(folder.c_str(), W_OK | X_OK) == 0;
}

}  // namespace

void bind_pocl_threads() {
  const long processors = sysconf(_SC_NPROCESSORS_CONF);
  cpu_set_t allowed;
  if (processors < 1 || processors > CPU_SETSIZE || sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return;
  for (long cpu = 0; cpu < processors; ++cpu) {
    if (!CPU_ISSET(static_cast<std::size_t>(cpu), &allowed)) return;
  }
  setenv("POCL_AFFINITY", "1", 0);
}

void give_pocl_a_cache() {
  if (std::getenv("POCL_CACHE_DIR") != nullptr) return;
  // As PoCL looks for it (lib/CL/pocl_cache.c).
  const fs::path home = folder_in("HOME");
  const fs::path caches = folder_in("XDG_CACHE_HOME");
  if (!caches.empty() ? can_have(caches / "pocl/kcache")
                      : !home.empty() && can_have(home / ".cache/pocl/kcache"))
    return;
  const fs::path temporary = folder_in("TMPDIR");
  const fs::path own =
      (temporary.empty() ? fs::path("/tmp") : temporary) / ("benchctl-pocl-" + std::to_string(geteuid()));
  mkdir(own.c_str(), S_IRWXU);
  // In a folder of somebody else's they could put kernels of theirs.
  struct stat state {};
  if (lstat(own.c_str(), &state) == 0 && S_ISDIR(state.st_mode) && state.st_uid == geteuid() &&
      (state.st_mode & (S_IRWXG | S_IRWXO)) == 0)
    setenv("POCL_CACHE_DIR", own.c_str(), 0);
}

}  // namespace benchctl::opencl
