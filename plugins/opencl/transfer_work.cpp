#include "transfer_work.hpp"

#include "driver/error.hpp"

#include <algorithm>

namespace benchctl::opencl {

TransferWork::TransferWork(const OpenDevice& device, const Buffers& buffers)
    : device_(device), buffers_(buffers) {
  const ProblemSpec& spec = buffers.spec();
  const auto upload = spec.buffer_index("host_source");
  const auto download = spec.buffer_index("device_source");
  upload_ = upload.has_value();
  const auto source = upload_ ? upload : download;
  const auto target = spec.buffer_index(upload_ ? "device_target" : "host_target");
  if (!source || !target || (upload && download)) {
    throw Failure(FailureKind::unsupported, "one copy between host and device is made, in one direction");
  }
  source_ = *source;
  target_ = *target;
  bytes_ = std::min(spec.buffers[source_].bytes(), spec.buffers[target_].bytes());
}

std::string TransferWork::gate_objection() const {
  const Space space = buffers_.spec().buffers[upload_ ? source_ : target_].space;
  if (space != Space::host_pageable) return {};
  return "the driver may wait for a copy of pageable memory while it queues it";
}

void TransferWork::enqueue(std::uint32_t set, const Bracket& bracket) {
  const cl_uint waits = bracket.gate == nullptr ? 0 : 1;
  const cl_event* gate = bracket.gate == nullptr ? nullptr : &bracket.gate;
  EventHandle* receiver = bracket.first != nullptr ? bracket.first : bracket.last;
  cl_event* event = receiver == nullptr ? nullptr : receiver->out();
  cl_command_queue queue = device_.queue.get();
  if (upload_) {
    check(api().clEnqueueWriteBuffer(queue, buffers_.get(set, target_), CL_FALSE, 0, bytes_,
                                     buffers_.host(set, source_), waits, gate, event),
          "copy to the device");
  } else {
    check(api().clEnqueueReadBuffer(queue, buffers_.get(set, source_), CL_FALSE, 0, bytes_,
                                    buffers_.host(set, target_), waits, gate, event),
          "copy from the device");
  }
  if (bracket.last != nullptr && receiver != bracket.last) {
    check(api().clRetainEvent(receiver->get()), "keep an event");
    *bracket.last = EventHandle(receiver->get());
  }
}

}  // namespace benchctl::opencl
