#include "prepared_transfer.hpp"

#include <algorithm>

namespace benchctl::cuda {

PreparedTransfer::PreparedTransfer(DeviceProblem& problem)
    : PreparedExecution(problem),
      upload_(find_copy("host_source", "device_target")),
      download_(find_copy("device_source", "host_target")) {
  if (!upload_ && !download_) {
    throw Failure(FailureKind::unsupported, "workload '" + problem.spec().workload +
                                                "' has no buffers to copy between host and device");
  }
  if (upload_ && download_) {
    second_ = make_stream(context().driver());
    fork_ = make_order_event(context().driver());
    join_ = make_order_event(context().driver());
  }
}

PreparedTransfer::~PreparedTransfer() { context().make_current_quietly(); }

std::optional<PreparedTransfer::Copy> PreparedTransfer::find_copy(const char* source,
                                                                  const char* target) const {
  const ProblemSpec& spec = problem().spec();
  const auto from = spec.buffer_index(source);
  const auto to = spec.buffer_index(target);
  if (!from || !to) return std::nullopt;
  return Copy{*from, *to, std::min(spec.buffers[*from].bytes(), spec.buffers[*to].bytes())};
}

bool PreparedTransfer::pageable() const {
  return std::ranges::any_of(problem().spec().buffers,
                             [](const BufferSpec& buffer) { return buffer.space == Space::host_pageable; });
}

std::string PreparedTransfer::own_gate_objection() const {
  if (!pageable()) return {};
  return "the driver may wait for a copy of pageable memory while it queues it";
}

SampleBlock PreparedTransfer::sample(const SampleRequest& request) {
  if (request.launch == LaunchMode::graph && pageable()) {
    throw Failure(
        FailureKind::unsupported,
        "launch = \"graph\": copies of pageable memory pass through the driver's own buffers on the host "
        "and are not captured here; use \"stream\"");
  }
  return PreparedExecution::sample(request);
}

void PreparedTransfer::enqueue_upload(std::uint32_t set) const {
  const DriverApi& driver = context().driver();
  driver.check(driver.memcpy_htod_async(problem().address(set, upload_->target),
                                        problem().host_address(set, upload_->source), upload_->bytes,
                                        context().stream()),
               "copying to the device");
}

void PreparedTransfer::enqueue_download(std::uint32_t set, CUstream stream) const {
  const DriverApi& driver = context().driver();
  driver.check(
      driver.memcpy_dtoh_async(problem().host_address(set, download_->target),
                               problem().address(set, download_->source), download_->bytes, stream),
      "copying from the device");
}

void PreparedTransfer::enqueue(std::uint32_t set) {
  const DriverApi& driver = context().driver();
  CUstream main = context().stream();
  if (!download_) return enqueue_upload(set);
  if (!upload_) return enqueue_download(set, main);
  driver.check(driver.event_record(fork_.get(), main), "recording an event");
  driver.check(driver.stream_wait_event(second_.get(), fork_.get(), CU_EVENT_WAIT_DEFAULT),
               "making a stream wait for another");
  enqueue_upload(set);
  enqueue_download(set, second_.get());
  driver.check(driver.event_record(join_.get(), second_.get()), "recording an event");
  driver.check(driver.stream_wait_event(main, join_.get(), CU_EVENT_WAIT_DEFAULT),
               "making a stream wait for another");
}

}  // namespace benchctl::cuda
