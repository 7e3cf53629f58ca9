// Named ranges for profilers (NVTX): what a point launches appears under the point's name.
#pragma once

#include <benchctl/backend.hpp>

#include <memory>
#include <string>

namespace benchctl::cuda {

/// The variant, which opens two ranges around each of its executions: in the domain `benchctl` one with
/// the label, in the domain `benchctl.step` one called `run` (to verify and to warm up) or `sample`. NVTX
/// opens the profiler's library that NVTX_INJECTION64_PATH names; without a profiler a range costs a few
/// nanoseconds, outside of what is timed on the device. Returns the variant itself if the label is empty.
[[nodiscard]] std::unique_ptr<Prepared> annotated(std::unique_ptr<Prepared> prepared, std::string label);

}  // namespace benchctl::cuda
