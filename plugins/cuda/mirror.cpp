#include "mirror.hpp"

namespace benchctl::cuda {

HostMirror::HostMirror(const DriverApi& driver, CUstream stream, const ProblemSpec& spec)
    : driver_(driver), stream_(stream) {
  for (std::size_t i = 0; i < spec.buffers.size(); ++i) {
    const BufferSpec& buffer = spec.buffers[i];
    const std::uint64_t bytes = buffer.bytes();
    if (bytes == 0) continue;
    const std::string what = "the host's copy of " + buffer.name;
    if (buffer.role != BufferRole::out) inputs_.push_back({i, bytes, allocate_pinned(driver, bytes, what)});
    if (buffer.role != BufferRole::in) outputs_.push_back({i, bytes, allocate_pinned(driver, bytes, what)});
  }
}

void HostMirror::attach(const std::vector<CUdeviceptr>& addresses) {
  if (attached_ == addresses) return;
  attached_.clear();
  for (const Slot& slot : inputs_) {
    driver_.check(driver_.memcpy_dtoh_async(slot.memory.get(), addresses[slot.buffer], slot.bytes, stream_),
                  "copying inputs to the host");
  }
  driver_.check(driver_.stream_synchronize(stream_), "copying inputs to the host");
  attached_ = addresses;
}

void HostMirror::enqueue_upload() const {
  for (const Slot& slot : inputs_) {
    driver_.check(driver_.memcpy_htod_async(attached_[slot.buffer], slot.memory.get(), slot.bytes, stream_),
                  "uploading inputs");
  }
}

void HostMirror::enqueue_download() const {
  for (const Slot& slot : outputs_) {
    driver_.check(driver_.memcpy_dtoh_async(slot.memory.get(), attached_[slot.buffer], slot.bytes, stream_),
                  "downloading outputs");
  }
}

}  // namespace benchctl::cuda
