// Float64 truth of a matrix product: which elements of C are known, and their values.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "workloads/generator.hpp"
#include "workloads/workload.hpp"

namespace benchctl {

struct MatmulShape {
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::uint64_t k = 0;
};

/// Writes elements [first, first + count) of A (buffer 0) or B (buffer 1), widened to float64.
using MatmulInputs =
    std::function<void(std::size_t buffer, std::uint64_t first, std::uint64_t count, double* out)>;

/// Up to this largest dimension, all of C is computed.
inline constexpr std::uint64_t matmul_full_limit = 512;

/// Vectors of random signs in Freivalds' check (R. Freivalds, "Probabilistic machines can use less running
/// time", 1977): C·x = A(Bx) for each x. One wrong element of a row always shows if its error exceeds the
/// tolerance of the row's sum. Several may cancel: for any errors e of a row, half of all signs give |e·x|
/// ≥ the largest |e_j| at least, so that a wrong row escapes all vectors with probability 1/16 at most. A
/// row whose errors are many escapes far less often.
inline constexpr std::uint64_t matmul_sign_vectors = 4;

/// Row or column numbers below `extent` to be compared element by element, ascending. All of them if
/// there are few; else 64 random ones and every one at an edge that goes wrong in practice: the first,
/// the last, and the two at the border of the last tile for tile sizes 8 to 256.
[[nodiscard]] std::vector<std::uint64_t> sample_lines(std::uint64_t extent, const RandomStream& random);

/// Arrays of the result:
///   indices `rows`, `columns`   numbers of the rows and columns of C that are known; all rows and no
///                               columns when all of C is
///   reals `row_values`          |rows| × n, row-major
///   reals `column_values`       m × |columns|, row-major
///   reals `signs`               the vectors x, each of n signs; empty when all of C is known
///   reals `signed_sums`         A(Bx): m × vectors, row-major
/// Rows, columns and signs are drawn from `secret`, which must not follow from anything that a kernel can
/// know. Memory: those arrays and a few blocks of some MB, whatever the size of the inputs.
[[nodiscard]] Reference matmul_reference(const MatmulShape& shape, std::uint64_t secret,
                                         const MatmulInputs& inputs);

/// Compares C, read in pieces of bounded size, with the reference.
[[nodiscard]] Verification matmul_check(const MatmulShape& shape, DType dtype, std::string_view precision,
                                        const Reference& reference, const BufferReader& read);

}  // namespace benchctl
