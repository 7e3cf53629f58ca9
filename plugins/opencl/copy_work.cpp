#include "copy_work.hpp"

#include "driver/error.hpp"

namespace benchctl::opencl {

void CopyWork::enqueue(std::uint32_t set, const Bracket& bracket) {
  // One command is the first and the last.
  EventHandle event;
  check(api().clEnqueueCopyBuffer(device_.queue.get(), buffers_.get(set, in_), buffers_.get(set, out_), 0,
                                  0, buffers_.spec().buffers[out_].bytes(), bracket.gate == nullptr ? 0 : 1,
                                  bracket.gate == nullptr ? nullptr : &bracket.gate, event.out()),
        "copy a buffer");
  if (bracket.first != nullptr && bracket.last != nullptr) {
    check(api().clRetainEvent(event.get()), "keep an event");
    *bracket.first = EventHandle(event.get());
  }
  EventHandle* const receiver = bracket.last != nullptr ? bracket.last : bracket.first;
  if (receiver != nullptr) *receiver = std::move(event);
}

}  // namespace benchctl::opencl
