// Copies between host and device, the way that data take before anything can be computed. A byte that is
// copied counts once, although it is read and written: rates are of payload, as buses are specified.
#include "workloads/basic.hpp"

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

class Transfer final : public BasicWorkload {
 public:
  Transfer()
      : BasicWorkload(
            {.name = "transfer",
             .doc = "copies between host and device memory; GB/s count each copied byte once",
             .version = 1,
             .parameters = {integer_parameter("bytes", "bytes of each copy", "67108864"),
                            word_parameter("direction",
                                           "host to device, device to host, or both at the same time",
                                           {"h2d", "d2h", "both"}),
                            word_parameter(
                                "memory",
                                "host memory that the device reaches by itself (pinned), or any (pageable)",
                                {"pinned", "pageable"})},
             .bytes_read = "if(direction == 'both', 2, 1) * bytes",
             .bytes_written = "0"}) {}

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
  void define(ProblemSpec& spec) const override {
    const std::uint64_t bytes = integer_of(spec.parameters, "bytes");
    const Space host =
        word_of(spec.parameters, "memory") == "pinned" ? Space::host_pinned : Space::host_pageable;
    const std::string& direction = word_of(spec.parameters, "direction");
    if (direction != "d2h") {
      spec.buffers.push_back({"host_source", DType::u8, bytes, BufferRole::in, host});
      spec.buffers.push_back(output_buffer("device_target", DType::u8, bytes));
    }
    if (direction != "h2d") {
      spec.buffers.push_back(input_buffer("device_source", DType::u8, bytes));
      spec.buffers.push_back({"host_target", DType::u8, bytes, BufferRole::out, host});
    }
  }
};

const WorkloadRegistration transfer_registration(std::make_unique<Transfer>());

}  // namespace

}  // namespace benchctl
