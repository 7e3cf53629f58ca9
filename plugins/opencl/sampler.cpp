#include "sampler.hpp"

#include "error.hpp"

#include <algorithm>
#include <chrono>

namespace benchctl::opencl {

namespace {

using Clock = std::chrono::steady_clock;

/// Commands that are queued behind a closed gate. Drivers have a limited number of places, and one that
/// waits for a free place would wait for the gate.
constexpr std::uint64_t max_held_commands = 32;

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

cl_ulong stamp(const EventHandle& event, cl_profiling_info which) {
  cl_ulong value = 0;
  const cl_int status = api().clGetEventProfilingInfo(event.get(), which, sizeof value, &value, nullptr);
  return status == CL_SUCCESS ? value : 0;
}

/// Device time between two events; 0 when the driver has no usable stamps for them. `bracketed`: the
/// events are those of commands just before and just after the work.
double between(const EventHandle& first, const EventHandle& last, bool bracketed) {
  const cl_ulong start = stamp(first, bracketed ? CL_PROFILING_COMMAND_END : CL_PROFILING_COMMAND_START);
  const cl_ulong end = stamp(last, bracketed ? CL_PROFILING_COMMAND_START : CL_PROFILING_COMMAND_END);
  return start == 0 || end <= start ? 0.0 : static_cast<double>(end - start);
}

}  // namespace

Sampler::Sampler(const OpenDevice& device)
    : device_(device),
      evictor_(device),
      gate_(device.context.get()),
      gate_objection_(gate_objection(device)) {}

double Sampler::run(Work& work, std::uint32_t set) const {
  const auto start = Clock::now();
  work.enqueue(set, {});
  device_.finish();
  return since(start);
}

SampleBlock Sampler::sample(Work& work, const Buffers& buffers, const SampleRequest& request) {
  if (request.launch == LaunchMode::graph) {
    throw Failure(FailureKind::unsupported, "launch = \"graph\": OpenCL has no graphs; use \"stream\"");
  }
  if (request.batch == 0 || request.sets == 0 || std::max(request.sets, request.set + 1) > buffers.sets()) {
    throw Failure(FailureKind::unsupported, "a sample of " + std::to_string(request.batch) +
                                                " executions on " + std::to_string(request.sets) +
                                                " sets from " + std::to_string(request.set) +
                                                ": there are " + std::to_string(buffers.sets()));
  }
  SampleBlock block;
  switch (request.basis) {
    case Basis::device:
      block = sample_device(work, request);
      break;
    case Basis::host_sync:
      block = sample_host(work, request);
      break;
    case Basis::end_to_end:
      block = sample_end_to_end(work, buffers, request);
      break;
  }
  block.batch = request.batch;
  return block;
}

void Sampler::prepare_cache(const SampleRequest& request) {
  if (request.cache == CacheMode::cold) evictor_.evict();
}

std::string Sampler::objection(const Work& work, const SampleRequest& request) const {
  if (!gate_objection_.empty()) return gate_objection_;
  if (std::string own = work.gate_objection(); !own.empty()) return own;
  const std::uint64_t commands = std::uint64_t{work.commands()} * request.batch;
  if (commands > max_held_commands) {
    return std::to_string(commands) + " commands in a sample, at most " +
           std::to_string(max_held_commands) + " can be held";
  }
  return {};
}

Sampler::DeviceSample Sampler::take_device_sample(Work& work, const SampleRequest& request,
                                                  std::uint32_t index, bool hold) {
  DeviceSample sample;
  EventHandle first;
  EventHandle last;
  prepare_cache(request);
  if (request.hook != nullptr) request.hook->begin();
  const auto start = Clock::now();
  {
    const GateGuard guard(gate_);
    cl_event gate = hold ? gate_.close() : nullptr;
    for (std::uint32_t i = 0; i < request.batch; ++i) {
      Bracket bracket;
      if (i == 0) {
        bracket.gate = gate;
        bracket.first = &first;
      }
      if (i + 1 == request.batch) bracket.last = &last;
      work.enqueue(set_of(request, std::uint64_t{index} * request.batch + i), bracket);
    }
    check(api().clFlush(device_.queue.get()), "flush the queue");
    sample.held = hold && gate_.open();
  }
  device_.finish();
  sample.host_ns = since(start);
  if (request.hook != nullptr) request.hook->end();
  sample.device_ns = between(first, last, work.bracketed());
  return sample;
}

SampleBlock Sampler::sample_device(Work& work, const SampleRequest& request) {
  SampleBlock block;
  std::string not_gated = objection(work, request);
  std::vector<double> host_ns;
  bool stamps_usable = true;
  block.gated = true;
  for (std::uint32_t i = 0; i < request.count; ++i) {
    const DeviceSample sample = take_device_sample(work, request, i, not_gated.empty());
    if (not_gated.empty() && !sample.held) {
      // Whatever made the driver wait will make it wait again.
      gate_objection_ = not_gated = "the driver waits for held commands while it queues others";
    }
    block.gated = block.gated && sample.held;
    // No work takes longer on the device than its host waited for it; the clocks may differ a little.
    stamps_usable = stamps_usable && sample.device_ns > 0 && sample.device_ns < 1.1 * sample.host_ns + 1e6;
    block.ns.push_back(sample.device_ns / request.batch);
    host_ns.push_back(sample.host_ns / request.batch);
  }
  if (!not_gated.empty()) block.note = "not gated: " + not_gated;
  if (stamps_usable) return block;
  if (!work.bracketed()) {
    throw Failure(FailureKind::launch_error,
                  "the driver of " + device_.info.name +
                      " has no usable time stamps for its events; measure with basis = \"host_sync\"");
  }
  block.ns = std::move(host_ns);
  block.gated = false;
  block.note =
      "the driver has no usable time stamps around the work: host clock around queueing and clFinish";
  return block;
}

SampleBlock Sampler::sample_host(Work& work, const SampleRequest& request) {
  SampleBlock block;
  for (std::uint32_t i = 0; i < request.count; ++i) {
    prepare_cache(request);
    if (request.hook != nullptr) request.hook->begin();
    const auto start = Clock::now();
    for (std::uint32_t execution = 0; execution < request.batch; ++execution) {
      work.enqueue(set_of(request, std::uint64_t{i} * request.batch + execution), {});
    }
    device_.finish();
    block.ns.push_back(since(start) / request.batch);
    if (request.hook != nullptr) request.hook->end();
  }
  return block;
}

SampleBlock Sampler::sample_end_to_end(Work& work, const Buffers& buffers, const SampleRequest& request) {
  const std::vector<BufferSpec>& specs = buffers.spec().buffers;
  if (std::ranges::any_of(specs, [](const BufferSpec& spec) { return spec.space != Space::device; })) {
    throw Failure(
        FailureKind::unsupported,
        "basis = \"end_to_end\" copies a problem to the device and back, and parts of this one live "
        "in host memory: use \"device\" or \"host_sync\"");
  }
  // What is uploaded is what lies there already, so that the result stays right.
  std::vector<std::vector<std::byte>> host(specs.size());
  for (std::size_t i = 0; i < specs.size(); ++i) {
    host[i].resize(specs[i].bytes());
    if (specs[i].role != BufferRole::out) buffers.enqueue_read(request.set, i, 0, host[i]);
  }
  device_.finish();

  SampleBlock block;
  for (std::uint32_t sample = 0; sample < request.count; ++sample) {
    prepare_cache(request);
    if (request.hook != nullptr) request.hook->begin();
    const auto start = Clock::now();
    for (std::uint32_t execution = 0; execution < request.batch; ++execution) {
      for (std::size_t i = 0; i < specs.size(); ++i) {
        if (specs[i].role != BufferRole::out) buffers.enqueue_write(request.set, i, 0, host[i]);
      }
      work.enqueue(request.set, {});
      for (std::size_t i = 0; i < specs.size(); ++i) {
        if (specs[i].role != BufferRole::in) buffers.enqueue_read(request.set, i, 0, host[i]);
      }
      device_.finish();
    }
    block.ns.push_back(since(start) / request.batch);
    if (request.hook != nullptr) request.hook->end();
  }
  return block;
}

}  // namespace benchctl::opencl
