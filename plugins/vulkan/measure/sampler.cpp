#include "measure/sampler.hpp"

#include "gpu/sampling.hpp"

#include "driver/device_info.hpp"
#include "driver/error.hpp"

#include <cmath>

namespace benchctl::vulkan {

namespace {

using gpu::Clock;
using gpu::since;

/// Clocks that differ by more are not both right; crystals differ by less than a thousandth of it.
constexpr double most_drift = 0.01;

}  // namespace

Sampler::Sampler(const OpenDevice& device)
    : device_(device), evictor_(device), opened_(device.read_clocks()) {
  if (device_.timestamp_bits() == 0) return;
  const VkQueryPoolCreateInfo create{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                     .pNext = nullptr,
                                     .flags = 0,
                                     .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                     .queryCount = 2,
                                     .pipelineStatistics = 0};
  VkQueryPool pool = VK_NULL_HANDLE;
  check(device_.api().vkCreateQueryPool(device_.device().get(), &create, nullptr, &pool),
        "make room for time stamps");
  stamps_ = QueryPoolHandle(device_.device(), pool);
}

double Sampler::run(const Work& work, std::uint32_t set) const {
  const auto start = Clock::now();
  Commands commands(device_);
  work.record(commands, set);
  commands.end();
  device_.submit(commands);
  return since(start);
}

SampleBlock Sampler::sample(const Work& work, const Buffers& buffers, const SampleRequest& request) {
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

void Sampler::record(Commands& commands, const Work& work, const SampleRequest& request,
                     std::uint64_t first) const {
  for (std::uint32_t i = 0; i < request.batch; ++i) {
    if (i > 0) commands.barrier();
    work.record(commands, set_of(request, first + i));
  }
}

double Sampler::stamped_ns() const {
  std::array<std::uint64_t, 2> stamps{};
  check(device_.api().vkGetQueryPoolResults(device_.device().get(), stamps_.get(), 0, 2, sizeof stamps,
                                            stamps.data(), sizeof stamps[0],
                                            VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "read time stamps");
  return between_stamps(stamps[0], stamps[1], device_.timestamp_bits(), tick_ns(device_.query()));
}

void Sampler::check_clock() {
  if (!opened_) return;
  const std::optional<double> rate = clock_rate(*opened_, device_.read_clocks().value(),
                                                device_.timestamp_bits(), tick_ns(device_.query()));
  if (!rate) return;
  if (std::abs(*rate - 1) > most_drift) {
    throw Failure(FailureKind::unsupported, "the time stamps of " + device_.info().name + " count " +
                                                std::to_string(*rate) +
                                                " ns in one of the host's clock; measure with basis = "
                                                "\"host_sync\"");
  }
  opened_.reset();
}

SampleBlock Sampler::sample_device(const Work& work, const SampleRequest& request) {
  const std::string unusable = "the driver of " + device_.info().name +
                               " has no usable time stamps; measure with basis = \"host_sync\"";
  if (!stamps_) throw Failure(FailureKind::unsupported, unusable);
  check_clock();
  const DeviceApi& api = device_.api();
  SampleBlock block;
  block.gated = true;
  for (std::uint32_t i = 0; i < request.count; ++i) {
    prepare_cache(request);
    Commands commands(device_);
    // Both stamps are written in the same way, so that what one costs cancels out. The barrier to what was
    // submitted before is none of the work.
    commands.begin(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    api.vkCmdResetQueryPool(commands.get(), stamps_.get(), 0, 2);
    api.vkCmdWriteTimestamp(commands.get(), VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, stamps_.get(), 0);
    record(commands, work, request, std::uint64_t{i} * request.batch);
    api.vkCmdWriteTimestamp(commands.get(), VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, stamps_.get(), 1);
    commands.end();
    const gpu::HookCall hook(request.hook);
    const auto start = Clock::now();
    device_.submit(commands);
    const double host_ns = since(start);
    const double device_ns = stamped_ns();
    if (!gpu::can_be(device_ns, host_ns)) throw Failure(FailureKind::launch_error, unusable);
    block.ns.push_back(device_ns / request.batch);
  }
  return block;
}

SampleBlock Sampler::sample_host(const Work& work, const SampleRequest& request) {
  std::optional<Commands> whole;
  const auto prepare = [&](std::uint64_t first) {
    prepare_cache(request);
    if (request.launch != LaunchMode::graph) return;
    whole.emplace(device_);
    record(*whole, work, request, first);
    whole->end();
  };
  return gpu::timed_by_host(request, prepare, [&](std::uint64_t first) {
    if (whole) return device_.submit(*whole);
    for (std::uint32_t execution = 0; execution < request.batch; ++execution)
      run(work, set_of(request, first + execution));
  });
}

SampleBlock Sampler::sample_end_to_end(const Work& work, const Buffers& buffers,
                                       const SampleRequest& request) {
  gpu::check_end_to_end(buffers.spec());
  const std::vector<BufferSpec>& specs = buffers.spec().buffers;
  // What is uploaded is what lies there already, so that the result stays right.
  std::vector<std::vector<std::byte>> host(specs.size());
  std::vector<Buffer> staged;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    host[i].resize(specs[i].bytes());
    if (specs[i].role != BufferRole::out) buffers.read(request.set, i, 0, host[i]);
    staged.push_back(device_.allocate_host(specs[i].bytes(), "the copy of buffer '" + specs[i].name + "'"));
  }
  const auto execute = [&] {
    Commands commands(device_);
    for (std::size_t i = 0; i < specs.size(); ++i) {
      if (specs[i].role == BufferRole::out) continue;
      std::ranges::copy(host[i], staged[i].mapped);
      commands.copy(staged[i], 0, buffers.get(request.set, i), 0, specs[i].bytes());
    }
    commands.barrier();
    work.record(commands, request.set);
    commands.barrier();
    for (std::size_t i = 0; i < specs.size(); ++i) {
      if (specs[i].role == BufferRole::in) continue;
      commands.copy(buffers.get(request.set, i), 0, staged[i], 0, specs[i].bytes());
    }
    commands.end();
    device_.submit(commands);
    for (std::size_t i = 0; i < specs.size(); ++i) {
      if (specs[i].role != BufferRole::in) std::copy_n(staged[i].mapped, host[i].size(), host[i].begin());
    }
  };
  return gpu::timed_by_host(
      request, [&](std::uint64_t) { prepare_cache(request); },
      [&](std::uint64_t) {
        for (std::uint32_t execution = 0; execution < request.batch; ++execution) execute();
      });
}

}  // namespace benchctl::vulkan
