// Blocks of 16 × 16 numbers, doubled by way of shared memory: out = 2·in. The indices decide how many
// threads of a warp meet in one bank of shared memory, and whether global accesses are coalesced; what is
// computed stays the same.
#include "workloads/elements.hpp"
#include "workloads/parameters.hpp"
#include "workloads/values.hpp"

namespace benchctl {

namespace {

constexpr std::uint64_t block_elements = 256;

class BankConflicts final : public Workload {
 public:
  [[nodiscard]] std::string_view name() const override { return "bank_conflicts"; }
  [[nodiscard]] std::string_view doc() const override {
    return "out = 2·in in blocks of 16 × 16 floats, doubled in shared memory with different index orders";
  }
  [[nodiscard]] std::uint32_t version() const override { return 1; }
  [[nodiscard]] std::span<const ParameterInfo> parameters() const override { return parameters_; }

  [[nodiscard]] ProblemSpec problem(const Parameters& parameters,
                                    const std::string& layout) const override {
    if (!layout.empty()) throw ProblemError("bank_conflicts has one layout only");
    const std::uint64_t n = integer_of(parameters, "blocks") * block_elements;
    ProblemSpec spec;
    spec.workload = name();
    spec.parameters = parameters;
    spec.buffers = {{"in", DType::f32, n, BufferRole::in, Space::device},
                    {"out", DType::f32, n, BufferRole::out, Space::device}};
    return spec;
  }

  [[nodiscard]] Cost cost(const Parameters& parameters) const override {
    const auto n = static_cast<double>(integer_of(parameters, "blocks") * block_elements);
    return {.flops = 0, .bytes_read = 4 * n, .bytes_written = 4 * n};
  }

  void generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    draw_bytes(RandomStream(seed, buffer), ValueKind::uniform, spec.buffers.at(buffer).type, first, out);
  }

  [[nodiscard]] Reference reference(const ProblemSpec& /*spec*/, std::uint64_t seed) const override {
    return seed_reference(seed);
  }

  /// Doubling is exact: every element is right to the bit or wrong.
  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view /*precision*/,
                                   const Reference& reference, const BufferReader& read) const override {
    const RandomStream in(seed_of(reference), 0);
    return check_elements(
        spec, 1,
        [&](std::uint64_t first, std::span<double> truth, std::span<double> /*tolerance*/) {
          for (std::size_t i = 0; i < truth.size(); ++i) {
            truth[i] = 2.0 * static_cast<double>(in.f32(first + i));
          }
        },
        read);
  }

 private:
  std::vector<ParameterInfo> parameters_{
      integer_parameter("blocks", "blocks of 16 × 16 floats", "256", 1, 8388607)};
};

const WorkloadRegistration bank_conflicts_registration(std::make_unique<BankConflicts>());

}  // namespace

}  // namespace benchctl
