// What PoCL is asked by environment variables, before the first call of the OpenCL loader, from one thread.
#pragma once

namespace benchctl::opencl {

/// Asks PoCL, by the environment variable POCL_AFFINITY, to bind each of its threads to a processor. Left
/// to the system, two of them often share one for as long as a kernel of a millisecond takes, and times
/// fall into two groups a factor of two apart. Does nothing where the user has set the variable, or where
/// this process may not use processors 0 … n - 1, all of them: PoCL counts from 0 and ends the process when
/// it cannot bind.
void bind_pocl_threads();

/// PoCL has no device where it can make no folder for its kernels (a user without a home, a home that
/// cannot be written). Then POCL_CACHE_DIR names `benchctl-pocl-UID` in the temporary folder, if that is
/// this user's alone. Does nothing where the user has set the variable.
void give_pocl_a_cache();

}  // namespace benchctl::opencl
