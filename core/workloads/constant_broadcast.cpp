// A table in constant memory, read by all threads in step: out[i] is the sum, modulo 2^32, of
// table[j] xor key[i] over the entries j = 0 … 255, `rounds` times over. In which order a thread goes
// through the table is the variant's tunable `index`: with one order for all threads of a warp they read
// one address at a time, with shifted orders as many addresses as there are threads.
#include <array>

#include "workloads/elements.hpp"
#include "workloads/parameters.hpp"
#include "workloads/values.hpp"

namespace benchctl {

namespace {

constexpr std::uint32_t entries = 256;

/// The table is the same for every seed: CUDA initialises constant memory when a kernel is compiled, from
/// this same formula (plugins/cuda/kernels/constant_table.cuh). Only the keys are random.
constexpr std::uint32_t table_entry(std::uint32_t j) {
  std::uint32_t bits = (j + 1) * 0x9e3779b9U;
  bits ^= bits >> 16;
  bits *= 0x5851f42dU;
  return bits ^ (bits >> 15);
}

class ConstantBroadcast final : public Workload {
 public:
  [[nodiscard]] std::string_view name() const override { return "constant_broadcast"; }
  [[nodiscard]] std::string_view doc() const override {
    return "sums over a table of 256 words that all threads read, from one address at a time or from many";
  }
  [[nodiscard]] std::uint32_t version() const override { return 2; }
  [[nodiscard]] std::span<const ParameterInfo> parameters() const override { return parameters_; }

  [[nodiscard]] ProblemSpec problem(const Parameters& parameters,
                                    const std::string& layout) const override {
    if (!layout.empty()) throw ProblemError("constant_broadcast has one layout only");
    const std::uint64_t n = integer_of(parameters, "n");
    ProblemSpec spec;
    spec.workload = name();
    spec.parameters = parameters;
    spec.buffers = {{"table", DType::u32, entries, BufferRole::in, Space::device},
                    {"key", DType::u32, n, BufferRole::in, Space::device},
                    {"out", DType::u32, n, BufferRole::out, Space::device}};
    spec.scalars = {{"n", DType::i32, static_cast<std::int64_t>(n)},
                    {"rounds", DType::i32, static_cast<std::int64_t>(integer_of(parameters, "rounds"))}};
    return spec;
  }

  /// Nothing that decides: what is read over and over from a table of 1 KiB is counted from a variant's
  /// access pattern, and makes its rate.
  [[nodiscard]] Cost cost(const Parameters& /*parameters*/) const override { return {}; }

  void generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    if (buffer != 0) {
      return draw_bytes(RandomStream(seed, buffer), ValueKind::uniform, spec.buffers.at(buffer).type, first,
                        out);
    }
    auto* words = reinterpret_cast<std::uint32_t*>(out.data());
    for (std::size_t i = 0; i < out.size() / sizeof *words; ++i) {
      words[i] = table_entry(static_cast<std::uint32_t>(first + i));
    }
  }

  [[nodiscard]] Reference reference(const ProblemSpec& /*spec*/, std::uint64_t seed) const override {
    return seed_reference(seed);
  }

  /// Sums modulo 2^32 do not round: every element is right to the bit or wrong.
  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view /*precision*/,
                                   const Reference& reference, const BufferReader& read) const override {
    const auto rounds = static_cast<std::uint32_t>(integer_of(spec.parameters, "rounds"));
    const RandomStream keys(seed_of(reference), 1);
    // How many entries have bit b: so many of table[j] xor key have it when key has not, the others when it
    // has. The sum follows from these 32 numbers.
    std::array<std::uint32_t, 32> with_bit{};
    for (std::uint32_t j = 0; j < entries; ++j) {
      for (std::uint32_t b = 0; b < 32; ++b) with_bit[b] += (table_entry(j) >> b) & 1U;
    }
    return check_elements(
        spec, 2,
        [&](std::uint64_t first, std::span<double> truth, std::span<double> /*tolerance*/) {
          for (std::size_t i = 0; i < truth.size(); ++i) {
            const auto key =
                static_cast<std::uint32_t>(draw(keys, ValueKind::uniform, DType::u32, first + i));
            std::uint32_t sum = 0;
            for (std::uint32_t b = 0; b < 32; ++b) {
              sum += (((key >> b) & 1U) != 0 ? entries - with_bit[b] : with_bit[b]) << b;
            }
            truth[i] = rounds * sum;
          }
        },
        read);
  }

 private:
  std::vector<ParameterInfo> parameters_{
      integer_parameter("n", "results, one per thread", "262144"),
      integer_parameter("rounds", "how often each thread goes through the table", "15", 1, 1048576)};
};

const WorkloadRegistration constant_broadcast_registration(std::make_unique<ConstantBroadcast>());

}  // namespace

}  // namespace benchctl
