// out = inᵀ, both row-major: every element is moved once, and nothing is computed. A plain loop reads or
// writes with a stride of a whole row; what counts is who turns the strides into runs.
#include "workloads/elements.hpp"
#include "workloads/parameters.hpp"
#include "workloads/values.hpp"

namespace benchctl {

namespace {

class Transpose final : public Workload {
 public:
  [[nodiscard]] std::string_view name() const override { return "transpose"; }
  [[nodiscard]] std::string_view doc() const override {
    return "out = inᵀ, row-major, in rows × columns: every element is moved once, one side is strided";
  }
  [[nodiscard]] std::uint32_t version() const override { return 1; }
  [[nodiscard]] std::span<const ParameterInfo> parameters() const override { return parameters_; }

  [[nodiscard]] ProblemSpec problem(const Parameters& parameters,
                                    const std::string& layout) const override {
    if (!layout.empty()) throw ProblemError("transpose has one layout only (row-major)");
    const std::uint64_t rows = integer_of(parameters, "rows");
    const std::uint64_t columns = integer_of(parameters, "columns");
    const DType type = dtype_of(parameters);
    check_size("in", static_cast<double>(rows) * static_cast<double>(columns), type);
    ProblemSpec spec;
    spec.workload = name();
    spec.parameters = parameters;
    spec.buffers = {{"in", type, rows * columns, BufferRole::in, Space::device},
                    {"out", type, rows * columns, BufferRole::out, Space::device}};
    spec.scalars = {{"rows", DType::i32, static_cast<std::int64_t>(rows)},
                    {"columns", DType::i32, static_cast<std::int64_t>(columns)}};
    return spec;
  }

  [[nodiscard]] Cost cost(const Parameters& parameters) const override {
    const auto rows = static_cast<double>(integer_of(parameters, "rows"));
    const auto columns = static_cast<double>(integer_of(parameters, "columns"));
    const double bytes = rows * columns * static_cast<double>(size_of(dtype_of(parameters)));
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
    const std::uint64_t rows = integer_of(spec.parameters, "rows");
    const std::uint64_t columns = integer_of(spec.parameters, "columns");
    const DType type = dtype_of(spec.parameters);
    const ValueKind kind = value_kind_of(spec.parameters);
    const RandomStream in(seed_of(reference), 0);
    return check_elements(
        spec, 1,
        [&](std::uint64_t first, std::span<double> truth, std::span<double> /*tolerance*/) {
          // Element [c, r] of out, at c·rows + r, is element [r, c] of in, at r·columns + c.
          for (std::size_t i = 0; i < truth.size(); ++i) {
            const std::uint64_t at = first + i;
            truth[i] = draw(in, kind, type, (at % rows) * columns + at / rows);
          }
        },
        read);
  }

 private:
  std::vector<ParameterInfo> parameters_{
      integer_parameter("rows", "rows of in, columns of out", "4096"),
      integer_parameter("columns", "columns of in, rows of out", "rows"), dtype_parameter(),
      values_parameter({ValueKind::uniform, ValueKind::wide, ValueKind::special})};
};

const WorkloadRegistration transpose_registration(std::make_unique<Transpose>());

}  // namespace

}  // namespace benchctl
