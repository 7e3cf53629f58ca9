#include "problem.hpp"

#include "gpu/extras.hpp"
#include "gpu/sampling.hpp"

#include "mapped_product.hpp"
#include "measure/annotation.hpp"
#include "prepared_kernel.hpp"
#include "table.hpp"

#include <algorithm>
#include <new>

namespace benchctl::cuda {

namespace {

BufferMemory place(const DriverApi& driver, Space space, std::uint64_t bytes, const std::string& what) {
  BufferMemory memory;
  switch (space) {
    case Space::device:
      memory.device = allocate(driver, bytes, what);
      break;
    case Space::host_pinned:
      memory.pinned = allocate_pinned(driver, bytes, what);
      break;
    case Space::host_pageable:
      try {
        memory.pageable = std::make_unique<std::byte[]>(std::max<std::uint64_t>(bytes, 1));
      } catch (const std::bad_alloc&) {
        throw Failure(FailureKind::out_of_memory, "allocating " + std::to_string(bytes) +
                                                      " bytes of host memory for " + what + " failed");
      }
      break;
  }
  return memory;
}

}  // namespace

DeviceProblem::DeviceProblem(std::shared_ptr<Context> context, const ProblemRequest& request)
    : context_(std::move(context)), spec_(request.spec), allocation_(request.allocation) {
  context_->make_current();
  if (allocation_.size() != spec_.buffers.size()) {
    throw Failure(FailureKind::launch_error, "the problem has " + std::to_string(spec_.buffers.size()) +
                                                 " buffers, but sizes for " +
                                                 std::to_string(allocation_.size()));
  }
  for (std::uint32_t set = 0; set < std::max(request.sets, 1U); ++set) {
    std::vector<BufferMemory>& buffers = memory_.emplace_back();
    for (std::size_t i = 0; i < allocation_.size(); ++i) {
      buffers.push_back(place(context_->driver(), spec_.buffers[i].space, allocation_[i],
                              "buffer " + spec_.buffers[i].name + " of set " + std::to_string(set)));
    }
  }
}

DeviceProblem::~DeviceProblem() { context_->make_current_quietly(); }

const BufferMemory& DeviceProblem::memory(std::uint32_t set, std::size_t buffer) const {
  if (set >= memory_.size() || buffer >= memory_[set].size()) {
    throw Failure(FailureKind::launch_error, "there is no buffer " + std::to_string(buffer) + " in set " +
                                                 std::to_string(set) + " of this problem");
  }
  return memory_[set][buffer];
}

bool DeviceProblem::in_host_memory(std::size_t buffer) const {
  return spec_.buffers[buffer].space != Space::device;
}

CUdeviceptr DeviceProblem::address(std::uint32_t set, std::size_t buffer) const {
  const BufferMemory& found = memory(set, buffer);
  switch (spec_.buffers[buffer].space) {
    case Space::device:
      return found.device.get();
    case Space::host_pinned:
      // With unified addressing, which every 64-bit system has, both sides use one address.
      return reinterpret_cast<CUdeviceptr>(found.pinned.get());
    case Space::host_pageable:
      break;
  }
  throw Failure(FailureKind::unsupported,
                "buffer " + spec_.buffers[buffer].name +
                    " lives in pageable memory of the host; kernels take device memory "
                    "or pinned memory");
}

std::byte* DeviceProblem::host_address(std::uint32_t set, std::size_t buffer) const {
  const BufferMemory& found = memory(set, buffer);
  if (!in_host_memory(buffer)) {
    throw Failure(FailureKind::unsupported,
                  "buffer " + spec_.buffers[buffer].name + " lives on the device, not in host memory");
  }
  return found.host();
}

void DeviceProblem::check_range(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                                std::uint64_t bytes) const {
  static_cast<void>(memory(set, buffer));
  if (offset > allocation_[buffer] || bytes > allocation_[buffer] - offset) {
    throw Failure(FailureKind::launch_error, "bytes " + std::to_string(offset) + " + " +
                                                 std::to_string(bytes) + " lie outside buffer " +
                                                 spec_.buffers[buffer].name + " of " +
                                                 std::to_string(allocation_[buffer]) + " bytes");
  }
}

// Host memory is touched directly: everything that runs on the device is waited for before control returns.
void DeviceProblem::write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                          std::span<const std::byte> bytes) {
  check_range(set, buffer, offset, bytes.size());
  if (bytes.empty()) return;
  if (in_host_memory(buffer)) {
    std::ranges::copy(bytes, host_address(set, buffer) + offset);
    return;
  }
  context_->make_current();
  if (mirror_) mirror_->expire();
  const DriverApi& driver = context_->driver();
  driver.check(driver.memcpy_htod_async(address(set, buffer) + offset, bytes.data(), bytes.size(),
                                        context_->stream()),
               "copying to the device");
  context_->synchronize("copying to the device");
}

void DeviceProblem::read(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                         std::span<std::byte> bytes) const {
  check_range(set, buffer, offset, bytes.size());
  if (bytes.empty()) return;
  if (in_host_memory(buffer)) {
    std::copy_n(host_address(set, buffer) + offset, bytes.size(), bytes.begin());
    return;
  }
  context_->make_current();
  const DriverApi& driver = context_->driver();
  driver.check(driver.memcpy_dtoh_async(bytes.data(), address(set, buffer) + offset, bytes.size(),
                                        context_->stream()),
               "copying from the device");
  context_->synchronize("copying from the device");
}

void DeviceProblem::fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
                         std::byte value) {
  check_range(set, buffer, offset, bytes);
  if (bytes == 0) return;
  if (in_host_memory(buffer)) {
    std::fill_n(host_address(set, buffer) + offset, bytes, value);
    return;
  }
  context_->make_current();
  if (mirror_) mirror_->expire();
  const CUdeviceptr target = address(set, buffer) + offset;
  const DriverApi& driver = context_->driver();
  const auto byte = std::to_integer<unsigned char>(value);
  const bool words = target % 4 == 0 && bytes % 4 == 0;
  driver.check(words ? driver.memset_d32_async(target, 0x01010101U * byte, bytes / 4, context_->stream())
                     : driver.memset_d8_async(target, byte, bytes, context_->stream()),
               "filling device memory");
  context_->synchronize("filling device memory");
}

HostMirror& DeviceProblem::mirror(std::uint32_t set) {
  gpu::check_end_to_end(spec_);
  if (!mirror_) mirror_.emplace(context_->driver(), context_->stream(), spec_);
  std::vector<CUdeviceptr> addresses;
  for (std::size_t i = 0; i < spec_.buffers.size(); ++i) addresses.push_back(address(set, i));
  mirror_->attach(addresses);
  return *mirror_;
}

std::unique_ptr<Prepared> DeviceProblem::prepare(const PrepareRequest& request) {
  context_->make_current();
  if (request.kernel) {
    gpu::check_extras(*request.kernel, {"tensor_maps", "early"});
    if (!request.kernel->launches.back().extras.empty())
      return annotated(make_mapped_product(*this, *request.kernel), request.label);
    return annotated(std::make_unique<PreparedKernel>(*this, *request.kernel), request.label);
  }
  if (const MakeNative make = Table::instance().native(*request.variant)) {
    return annotated(make(*this, request), request.label);
  }
  throw Failure(FailureKind::unsupported, "the CUDA backend has no variant " + request.variant->workload +
                                              "/" + request.variant->name + " without a kernel file");
}

}  // namespace benchctl::cuda
