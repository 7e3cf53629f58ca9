// Sums of rows of a small table, read over and over from shared memory: out[i] is the sum, modulo 2^32, of
// the rows i, i + 1, … i + rounds - 1 of a table of 32 rows of eight 32-bit words, counted modulo 32.
//
// A variant is free to lay the table out in shared memory as it likes. All lanes of a warp read rows of
// their own, and each round moves every lane to the next row, so that all rounds have the same pattern of
// banks, no load can be spared, and every word that is read counts in a result.
#include <array>

#include "workloads/elements.hpp"
#include "workloads/parameters.hpp"
#include "workloads/values.hpp"

namespace benchctl {

namespace {

constexpr std::size_t rows = 32;
constexpr std::size_t row_words = 8;

class SharedStride final : public Workload {
 public:
  [[nodiscard]] std::string_view name() const override { return "shared_stride"; }
  [[nodiscard]] std::string_view doc() const override {
    return "sums of table rows, read repeatedly from shared memory: its banks decide the time";
  }
  [[nodiscard]] std::uint32_t version() const override { return 2; }
  [[nodiscard]] std::span<const ParameterInfo> parameters() const override { return parameters_; }

  [[nodiscard]] ProblemSpec problem(const Parameters& parameters,
                                    const std::string& layout) const override {
    if (!layout.empty()) throw ProblemError("shared_stride has one layout only; 'stride' is a tunable");
    const std::uint64_t n = integer_of(parameters, "n");
    ProblemSpec spec;
    spec.workload = name();
    spec.parameters = parameters;
    spec.buffers = {{"table", DType::u32, rows * row_words, BufferRole::in, Space::device},
                    {"out", DType::u32, n, BufferRole::out, Space::device}};
    spec.scalars = {{"n", DType::i32, static_cast<std::int64_t>(n)},
                    {"rounds", DType::i32, static_cast<std::int64_t>(integer_of(parameters, "rounds"))}};
    return spec;
  }

  /// Nothing that decides: what is read over and over from shared memory is counted from a variant's access
  /// pattern, and makes its rate.
  [[nodiscard]] Cost cost(const Parameters& /*parameters*/) const override { return {}; }

  void generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    draw_bytes(RandomStream(seed, buffer), ValueKind::uniform, spec.buffers.at(buffer).type, first, out);
  }

  [[nodiscard]] Reference reference(const ProblemSpec& /*spec*/, std::uint64_t seed) const override {
    return seed_reference(seed);
  }

  /// Sums modulo 2^32 do not round: every element is right to the bit or wrong.
  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view /*precision*/,
                                   const Reference& reference, const BufferReader& read) const override {
    const std::uint64_t rounds = integer_of(spec.parameters, "rounds");
    const std::array<std::uint32_t, rows> results =
        results_by_lane(RandomStream(seed_of(reference), 0), rounds);
    return check_elements(
        spec, 1,
        [&](std::uint64_t first, std::span<double> truth, std::span<double> /*tolerance*/) {
          for (std::size_t i = 0; i < truth.size(); ++i) truth[i] = results[(first + i) % rows];
        },
        read);
  }

 private:
  static std::array<std::uint32_t, rows> results_by_lane(const RandomStream& table, std::uint64_t rounds) {
    std::array<std::uint32_t, rows> sums{};
    for (std::size_t word = 0; word < rows * row_words; ++word) {
      sums[word / row_words] +=
          static_cast<std::uint32_t>(draw(table, ValueKind::uniform, DType::u32, word));
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

  std::vector<ParameterInfo> parameters_{
      integer_parameter("n", "results, one per thread", "262144"),
      integer_parameter("rounds", "rows that each thread reads, eight words each", "2000")};
};

const WorkloadRegistration shared_stride_registration(std::make_unique<SharedStride>());

}  // namespace

}  // namespace benchctl
