#include "problem.hpp"

#include "prepared_kernel.hpp"
#include "table.hpp"

#include <algorithm>

namespace benchctl::cuda {

DeviceProblem::DeviceProblem(std::shared_ptr<Context> context, const ProblemRequest& request)
    : context_(std::move(context)), spec_(request.spec), allocation_(request.allocation) {
  context_->make_current();
  if (allocation_.size() != spec_.buffers.size()) {
    throw Failure(FailureKind::launch_error, "the problem has " + std::to_string(spec_.buffers.size()) +
                                                 " buffers, but sizes for " +
                                                 std::to_string(allocation_.size()));
  }
  for (const BufferSpec& buffer : spec_.buffers) {
    if (buffer.space != Space::device) {
      throw Failure(FailureKind::unsupported,
                    "buffer " + buffer.name + " is to live in " + std::string(to_string(buffer.space)) +
                        "; the CUDA backend places buffers in device memory only");
    }
  }
  for (std::uint32_t set = 0; set < std::max(request.sets, 1U); ++set) {
    std::vector<DeviceMemory>& buffers = memory_.emplace_back();
    for (std::size_t i = 0; i < allocation_.size(); ++i) {
      buffers.push_back(allocate(context_->driver(), allocation_[i],
                                 "buffer " + spec_.buffers[i].name + " of set " + std::to_string(set)));
    }
  }
}

DeviceProblem::~DeviceProblem() { context_->make_current_quietly(); }

CUdeviceptr DeviceProblem::address(std::uint32_t set, std::size_t buffer) const {
  if (set >= memory_.size() || buffer >= memory_[set].size()) {
    throw Failure(FailureKind::launch_error, "there is no buffer " + std::to_string(buffer) + " in set " +
                                                 std::to_string(set) + " of this problem");
  }
  return memory_[set][buffer].get();
}

CUdeviceptr DeviceProblem::checked_range(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                                         std::uint64_t bytes) const {
  const CUdeviceptr start = address(set, buffer);
  if (offset > allocation_[buffer] || bytes > allocation_[buffer] - offset) {
    throw Failure(FailureKind::launch_error, "bytes " + std::to_string(offset) + " + " +
                                                 std::to_string(bytes) + " lie outside buffer " +
                                                 spec_.buffers[buffer].name + " of " +
                                                 std::to_string(allocation_[buffer]) + " bytes");
  }
  return start + offset;
}

void DeviceProblem::write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                          std::span<const std::byte> bytes) {
  const CUdeviceptr target = checked_range(set, buffer, offset, bytes.size());
  if (bytes.empty()) return;
  context_->make_current();
  if (mirror_) mirror_->expire();
  const DriverApi& driver = context_->driver();
  driver.check(driver.memcpy_htod_async(target, bytes.data(), bytes.size(), context_->stream()),
               "copying to the device");
  context_->synchronize("copying to the device");
}

void DeviceProblem::read(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                         std::span<std::byte> bytes) const {
  const CUdeviceptr from = checked_range(set, buffer, offset, bytes.size());
  if (bytes.empty()) return;
  context_->make_current();
  const DriverApi& driver = context_->driver();
  driver.check(driver.memcpy_dtoh_async(bytes.data(), from, bytes.size(), context_->stream()),
               "copying from the device");
  context_->synchronize("copying from the device");
}

void DeviceProblem::fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
                         std::byte value) {
  const CUdeviceptr target = checked_range(set, buffer, offset, bytes);
  if (bytes == 0) return;
  context_->make_current();
  if (mirror_) mirror_->expire();
  const DriverApi& driver = context_->driver();
  const auto byte = std::to_integer<unsigned char>(value);
  const bool words = target % 4 == 0 && bytes % 4 == 0;
  driver.check(words ? driver.memset_d32_async(target, 0x01010101U * byte, bytes / 4, context_->stream())
                     : driver.memset_d8_async(target, byte, bytes, context_->stream()),
               "filling device memory");
  context_->synchronize("filling device memory");
}

HostMirror& DeviceProblem::mirror(std::uint32_t set) {
  if (!mirror_) mirror_.emplace(context_->driver(), context_->stream(), spec_);
  std::vector<CUdeviceptr> addresses;
  for (std::size_t i = 0; i < spec_.buffers.size(); ++i) addresses.push_back(address(set, i));
  mirror_->attach(addresses);
  return *mirror_;
}

std::unique_ptr<Prepared> DeviceProblem::prepare(const PrepareRequest& request) {
  context_->make_current();
  if (request.kernel) return std::make_unique<PreparedKernel>(*this, *request.kernel);
  if (const MakeNative make = Table::instance().native(*request.variant)) return make(*this, request);
  throw Failure(FailureKind::unsupported, "the CUDA backend has no variant " + request.variant->workload +
                                              "/" + request.variant->name + " without a kernel file");
}

}  // namespace benchctl::cuda
