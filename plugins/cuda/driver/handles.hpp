// One RAII class per driver object. All need the device's context to be current, and none may outlive the
// Context (context.hpp) that it was made in.
#pragma once

#include "driver/driver_api.hpp"
#include "gpu/handle.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace benchctl::cuda {

template <class T, auto Release>
using Owned = gpu::Handle<DriverApi, T, Release>;

using Stream = Owned<CUstream, &DriverApi::stream_destroy>;
using Event = Owned<CUevent, &DriverApi::event_destroy>;
using Module = Owned<CUmodule, &DriverApi::module_unload>;
using Graph = Owned<CUgraph, &DriverApi::graph_destroy>;
using GraphExec = Owned<CUgraphExec, &DriverApi::graph_exec_destroy>;
using DeviceMemory = Owned<CUdeviceptr, &DriverApi::mem_free>;
using PinnedMemory = Owned<void*, &DriverApi::mem_free_host>;

/// A stream that does not wait for the legacy default stream.
[[nodiscard]] Stream make_stream(const DriverApi& driver);
/// An event that takes the time; with CU_EVENT_DISABLE_TIMING one that only orders streams.
[[nodiscard]] Event make_event(const DriverApi& driver, unsigned flags = CU_EVENT_DEFAULT);
/// Throws Failure(unsupported) when the code is for another architecture or from a newer toolkit than the
/// driver knows.
[[nodiscard]] Module load_module(const DriverApi& driver, const std::vector<char>& cubin);
/// At least one byte. Throws Failure(out_of_memory) with the bytes asked for and free.
[[nodiscard]] DeviceMemory allocate(const DriverApi& driver, std::uint64_t bytes, const std::string& what);
/// Host memory that the device reaches directly, at least one byte.
[[nodiscard]] PinnedMemory allocate_pinned(const DriverApi& driver, std::uint64_t bytes,
                                           const std::string& what);

}  // namespace benchctl::cuda
