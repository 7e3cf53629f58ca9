#include "measure/graph_capture.hpp"

namespace benchctl::cuda {

// RELAXED: a library may load a kernel while it is captured; this stream is ours alone.
GraphExec capture_graph(const DriverApi& driver, CUstream stream, const std::function<void()>& enqueue) {
  driver.check(driver.stream_begin_capture(stream, CU_STREAM_CAPTURE_MODE_RELAXED),
               "starting to capture a graph");
  CUgraph raw = nullptr;
  try {
    enqueue();
  } catch (...) {
    // The stream must not stay in capture mode.
    if (driver.stream_end_capture(stream, &raw) == CUDA_SUCCESS && raw != nullptr) {
      static_cast<void>(driver.graph_destroy(raw));
    }
    throw;
  }
  driver.check(driver.stream_end_capture(stream, &raw), "capturing a graph");
  const Graph graph(driver, raw);
  CUgraphExec executable = nullptr;
  driver.check(driver.graph_instantiate(&executable, graph.get(), 0), "instantiating a graph");
  GraphExec owned(driver, executable);
  driver.check(driver.graph_upload(owned.get(), stream), "uploading a graph");
  driver.check(driver.stream_synchronize(stream), "uploading a graph");
  return owned;
}

}  // namespace benchctl::cuda
