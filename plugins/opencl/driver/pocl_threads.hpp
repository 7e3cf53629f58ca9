// PoCL's threads, one to a processor.
#pragma once

namespace benchctl::opencl {

/// Asks PoCL, by the environment variable POCL_AFFINITY, to bind each of its threads to a processor. Left
/// to the system, two of them often share one for as long as a kernel of a millisecond takes, and times
/// fall into two groups a factor of two apart. Does nothing where the user has set the variable, or where
/// this process may not use processors 0 … n - 1, all of them: PoCL counts from 0 and ends the process when
/// it cannot bind. To be called before the first call of the OpenCL loader, from one thread.
void bind_pocl_threads();

}  // namespace benchctl::opencl
