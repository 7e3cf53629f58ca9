// Elements that are moved, or added once: copy, transpose, vector_add. Each byte is read or written once,
// so that memory bandwidth decides.
#include <cmath>

#include "workloads/built_in.hpp"

namespace benchctl {

namespace {

/// out = in: the roof of everything that reads and writes each byte once.
class Copy final : public ElementwiseWorkload {
 public:
  Copy()
      : ElementwiseWorkload(
            {.name = "copy",
             .doc = "out = in of n elements: the roof of kernels that read and write each byte once",
             .version = 1,
             .parameters = {
                 integer_parameter("n", "elements", "16777216"), dtype_parameter(),
                 values_parameter({ValueKind::uniform, ValueKind::denormal, ValueKind::special})}}) {}

 private:
  void define(ProblemSpec& spec) const override {
    const std::uint64_t n = integer_of(spec.parameters, "n");
    const DType type = dtype_of(spec.parameters);
    spec.buffers = {input_buffer("in", type, n), output_buffer("out", type, n)};
    spec.scalars = {integer_scalar("n", n)};
  }

  /// Values are moved, not computed: every element is right to the bit or wrong.
  [[nodiscard]] ElementTruth truth(const ProblemSpec& spec, std::string_view /*precision*/,
                                   std::uint64_t seed) const override {
    return each_element(
        [in = RandomStream(seed, 0), kind = value_kind_of(spec.parameters),
         type = dtype_of(spec.parameters)](std::uint64_t i) { return draw(in, kind, type, i); });
  }
};

/// out = inᵀ, both row-major: every element is moved once, and nothing is computed. A plain loop reads or
/// writes with a stride of a whole row; what counts is who turns the strides into runs.
class Transpose final : public ElementwiseWorkload {
 public:
  Transpose()
      : ElementwiseWorkload(
            {.name = "transpose",
             .doc = "out = inᵀ, row-major, in rows × columns: every element is moved once, one side is "
                    "strided",
             .version = 1,
             .parameters = {integer_parameter("rows", "rows of in, columns of out", "4096"),
                            integer_parameter("columns", "columns of in, rows of out", "rows"),
                            dtype_parameter(),
                            values_parameter({ValueKind::uniform, ValueKind::wide, ValueKind::special})}}) {
  }

 private:
  void define(ProblemSpec& spec) const override {
    const std::uint64_t rows = integer_of(spec.parameters, "rows");
    const std::uint64_t columns = integer_of(spec.parameters, "columns");
    const DType type = dtype_of(spec.parameters);
    check_size("in", static_cast<double>(rows) * static_cast<double>(columns), type);
    spec.buffers = {input_buffer("in", type, rows * columns), output_buffer("out", type, rows * columns)};
    spec.scalars = {integer_scalar("rows", rows), integer_scalar("columns", columns)};
  }

  /// Values are moved, not computed: every element is right to the bit or wrong.
  [[nodiscard]] ElementTruth truth(const ProblemSpec& spec, std::string_view /*precision*/,
                                   std::uint64_t seed) const override {
    const std::uint64_t rows = integer_of(spec.parameters, "rows");
    const std::uint64_t columns = integer_of(spec.parameters, "columns");
    return each_element([rows, columns, in = RandomStream(seed, 0), kind = value_kind_of(spec.parameters),
                         type = dtype_of(spec.parameters)](std::uint64_t at) {
      // Element [c, r] of out, at c·rows + r, is element [r, c] of in, at r·columns + c.
      return draw(in, kind, type, (at % rows) * columns + at / rows);
    });
  }
};

/// c = a + b: one addition for twelve bytes, no value used twice.
class VectorAdd final : public ElementwiseWorkload {
 public:
  VectorAdd()
      : ElementwiseWorkload(
            {.name = "vector_add",
             .doc = "c = a + b of n elements: no value is used twice, so memory bandwidth decides",
             .version = 1,
             .parameters = {integer_parameter("n", "elements of each vector", "16777216"),
                            dtype_parameter(),
                            values_parameter({ValueKind::uniform, ValueKind::wide, ValueKind::denormal,
                                              ValueKind::special, ValueKind::nan, ValueKind::infinity,
                                              ValueKind::negative_infinity, ValueKind::zeros})}}) {}

 private:
  void define(ProblemSpec& spec) const override {
    const std::uint64_t n = integer_of(spec.parameters, "n");
    const DType type = dtype_of(spec.parameters);
    spec.buffers = {input_buffer("a", type, n), input_buffer("b", type, n), output_buffer("c", type, n)};
    spec.scalars = {integer_scalar("n", n)};
  }

  [[nodiscard]] ElementTruth truth(const ProblemSpec& spec, std::string_view precision,
                                   std::uint64_t seed) const override {
    // One rounded addition; twice that covers a float64 truth that is rounded itself.
    return each_element([a = RandomStream(seed, 0), b = RandomStream(seed, 1),
                         kind = value_kind_of(spec.parameters), type = dtype_of(spec.parameters)](
                            std::uint64_t i) { return draw(a, kind, type, i) + draw(b, kind, type, i); },
                        2 * unit_roundoff(precision));
  }
};

const WorkloadRegistration copy_registration(std::make_unique<Copy>());
const WorkloadRegistration transpose_registration(std::make_unique<Transpose>());
const WorkloadRegistration vector_add_registration(std::make_unique<VectorAdd>());

}  // namespace

}  // namespace benchctl
