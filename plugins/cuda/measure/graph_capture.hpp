// Records what is put into a stream as a CUDA graph.
#pragma once

#include "driver/handles.hpp"

#include <functional>

namespace benchctl::cuda {

/// Captures everything that `enqueue` puts into `stream`, and uploads the graph, so that its first launch
/// is as quick as any other. Nothing runs. Throws what `enqueue` throws, and Failure(launch_error).
[[nodiscard]] GraphExec capture_graph(const DriverApi& driver, CUstream stream,
                                      const std::function<void()>& enqueue);

}  // namespace benchctl::cuda
