#include "measure/sampler.hpp"

#include "gpu/sampling.hpp"

#include "driver/error.hpp"
#include "measure/event_times.hpp"

namespace benchctl::opencl {

namespace {

using gpu::Clock;
using gpu::since;

/// Commands that are queued behind a user event. Drivers have a limited number of places, and one that
/// waits for a free place would wait for the gate.
constexpr std::uint64_t max_gated_commands = 32;
/// Commands that are queued behind a running kernel: one that waits for a place waits for no more than its
/// end, but the sample is lost then.
constexpr std::uint64_t max_held_commands = 256;
constexpr const char* late_objection = "commands that were held began before all were queued";
/// A sample whose commands came too late is taken again, and held longer.
constexpr int max_attempts = 5;

}  // namespace

Sampler::Sampler(const OpenDevice& device)
    : device_(device),
      evictor_(device),
      by_kernel_(held_by_kernel(device)),
      hold_(device),
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
  gpu::check_request(request, buffers.sets());
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

std::string Sampler::objection(const Work& work, const SampleRequest& request) {
  if (!gate_objection_.empty()) return gate_objection_;
  if (std::string own = work.gate_objection(); !own.empty()) return own;
  if (work.cannot_be_held) return late_objection;
  if (by_kernel_ && !hold_.usable()) return "the driver has no usable time stamps";
  const std::uint64_t commands = std::uint64_t{work.commands()} * request.batch;
  const std::uint64_t most = by_kernel_ ? max_held_commands : max_gated_commands;
  if (commands > most) {
    return std::to_string(commands) + " commands in a sample, at most " + std::to_string(most) +
           " can be held";
  }
  return {};
}

void Sampler::queue(Work& work, const SampleRequest& request, std::uint32_t index, cl_event gate,
                    EventHandle* first, EventHandle* last) const {
  for (std::uint32_t i = 0; i < request.batch; ++i) {
    Bracket bracket;
    if (i == 0) {
      bracket.gate = gate;
      bracket.first = first;
    }
    if (i + 1 == request.batch) bracket.last = last;
    work.enqueue(set_of(request, std::uint64_t{index} * request.batch + i), bracket);
  }
}

Sampler::DeviceSample Sampler::take_sample(Work& work, const SampleRequest& request, std::uint32_t index,
                                           bool hold) {
  DeviceSample sample;
  EventHandle first;
  EventHandle last;
  prepare_cache(request);
  if (request.hook != nullptr) request.hook->begin();
  const auto start = Clock::now();
  {
    const GateGuard guard(gate_);
    queue(work, request, index, hold ? gate_.close() : nullptr, &first, &last);
    check(api().clFlush(device_.queue.get()), "flush the queue");
    sample.held = hold && gate_.open();
  }
  device_.finish();
  sample.host_ns = since(start);
  if (request.hook != nullptr) request.hook->end();
  sample.device_ns =
      duration_ns(first, last, work.bracketed() ? CL_PROFILING_COMMAND_END : CL_PROFILING_COMMAND_START,
                  work.bracketed() ? CL_PROFILING_COMMAND_START : CL_PROFILING_COMMAND_END);
  return sample;
}

Sampler::DeviceSample Sampler::take_sample_behind_kernel(Work& work, const SampleRequest& request,
                                                         std::uint32_t index) {
  const std::uint64_t commands = std::uint64_t{work.commands()} * request.batch;
  for (int attempt = 0; attempt < max_attempts; ++attempt) {
    DeviceSample sample;
    prepare_cache(request);
    if (request.hook != nullptr) request.hook->begin();
    hold_.start(hold_time_.for_commands(commands));
    EventHandle after;
    const auto start = Clock::now();
    queue(work, request, index, nullptr, nullptr, nullptr);
    check(api().clEnqueueMarkerWithWaitList(device_.queue.get(), 0, nullptr, after.out()),
          "mark the end of a sample");
    check(api().clFlush(device_.queue.get()), "flush the queue");
    sample.held = hold_.running();
    hold_time_.learn(commands, since(start), !sample.held);
    device_.finish();
    sample.host_ns = since(start);
    if (request.hook != nullptr) request.hook->end();
    hold_.learn();
    if (!sample.held) continue;
    // Events of the work's own commands would stand between them: the sample lasts from the end of what
    // holds to the start of what comes after.
    sample.device_ns =
        duration_ns(hold_.event(), after, CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_START);
    return sample;
  }
  return take_sample(work, request, index, false);
}

std::vector<Sampler::DeviceSample> Sampler::take_samples(Work& work, const SampleRequest& request,
                                                         bool hold) {
  std::vector<DeviceSample> samples;
  for (std::uint32_t i = 0; i < request.count; ++i) {
    samples.push_back(hold && by_kernel_ ? take_sample_behind_kernel(work, request, i)
                                         : take_sample(work, request, i, hold));
    if (hold && !samples.back().held) break;
  }
  return samples;
}

SampleBlock Sampler::sample_device(Work& work, const SampleRequest& request) {
  SampleBlock block;
  std::string not_gated = objection(work, request);
  std::vector<DeviceSample> samples;
  if (not_gated.empty()) {
    samples = take_samples(work, request, true);
    if (!samples.empty() && !samples.back().held) {
      // Whatever made the driver wait will make it wait again; behind a closed gate for seconds.
      not_gated = late_objection;
      work.cannot_be_held = true;
      if (!by_kernel_) gate_objection_ = late_objection;
    }
  }
  // One block is of one kind: what was taken before is dropped.
  if (!not_gated.empty()) samples = take_samples(work, request, false);
  block.gated = not_gated.empty();
  if (!block.gated) block.note = "not gated: " + not_gated;
  std::vector<double> host_ns;
  for (const DeviceSample& sample : samples) {
    block.ns.push_back(sample.device_ns / request.batch);
    host_ns.push_back(sample.host_ns / request.batch);
  }
  const bool stamps_usable = std::ranges::all_of(
      samples, [](const DeviceSample& sample) { return gpu::can_be(sample.device_ns, sample.host_ns); });
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
  return gpu::timed_by_host(
      request, [&](std::uint64_t) { prepare_cache(request); },
      [&](std::uint64_t first) {
        for (std::uint32_t execution = 0; execution < request.batch; ++execution) {
          work.enqueue(set_of(request, first + execution), {});
          device_.finish();
        }
      });
}

SampleBlock Sampler::sample_end_to_end(Work& work, const Buffers& buffers, const SampleRequest& request) {
  gpu::check_end_to_end(buffers.spec());
  const std::vector<BufferSpec>& specs = buffers.spec().buffers;
  // What is uploaded is what lies there already, so that the result stays right.
  std::vector<std::vector<std::byte>> host(specs.size());
  for (std::size_t i = 0; i < specs.size(); ++i) {
    host[i].resize(specs[i].bytes());
    if (specs[i].role != BufferRole::out) buffers.enqueue_read(request.set, i, 0, host[i]);
  }
  device_.finish();

  return gpu::timed_by_host(
      request, [&](std::uint64_t) { prepare_cache(request); },
      [&](std::uint64_t) {
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
      });
}

}  // namespace benchctl::opencl
