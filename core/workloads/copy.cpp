// out = in: the roof of everything that reads and writes each byte once.
#include "workloads/elements.hpp"
#include "workloads/parameters.hpp"
#include "workloads/values.hpp"

namespace benchctl {

namespace {

class Copy final : public Workload {
 public:
  [[nodiscard]] std::string_view name() const override { return "copy"; }
  [[nodiscard]] std::string_view doc() const override {
    return "out = in of n elements: the roof of kernels that read and write each byte once";
  }
  [[nodiscard]] std::uint32_t version() const override { return 1; }
  [[nodiscard]] std::span<const ParameterInfo> parameters() const override { return parameters_; }

  [[nodiscard]] ProblemSpec problem(const Parameters& parameters,
                                    const std::string& layout) const override {
    if (!layout.empty()) throw ProblemError("copy has one layout only");
    const std::uint64_t n = integer_of(parameters, "n");
    const DType type = dtype_of(parameters);
    ProblemSpec spec;
    spec.workload = name();
    spec.parameters = parameters;
    spec.buffers = {{"in", type, n, BufferRole::in, Space::device},
                    {"out", type, n, BufferRole::out, Space::device}};
    spec.scalars = {{"n", DType::i32, static_cast<std::int64_t>(n)}};
    return spec;
  }

  [[nodiscard]] Cost cost(const Parameters& parameters) const override {
    const auto n = static_cast<double>(integer_of(parameters, "n"));
    const double bytes = n * static_cast<double>(size_of(dtype_of(parameters)));
    return {.flops = 0, .bytes_read = bytes, .bytes_written = bytes};
  }

  void generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    draw_bytes(RandomStream(seed, buffer), value_kind_of(spec.parameters), spec.buffers.at(buffer).type,
               first, out);
  }

  [[nodiscard]] Reference reference(const ProblemSpec& /*spec*/, std::uint64_t seed) const override {
    return seed_reference(seed);
  }

  /// Values are moved, not computed: every element is right to the bit or wrong.
  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view /*precision*/,
                                   const Reference& reference, const BufferReader& read) const override {
    const DType type = dtype_of(spec.parameters);
    const ValueKind kind = value_kind_of(spec.parameters);
    const RandomStream in(seed_of(reference), 0);
    return check_elements(
        spec, 1,
        [&](std::uint64_t first, std::span<double> truth, std::span<double> /*tolerance*/) {
          draw_reals(in, kind, type, first, truth);
        },
        read);
  }

 private:
  std::vector<ParameterInfo> parameters_{
      integer_parameter("n", "elements", "16777216"), dtype_parameter(),
      values_parameter({ValueKind::uniform, ValueKind::denormal, ValueKind::special})};
};

const WorkloadRegistration copy_registration(std::make_unique<Copy>());

}  // namespace

}  // namespace benchctl
