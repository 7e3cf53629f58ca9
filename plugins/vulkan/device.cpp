#include "device.hpp"

#include "driver/device_info.hpp"
#include "driver/error.hpp"
#include "gpu/self_path.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace benchctl::vulkan {

namespace {

/// Clocks that differ by more are not both right; crystals differ by less than a thousandth of it.
constexpr double most_drift = 0.01;
constexpr std::uint64_t staging_bytes = std::uint64_t{32} << 20U;

}  // namespace

TimedDevice::TimedDevice(std::shared_ptr<const Instance> instance, const FoundDevice& found,
                         SessionOptions options)
    : OpenDevice(std::move(instance), found, std::move(options)), opened_(read_clocks()) {
  if (timestamp_bits() == 0) return;
  const VkQueryPoolCreateInfo create{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                     .pNext = nullptr,
                                     .flags = 0,
                                     .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                     .queryCount = 2,
                                     .pipelineStatistics = 0};
  VkQueryPool pool = VK_NULL_HANDLE;
  check(api().vkCreateQueryPool(device().get(), &create, nullptr, &pool), "make room for time stamps");
  stamps_ = QueryPoolHandle(device(), pool);
}

void TimedDevice::enter() noexcept {
  recorded_.reset();
  downloads_.clear();
  staged_ = 0;
}

Commands& TimedDevice::commands() {
  if (!recorded_) recorded_ = std::make_shared<Commands>(*this);
  return *recorded_;
}

void TimedDevice::finish(std::string_view /*what*/) {
  const auto commands = std::exchange(recorded_, nullptr);
  const auto downloads = std::exchange(downloads_, {});
  staged_ = 0;
  if (!commands) return;
  commands->end();
  submit(*commands);
  for (const Staged& one : downloads) {
    std::memcpy(one.bytes.data(), staging_.mapped + one.at, one.bytes.size());
  }
}

Buffer TimedDevice::allocate(Space space, std::uint64_t bytes, const std::string& what) {
  return space == Space::device ? OpenDevice::allocate(bytes, what) : allocate_host(bytes, what);
}

std::shared_ptr<std::byte[]> TimedDevice::host_bytes(std::uint64_t bytes, const std::string& what) {
  if (staging_.bytes < bytes) staging_ = allocate_host(bytes, what);
  return std::make_shared<std::byte[]>(bytes);
}

std::pair<std::uint64_t, std::size_t> TimedDevice::stage(std::size_t bytes) {
  if (!staging_.handle) staging_ = allocate_host(staging_bytes, "copies between host and device");
  if (staged_ == staging_.bytes) finish("copies between host and device");
  const std::uint64_t at = staged_;
  const auto part = std::min<std::uint64_t>(bytes, staging_.bytes - at);
  staged_ = std::min(round_up(at + part, std::uint64_t{256}), staging_.bytes);
  return {at, part};
}

void TimedDevice::upload(const Buffer& to, std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto [at, part] = stage(bytes.size());
    std::memcpy(staging_.mapped + at, bytes.data(), part);
    commands().copy(staging_, at, to, offset, part);
    bytes = bytes.subspan(part);
    offset += part;
  }
}

void TimedDevice::download(const Buffer& from, std::uint64_t offset, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const auto [at, part] = stage(bytes.size());
    commands().copy(from, offset, staging_, at, part);
    downloads_.push_back({at, bytes.first(part)});
    bytes = bytes.subspan(part);
    offset += part;
  }
}

void TimedDevice::copy(const Buffer& from, const Buffer& to, std::uint64_t bytes) {
  commands().barrier();
  commands().copy(from, 0, to, 0, bytes);
  commands().barrier();
}

void TimedDevice::fill(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, std::byte value) {
  // A buffer has whole words, of which the last may be longer than what was asked for.
  if (offset == 0 && round_up(bytes, std::uint64_t{4}) == buffer.bytes) bytes = buffer.bytes;
  if (offset % 4 == 0 && bytes % 4 == 0) {
    commands().fill(buffer, offset, bytes, value);
  } else {
    upload(buffer, offset, std::vector<std::byte>(bytes, value));
  }
}

std::function<void()> TimedDevice::capture(const std::function<void()>& queue) {
  queue();
  const auto graph = std::exchange(recorded_, nullptr);
  if (!graph) return [] {};
  graph->end();
  return [this, graph] { submit(*graph); };
}

std::string TimedDevice::objection(const gpu::Work& /*work*/, const SampleRequest& /*request*/) {
  const std::string advice = "; measure with basis = \"host_sync\"";
  if (!stamps_) {
    throw Failure(FailureKind::unsupported,
                  "the driver of " + info().name + " has no usable time stamps" + advice);
  }
  if (!opened_) return {};
  const std::optional<double> rate =
      clock_rate(*opened_, read_clocks().value(), timestamp_bits(), tick_ns(query()));
  if (!rate) return {};
  if (std::abs(*rate - 1) > most_drift) {
    throw Failure(FailureKind::unsupported, "the time stamps of " + info().name + " count " +
                                                std::to_string(*rate) + " ns in one of the host's clock" +
                                                advice);
  }
  opened_.reset();
  return {};
}

double TimedDevice::stamped_ns() const {
  std::array<std::uint64_t, 2> stamps{};
  check(api().vkGetQueryPoolResults(device().get(), stamps_.get(), 0, 2, sizeof stamps, stamps.data(),
                                    sizeof stamps[0], VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "read time stamps");
  return between_stamps(stamps[0], stamps[1], timestamp_bits(), tick_ns(query()));
}

gpu::DeviceTime TimedDevice::timed(const gpu::Work& /*work*/, const SampleRequest& request,
                                   const gpu::QueueSome& queue, bool hold) {
  // Both stamps are written in the same way, so that what one costs cancels out. The barrier to what was
  // submitted before is none of the work.
  Commands& sample = commands();
  sample.begin(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  api().vkCmdResetQueryPool(sample.get(), stamps_.get(), 0, 2);
  api().vkCmdWriteTimestamp(sample.get(), VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, stamps_.get(), 0);
  queue(0, request.batch);
  api().vkCmdWriteTimestamp(sample.get(), VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, stamps_.get(), 1);
  sample.end();
  const auto whole = std::exchange(recorded_, nullptr);
  const gpu::HookCall hook(request.hook);
  const auto start = gpu::Clock::now();
  submit(*whole);
  const double host_ns = gpu::since(start);
  return {stamped_ns(), host_ns, hold};
}

gpu::Eviction TimedDevice::eviction() const {
  constexpr std::uint64_t gpu_bytes = std::uint64_t{512} << 20U;
  constexpr std::uint64_t cpu_bytes = std::uint64_t{64} << 20U;
  const std::uint64_t wanted = info().type == DeviceType::cpu ? cpu_bytes : gpu_bytes;
  return {(gpu::plugin_directory() / "kernels/vulkan/evict.comp").string(),
          std::min({wanted, info().limits.max_allocation_bytes, info().limits.memory_bytes / 4}), 256, 256,
          DType::u32};
}

}  // namespace benchctl::vulkan
