// What the memories on a chip make of the order of accesses: banks of shared memory (bank_conflicts,
// shared_stride), constant memory (constant_broadcast).
#include <array>

#include "workloads/basic.hpp"

namespace benchctl {

namespace {

/// Blocks of 16 × 16 numbers, doubled by way of shared memory: out = 2·in. The indices decide how many
/// threads of a warp meet in one bank of shared memory, and whether global accesses are coalesced; what is
/// computed stays the same. Doubling is exact: every element is right to the bit or wrong.
const WorkloadRegistration bank_conflicts_registration(std::make_unique<ElementwiseWorkload>(
    BasicWorkload::Traits{
        .name = "bank_conflicts",
        .doc =
            "out = 2·in in blocks of 16 × 16 floats, doubled in shared memory with different index orders",
        .version = 1,
        .parameters = {integer_parameter("blocks", "blocks of 16 × 16 floats", "256", 1, 8388607)},
        .buffers = {{"in", "f32", "256 * blocks"}, {"out", "f32", "256 * blocks", BufferRole::out}}},
    [](const ProblemSpec& /*spec*/, std::string_view /*precision*/, std::uint64_t seed) {
      return each_element(
          [in = RandomStream(seed, 0)](std::uint64_t i) { return 2.0 * static_cast<double>(in.f32(i)); });
    }));

/// Sums of rows of a small table, read over and over from shared memory: out[i] is the sum, modulo 2^32, of
/// the rows i, i + 1, … i + rounds - 1 of a table of 32 rows of eight 32-bit words, counted modulo 32.
///
/// A variant is free to lay the table out in shared memory as it likes. All lanes of a warp read rows of
/// their own, and each round moves every lane to the next row, so that all rounds have the same pattern of
/// banks, no load can be spared, and every word that is read counts in a result.
///
/// Sums modulo 2^32 do not round: every element is right to the bit or wrong. What is read over and over
/// from shared memory is counted from a variant's access pattern, and makes its rate; nothing else decides.
constexpr std::size_t rows = 32;
constexpr std::size_t row_words = 8;

std::array<std::uint32_t, rows> results_by_lane(const RandomStream& table, std::uint64_t rounds) {
  std::array<std::uint32_t, rows> sums{};
  for (std::size_t word = 0; word < rows * row_words; ++word) {
    sums[word / row_words] += static_cast<std::uint32_t>(draw(table, ValueKind::uniform, DType::u32, word));
  }
  std::array<std::uint32_t, rows> results{};
  for (std::size_t lane = 0; lane < rows; ++lane) {
    for (std::size_t row = 0; row < rows; ++row) {
      // Rounds r with (lane + r) mod 32 = row.
      const std::uint64_t first = (row + rows - lane) % rows;
      const std::uint64_t visits = rounds > first ? (rounds - first - 1) / rows + 1 : 0;
      results[lane] += static_cast<std::uint32_t>(visits) * sums[row];
    }
  }
  return results;
}

const WorkloadRegistration shared_stride_registration(std::make_unique<ElementwiseWorkload>(
    BasicWorkload::Traits{
        .name = "shared_stride",
        .doc = "sums of table rows, read repeatedly from shared memory: its banks decide the time",
        .version = 2,
        .parameters = {integer_parameter("n", "results, one per thread", "262144"),
                       integer_parameter("rounds", "rows that each thread reads, eight words each",
                                         "2000")},
        .buffers = {{"table", "u32", "256"}, {"out", "u32", "n", BufferRole::out}},
        .scalars = {passed("n"), passed("rounds")},
        .bytes_read = "0",
        .bytes_written = "0"},
    [](const ProblemSpec& spec, std::string_view /*precision*/, std::uint64_t seed) {
      return each_element(
          [results = results_by_lane(RandomStream(seed, 0), integer_of(spec.parameters, "rounds"))](
              std::uint64_t i) { return static_cast<double>(results[i % rows]); });
    }));

/// A table in constant memory, read by all threads in step: out[i] is the sum, modulo 2^32, of
/// table[j] xor key[i] over the entries j = 0 … 255, `rounds` times over. In which order a thread goes
/// through the table is the variant's tunable `index`: with one order for all threads of a warp they read
/// one address at a time, with shifted orders as many addresses as there are threads.
/// What is read over and over from the table is counted from a variant's access pattern, and makes its
/// rate; nothing else decides.
class ConstantBroadcast final : public ElementwiseWorkload {
 public:
  ConstantBroadcast()
      : ElementwiseWorkload(
            {.name = "constant_broadcast",
             .doc =
                 "sums over a table of 256 words that all threads read, from one address at a time or from "
                 "many",
             .version = 2,
             .parameters = {integer_parameter("n", "results, one per thread", "262144"),
                            integer_parameter("rounds", "how often each thread goes through the table",
                                              "15", 1, 1048576)},
             .buffers = {{"table", "u32", "256"},
                         {"key", "u32", "n"},
                         {"out", "u32", "n", BufferRole::out}},
             .scalars = {passed("n"), passed("rounds")},
             .bytes_read = "0",
             .bytes_written = "0"},
            truth) {}

  void generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    if (buffer != 0) return ElementwiseWorkload::generate(spec, buffer, seed, first, out);
    auto* words = reinterpret_cast<std::uint32_t*>(out.data());
    for (std::size_t i = 0; i < out.size() / sizeof *words; ++i) {
      words[i] = table_entry(static_cast<std::uint32_t>(first + i));
    }
  }

 private:
  static constexpr std::uint32_t entries = 256;

  /// The table is the same for every seed: CUDA initialises constant memory when a kernel is compiled, from
  /// this same formula (plugins/cuda/kernels/constant_table.cuh). Only the keys are random.
  static constexpr std::uint32_t table_entry(std::uint32_t j) {
    std::uint32_t bits = (j + 1) * 0x9e3779b9U;
    bits ^= bits >> 16;
    bits *= 0x5851f42dU;
    return bits ^ (bits >> 15);
  }

  /// Sums modulo 2^32 do not round: every element is right to the bit or wrong.
  static ElementTruth truth(const ProblemSpec& spec, std::string_view /*precision*/, std::uint64_t seed) {
    const auto rounds = static_cast<std::uint32_t>(integer_of(spec.parameters, "rounds"));
    // How many entries have bit b: so many of table[j] xor key have it when key has not, the others when it
    // has. The sum follows from these 32 numbers.
    std::array<std::uint32_t, 32> with_bit{};
    for (std::uint32_t j = 0; j < entries; ++j) {
      for (std::uint32_t b = 0; b < 32; ++b) with_bit[b] += (table_entry(j) >> b) & 1U;
    }
    return each_element([rounds, with_bit, keys = RandomStream(seed, 1)](std::uint64_t i) {
      const auto key = static_cast<std::uint32_t>(draw(keys, ValueKind::uniform, DType::u32, i));
      std::uint32_t sum = 0;
      for (std::uint32_t b = 0; b < 32; ++b) {
        sum += (((key >> b) & 1U) != 0 ? entries - with_bit[b] : with_bit[b]) << b;
      }
      return static_cast<double>(rounds * sum);
    });
  }
};

const WorkloadRegistration constant_broadcast_registration(std::make_unique<ConstantBroadcast>());

}  // namespace

}  // namespace benchctl
