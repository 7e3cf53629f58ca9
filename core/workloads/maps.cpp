// Elements that are moved, or added once: copy, transpose, vector_add. Each byte is read or written once,
// so that memory bandwidth decides.
#include "workloads/basic.hpp"

namespace benchctl {

namespace {

/// Element i of the output is element `from(i)` of the input: to the bit, since nothing is computed.
template <class Function>
ElementTruth moved(const ProblemSpec& spec, std::uint64_t seed, Function from) {
  return each_element(
      [from, in = RandomStream(seed, 0), kind = value_kind_of(spec.parameters),
       type = dtype_of(spec.parameters)](std::uint64_t i) { return draw(in, kind, type, from(i)); });
}

/// out = in: the roof of everything that reads and writes each byte once.
const WorkloadRegistration copy_registration(std::make_unique<ElementwiseWorkload>(
    BasicWorkload::Traits{
        .name = "copy",
        .doc = "out = in of n elements: the roof of kernels that read and write each byte once",
        .version = 1,
        .parameters = {integer_parameter("n", "elements", "16777216"), dtype_parameter(),
                       values_parameter({ValueKind::uniform, ValueKind::denormal, ValueKind::special})},
        .buffers = {{"in", "dtype", "n"}, {"out", "dtype", "n", BufferRole::out}},
        .scalars = {passed("n")}},
    [](const ProblemSpec& spec, std::string_view /*precision*/, std::uint64_t seed) {
      return moved(spec, seed, [](std::uint64_t i) { return i; });
    }));

/// out = inᵀ, both row-major: every element is moved once, and nothing is computed. A plain loop reads or
/// writes with a stride of a whole row; what counts is who turns the strides into runs.
const WorkloadRegistration transpose_registration(std::make_unique<ElementwiseWorkload>(
    BasicWorkload::Traits{
        .name = "transpose",
        .doc = "out = inᵀ, row-major, in rows × columns: every element is moved once, one side is strided",
        .version = 1,
        .parameters = {integer_parameter("rows", "rows of in, columns of out", "4096"),
                       integer_parameter("columns", "columns of in, rows of out", "rows"),
                       dtype_parameter(),
                       values_parameter({ValueKind::uniform, ValueKind::wide, ValueKind::special})},
        .buffers = {{"in", "dtype", "rows * columns"}, {"out", "dtype", "rows * columns", BufferRole::out}},
        .scalars = {passed("rows"), passed("columns")}},
    [](const ProblemSpec& spec, std::string_view /*precision*/, std::uint64_t seed) {
      // Element [c, r] of out, at c·rows + r, is element [r, c] of in, at r·columns + c.
      return moved(
          spec, seed,
          [rows = integer_of(spec.parameters, "rows"), columns = integer_of(spec.parameters, "columns")](
              std::uint64_t at) { return (at % rows) * columns + at / rows; });
    }));

/// c = a + b: one addition for twelve bytes, no value used twice.
const WorkloadRegistration vector_add_registration(std::make_unique<ElementwiseWorkload>(
    BasicWorkload::Traits{
        .name = "vector_add",
        .doc = "c = a + b of n elements: no value is used twice, so memory bandwidth decides",
        .version = 1,
        .parameters = {integer_parameter("n", "elements of each vector", "16777216"), dtype_parameter(),
                       values_parameter({ValueKind::uniform, ValueKind::wide, ValueKind::denormal,
                                         ValueKind::special, ValueKind::nan, ValueKind::infinity,
                                         ValueKind::negative_infinity, ValueKind::zeros})},
        .buffers = {{"a", "dtype", "n"}, {"b", "dtype", "n"}, {"c", "dtype", "n", BufferRole::out}},
        .scalars = {passed("n")}},
    [](const ProblemSpec& spec, std::string_view precision, std::uint64_t seed) {
      // One rounded addition; twice that covers a float64 truth that is rounded itself.
      return each_element([a = RandomStream(seed, 0), b = RandomStream(seed, 1),
                           kind = value_kind_of(spec.parameters), type = dtype_of(spec.parameters)](
                              std::uint64_t i) { return draw(a, kind, type, i) + draw(b, kind, type, i); },
                          2 * unit_roundoff(precision));
    }));

}  // namespace

}  // namespace benchctl
