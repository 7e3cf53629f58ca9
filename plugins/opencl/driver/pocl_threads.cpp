#include "driver/pocl_threads.hpp"

#include <sched.h>
#include <unistd.h>

#include <cstdlib>

namespace benchctl::opencl {

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

}  // namespace benchctl::opencl
