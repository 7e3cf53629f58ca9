// What a plugin needs beside its kernels if the host's memory is its device's: buffers, and executions that
// the host's clock times. A backend with memory and timers of its own does the same with those of its
// driver.
#pragma once

#include <benchctl/backend.hpp>

#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace benchctl {

/// A problem's buffers: one block of the host's memory for each buffer of each set, at a multiple of 64
/// bytes. `prepare` is left to say.
class HostBuffers : public Problem {
 public:
  /// Throws Failure: unsupported for a buffer that is to lie outside the device, out_of_memory.
  explicit HostBuffers(const ProblemRequest& request) : spec_(request.spec) {
    for (const BufferSpec& buffer : spec_.buffers) {
      if (buffer.space != Space::device)
        throw Failure(FailureKind::unsupported,
                      "buffer " + buffer.name + ": all memory here is the host's own");
    }
    for (std::uint32_t set = 0; set < request.sets; ++set) {
      auto& buffers = sets_.emplace_back();
      // Just what is asked for: an overrun has to land in the guard bytes behind the payload.
      for (const std::uint64_t bytes : request.allocation) buffers.push_back(allocate(bytes));
    }
  }

  void write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
             std::span<const std::byte> bytes) override {
    std::memcpy(at<std::byte>(set, buffer) + offset, bytes.data(), bytes.size());
  }
  void read(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
            std::span<std::byte> bytes) const override {
    std::memcpy(bytes.data(), at<std::byte>(set, buffer) + offset, bytes.size());
  }
  void fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
            std::byte value) override {
    std::memset(at<std::byte>(set, buffer) + offset, std::to_integer<int>(value), bytes);
  }

  /// What the problem is: its buffers, scalars and parameters.
  [[nodiscard]] const ProblemSpec& spec() const { return spec_; }
  /// The elements of a buffer, by its place in the specification.
  template <class Element>
  [[nodiscard]] Element* at(std::uint32_t set, std::size_t buffer) const {
    return reinterpret_cast<Element*>(sets_.at(set).at(buffer).get());
  }
  /// An integer scalar by its name. Throws std::invalid_argument where there is none.
  [[nodiscard]] std::int64_t size(std::string_view name) const {
    return std::get<std::int64_t>(spec_.scalars[spec_.position_of_scalar(name)].value);
  }

 private:
  static constexpr std::align_val_t alignment{64};
  struct Free {
    void operator()(std::byte* bytes) const { ::operator delete[](bytes, alignment); }
  };
  using Buffer = std::unique_ptr<std::byte[], Free>;

  static Buffer allocate(std::uint64_t bytes) {
    void* memory = ::operator new[](bytes, alignment, std::nothrow);
    if (memory == nullptr)
      throw Failure(FailureKind::out_of_memory,
                    "no memory for a buffer of " + std::to_string(bytes) + " bytes");
    return Buffer(static_cast<std::byte*>(memory));
  }

  ProblemSpec spec_;
  std::vector<std::vector<Buffer>> sets_;  // [set][buffer]
};

/// A variant whose executions the host's clock times. What remains to be said is what one execution is.
class HostExecution : public Prepared {
 public:
  [[nodiscard]] Resources resources() const override { return {}; }

  double run(std::uint32_t set) override {
    const double start = now_ns();
    execute(set);
    return now_ns() - start;
  }

  /// Throws Failure, unsupported: for cold caches, which nothing here empties, graphs, and times from
  /// upload to download. The points that ask for them are skipped, with that reason.
  [[nodiscard]] SampleBlock sample(const SampleRequest& request) override {
    if (request.cache == CacheMode::cold) refuse("nothing empties the caches before a sample");
    if (request.launch == LaunchMode::graph) refuse("there are no graphs of launches");
    if (request.basis == Basis::end_to_end) refuse("there is nothing to upload or download");
    SampleBlock block;
    block.batch = request.batch;
    std::uint64_t execution = 0;
    for (std::uint32_t i = 0; i < request.count; ++i) {
      if (request.hook != nullptr) request.hook->begin();
      const double start = now_ns();
      for (std::uint32_t repeat = 0; repeat < request.batch; ++repeat)
        execute(set_of(request, execution++));
      block.ns.push_back((now_ns() - start) / request.batch);
      if (request.hook != nullptr) request.hook->end();
    }
    return block;
  }

 protected:
  /// Executes the variant once on a set of buffers, from beginning to end, and waits.
  virtual void execute(std::uint32_t set) = 0;

  /// The host's clock, in ns.
  [[nodiscard]] static double now_ns() {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::nano>(since).count();
  }

 private:
  [[noreturn]] static void refuse(const char* why) { throw Failure(FailureKind::unsupported, why); }
};

}  // namespace benchctl
