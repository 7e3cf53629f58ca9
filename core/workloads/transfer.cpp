// Copies between host and device, the way that data take before anything can be computed. A byte that is
// copied counts once, although it is read and written: rates are of payload, as buses are specified.
#include <fmt/format.h>

#include "workloads/bits.hpp"
#include "workloads/elements.hpp"
#include "workloads/parameters.hpp"

namespace benchctl {

namespace {

/// A pair of buffers; the second has to become what the first is.
struct TransferCopy {
  std::size_t source = 0;
  std::size_t target = 1;
};

std::vector<TransferCopy> copies_of(const Parameters& parameters) {
  if (word_of(parameters, "direction") == "both") return {{0, 1}, {2, 3}};
  return {{0, 1}};
}

class Transfer final : public Workload {
 public:
  [[nodiscard]] std::string_view name() const override { return "transfer"; }
  [[nodiscard]] std::string_view doc() const override {
    return "copies between host and device memory; GB/s count each copied byte once";
  }
  [[nodiscard]] std::uint32_t version() const override { return 1; }
  [[nodiscard]] std::span<const ParameterInfo> parameters() const override { return parameters_; }

  [[nodiscard]] ProblemSpec problem(const Parameters& parameters,
                                    const std::string& layout) const override {
    if (!layout.empty()) throw ProblemError("transfer has one layout only");
    const std::uint64_t bytes = integer_of(parameters, "bytes");
    const Space host =
        word_of(parameters, "memory") == "pinned" ? Space::host_pinned : Space::host_pageable;
    const std::string& direction = word_of(parameters, "direction");
    ProblemSpec spec;
    spec.workload = name();
    spec.parameters = parameters;
    if (direction != "d2h") {
      spec.buffers.push_back({"host_source", DType::u8, bytes, BufferRole::in, host});
      spec.buffers.push_back({"device_target", DType::u8, bytes, BufferRole::out, Space::device});
    }
    if (direction != "h2d") {
      spec.buffers.push_back({"device_source", DType::u8, bytes, BufferRole::in, Space::device});
      spec.buffers.push_back({"host_target", DType::u8, bytes, BufferRole::out, host});
    }
    return spec;
  }

  [[nodiscard]] Cost cost(const Parameters& parameters) const override {
    const auto bytes = static_cast<double>(integer_of(parameters, "bytes"));
    return {.bytes_read = bytes * static_cast<double>(copies_of(parameters).size())};
  }

  void generate(const ProblemSpec& /*spec*/, std::size_t buffer, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    random_bytes(RandomStream(seed, buffer), first, out);
  }

  [[nodiscard]] Reference reference(const ProblemSpec& /*spec*/, std::uint64_t seed) const override {
    return seed_reference(seed);
  }

  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view /*precision*/,
                                   const Reference& reference, const BufferReader& read) const override {
    Verification all;
    all.ok = true;
    for (const TransferCopy& copy : copies_of(spec.parameters)) {
      const RandomStream stream(seed_of(reference), copy.source);
      all = merge(
          all, check_bits(
                   spec, copy.target,
                   [&](std::uint64_t first, std::span<std::byte> out) { random_bytes(stream, first, out); },
                   read));
    }
    return all;
  }

 private:
  std::vector<ParameterInfo> parameters_{
      integer_parameter("bytes", "bytes of each copy", "67108864"),
      word_parameter("direction", "host to device, device to host, or both at the same time",
                     {"h2d", "d2h", "both"}),
      word_parameter("memory", "host memory that the device reaches by itself (pinned), or any (pageable)",
                     {"pinned", "pageable"})};
};

const WorkloadRegistration transfer_registration(std::make_unique<Transfer>());

}  // namespace

}  // namespace benchctl
