// Native variants that all backends have: the driver's copies. And what calls of libraries ask of a
// problem.
#pragma once

#include "gpu/buffers.hpp"

#include <limits>

namespace benchctl::gpu {

/// An extent, a scalar of the problem. `who` names the library, which counts in `Count`. Failure
/// unsupported when there is none, or one that a `Count` does not hold.
template <class Count = int>
[[nodiscard]] Count extent(const ProblemSpec& spec, std::string_view name, const std::string& who) {
  const auto index = spec.scalar_index(name);
  const auto* value = index ? std::get_if<std::int64_t>(&spec.scalars[*index].value) : nullptr;
  if (value != nullptr && *value >= 1 && std::in_range<Count>(*value)) return static_cast<Count>(*value);
  throw Failure(FailureKind::unsupported, who + " needs a size " + std::string(name) + " between 1 and " +
                                              std::to_string(std::numeric_limits<Count>::max()));
}

/// Position of a buffer. Failure unsupported when the workload has none of that name.
[[nodiscard]] inline std::size_t buffer_at(const ProblemSpec& spec, std::string_view name,
                                           const std::string& who) {
  if (const auto index = spec.buffer_index(name)) return *index;
  throw Failure(FailureKind::unsupported, who + " needs a buffer " + std::string(name) +
                                              ", which workload '" + spec.workload + "' does not have");
}

/// C (m×n) = A (m×k) · B (k×n): positions among the problem's buffers, extents, element type.
struct Product {
  /// Failure unsupported that names `who` and what is missing.
  Product(const ProblemSpec& spec, const std::string& who)
      : a(buffer_at(spec, "A", who)),
        b(buffer_at(spec, "B", who)),
        c(buffer_at(spec, "C", who)),
        m(extent(spec, "m", who)),
        n(extent(spec, "n", who)),
        k(extent(spec, "k", who)),
        type(spec.buffers[c].type) {}

  std::size_t a, b, c;
  int m, n, k;
  DType type;
};

/// The word that a problem has as its parameter `op`; empty without one.
[[nodiscard]] inline std::string operation_of(const ProblemSpec& spec) {
  const auto found = spec.parameters.find("op");
  const auto* word = found == spec.parameters.end() ? nullptr : std::get_if<std::string>(&found->second);
  return word == nullptr ? std::string() : *word;
}

/// Calls `work` with a value of the problem's element type. Failure unsupported for others than f32 and
/// f64.
template <class Work>
auto with_real(DType type, const std::string& who, Work work) {
  if (type == DType::f32) return work(float{});
  if (type == DType::f64) return work(double{});
  throw Failure(FailureKind::unsupported, who + " takes f32 and f64, not " + std::string(to_string(type)));
}

/// A variant of a vendor's library or of the driver.
[[nodiscard]] inline VariantInfo native_variant(const char* workload, const char* name, const char* doc,
                                                std::vector<DType> dtypes = {DType::f32, DType::f64}) {
  VariantInfo info;
  info.workload = workload;
  info.name = name;
  info.doc = doc;
  info.dtypes = std::move(dtypes);
  info.vendor = true;
  return info;
}

/// transfer/memcpy, with the conditions of this backend.
[[nodiscard]] inline VariantInfo transfer_variant(const char* doc, std::vector<std::string> require) {
  VariantInfo info = native_variant("transfer", "memcpy", doc, {});
  info.vendor = false;
  info.require = std::move(require);
  return info;
}

/// Work that copies one buffer of the problem into another by the driver's `function`.
template <class Device>
[[nodiscard]] std::unique_ptr<Work> copy_of(Device& device, const Buffers<Device>& buffers,
                                            const char* source, const char* target, const char* function) {
  const ProblemSpec& spec = buffers.spec();
  const std::size_t from = spec.position_of_buffer(source);
  const std::size_t to = spec.position_of_buffer(target);
  const std::uint64_t bytes = std::min(spec.buffers[from].bytes(), spec.buffers[to].bytes());
  // Tells now, not in the middle of a sample, that a buffer is out of reach.
  static_cast<void>(buffers.get(0, from));
  static_cast<void>(buffers.get(0, to));
  return std::make_unique<Call>(Call::About{"the driver's copy", 1, {{"function", function}}},
                                [&device, &buffers, from, to, bytes](std::uint32_t set) {
                                  device.copy(buffers.get(set, from), buffers.get(set, to), bytes);
                                });
}

/// transfer/memcpy: the driver's copies between host memory and the device, in one queue.
template <class Device>
class Transfer : public Work {
 public:
  /// Failure unsupported for a problem that has no copy.
  Transfer(Device& device, const Buffers<Device>& buffers)
      : Work("copies between host and device"),
        device_(device),
        buffers_(buffers),
        upload_(find("host_source", "device_target")),
        download_(find("device_source", "host_target")) {
    if (upload_ || download_) return;
    throw Failure(FailureKind::unsupported, "workload '" + buffers.spec().workload +
                                                "' has no buffers to copy between host and device");
  }

  void enqueue(std::uint32_t set) override {
    if (upload_) enqueue_upload(set);
    if (download_) device_.download(buffers_.get(set, download_->source), 0, host(set, download_->target));
  }
  [[nodiscard]] std::uint32_t operations() const override { return both_ways() ? 5 : 1; }
  [[nodiscard]] std::string objection() const override {
    if (!pageable()) return {};
    return "the driver may wait for a copy of pageable memory while it queues it";
  }
  void check(const SampleRequest& request) const override {
    if (request.launch != LaunchMode::graph || !pageable()) return;
    throw Failure(
        FailureKind::unsupported,
        "launch = \"graph\": copies of pageable memory pass through the driver's own buffers on the host "
        "and are not captured here; use \"stream\"");
  }

 protected:
  struct Ends {
    std::size_t source;
    std::size_t target;
    std::uint64_t bytes;
  };

  [[nodiscard]] bool both_ways() const { return upload_ && download_; }
  void enqueue_upload(std::uint32_t set) {
    device_.upload(buffers_.get(set, upload_->target), 0, host(set, upload_->source));
  }
  /// The host's end of a copy.
  [[nodiscard]] std::span<std::byte> host(std::uint32_t set, std::size_t buffer) const {
    return {buffers_.host(set, buffer),
            (upload_ && buffer == upload_->source ? upload_ : download_)->bytes};
  }

  Device& device_;
  const Buffers<Device>& buffers_;
  std::optional<Ends> upload_;
  std::optional<Ends> download_;

 private:
  [[nodiscard]] std::optional<Ends> find(const char* source, const char* target) const {
    const ProblemSpec& spec = buffers_.spec();
    const auto from = spec.buffer_index(source);
    const auto to = spec.buffer_index(target);
    if (!from || !to) return std::nullopt;
    return Ends{*from, *to, std::min(spec.buffers[*from].bytes(), spec.buffers[*to].bytes())};
  }
  [[nodiscard]] bool pageable() const {
    return std::ranges::any_of(buffers_.spec().buffers, [](const BufferSpec& buffer) {
      return buffer.space == Space::host_pageable;
    });
  }
};

}  // namespace benchctl::gpu
