#include "workloads/matmul_reference.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "workloads/blas.hpp"
#include "workloads/generator.hpp"

namespace benchctl {

namespace {

constexpr std::uint64_t random_lines = 64;
// Streams of the secret.
constexpr std::uint64_t row_stream = 0;
constexpr std::uint64_t column_stream = 1;
constexpr std::uint64_t sign_stream = 2;

constexpr std::uint64_t depth_block = 512;
constexpr std::uint64_t column_block = 2048;
constexpr std::uint64_t row_block = 512;

/// Elements [column, column + width) of some rows of a row-major input with `stride` columns, as a dense
/// block.
void load_block(const MatmulInputs& inputs, std::size_t buffer, std::uint64_t stride,
                std::span<const std::uint64_t> rows, std::uint64_t column, std::uint64_t width,
                std::vector<double>& block) {
  block.resize(rows.size() * width);
  // One "element" is one row's piece, so that slices of the helper are whole pieces.
  const auto bytes = std::as_writable_bytes(std::span(block));
  fill_parallel(0, bytes, sizeof(double), 0, [&](std::uint64_t first, std::span<std::byte> slice) {
    const std::uint64_t end = first + slice.size() / sizeof(double);
    for (std::uint64_t at = first; at < end;) {
      const std::uint64_t row = at / width;
      const std::uint64_t offset = at % width;
      const std::uint64_t count = std::min(width - offset, end - at);
      inputs(buffer, rows[row] * stride + column + offset, count, block.data() + at);
      at += count;
    }
  });
}

std::vector<std::uint64_t> consecutive(std::uint64_t first, std::uint64_t count) {
  std::vector<std::uint64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

/// One pass over B: C's known rows, and Bx (k × vectors) if `x` has elements (vectors × n).
void multiply_rows(const MatmulShape& shape, const MatmulInputs& inputs,
                   std::span<const std::uint64_t> rows, std::vector<double>& row_values,
                   std::span<const double> x, std::span<double> bx) {
  std::vector<double> a;
  std::vector<double> b;
  for (std::uint64_t k0 = 0; k0 < shape.k; k0 += depth_block) {
    const std::uint64_t depth = std::min(depth_block, shape.k - k0);
    load_block(inputs, 0, shape.k, rows, k0, depth, a);
    for (std::uint64_t j0 = 0; j0 < shape.n; j0 += column_block) {
      const std::uint64_t width = std::min(column_block, shape.n - j0);
      load_block(inputs, 1, shape.n, consecutive(k0, depth), j0, width, b);
      dgemm({rows.size(), width, depth, a.data(), depth, b.data(), width, row_values.data() + j0, shape.n,
             k0 != 0});
      if (x.empty()) continue;
      for (std::uint64_t row = 0; row < depth; ++row) {
        const double* piece = b.data() + row * width;
        for (std::uint64_t v = 0; v < matmul_sign_vectors; ++v) {
          double& sum = bx[(k0 + row) * matmul_sign_vectors + v];
          sum = std::inner_product(piece, piece + width, x.data() + v * shape.n + j0, sum);
        }
      }
    }
  }
}

/// One pass over A: C's known columns and A(Bx), as one product with a right factor of |columns| + vectors
/// columns. `wide` is m × (|columns| + vectors).
void multiply_columns(const MatmulShape& shape, const MatmulInputs& inputs,
                      std::span<const std::uint64_t> columns, std::span<const double> bx,
                      std::vector<double>& wide) {
  const std::uint64_t width = columns.size() + matmul_sign_vectors;
  std::vector<double> a;
  std::vector<double> right;
  for (std::uint64_t k0 = 0; k0 < shape.k; k0 += depth_block) {
    const std::uint64_t depth = std::min(depth_block, shape.k - k0);
    right.resize(depth * width);
    for (std::uint64_t row = 0; row < depth; ++row) {
      double* piece = right.data() + row * width;
      for (std::size_t s = 0; s < columns.size(); ++s) {
        inputs(1, (k0 + row) * shape.n + columns[s], 1, piece + s);
      }
      const auto sums = bx.subspan((k0 + row) * matmul_sign_vectors, matmul_sign_vectors);
      std::ranges::copy(sums, piece + columns.size());
    }
    for (std::uint64_t i0 = 0; i0 < shape.m; i0 += row_block) {
      const std::uint64_t height = std::min(row_block, shape.m - i0);
      load_block(inputs, 0, shape.k, consecutive(i0, height), k0, depth, a);
      dgemm({height, width, depth, a.data(), depth, right.data(), width, wide.data() + i0 * width, width,
             k0 != 0});
    }
  }
}

}  // namespace

std::vector<std::uint64_t> sample_lines(std::uint64_t extent, const RandomStream& random) {
  if (extent <= 2 * random_lines) return consecutive(0, extent);
  std::set<std::uint64_t> lines;
  for (std::uint64_t draw = 0; lines.size() < random_lines; ++draw)
    lines.insert(random.bits(draw) % extent);
  lines.insert({0, extent - 1});
  for (std::uint64_t tile = 8; tile <= 256; tile *= 2) {
    const std::uint64_t border = (extent - 1) / tile * tile;
    if (border != 0) lines.insert({border - 1, border});
  }
  return {lines.begin(), lines.end()};
}

Reference matmul_reference(const MatmulShape& shape, std::uint64_t secret, const MatmulInputs& inputs) {
  const bool full = std::max({shape.m, shape.n, shape.k}) <= matmul_full_limit;
  Reference reference;
  auto& rows = reference.indices["rows"];
  auto& columns = reference.indices["columns"];
  auto& row_values = reference.reals["row_values"];
  auto& column_values = reference.reals["column_values"];
  auto& signs = reference.reals["signs"];
  auto& signed_sums = reference.reals["signed_sums"];

  rows = full ? consecutive(0, shape.m) : sample_lines(shape.m, RandomStream(secret, row_stream));
  row_values.resize(rows.size() * shape.n);
  if (rows.size() == shape.m) {
    multiply_rows(shape, inputs, rows, row_values, {}, {});
    return reference;
  }

  columns = sample_lines(shape.n, RandomStream(secret, column_stream));
  signs.resize(shape.n * matmul_sign_vectors);
  const RandomStream random(secret, sign_stream);
  for (std::uint64_t j = 0; j < signs.size(); ++j) signs[j] = random.sign(j);
  std::vector<double> bx(shape.k * matmul_sign_vectors);
  multiply_rows(shape, inputs, rows, row_values, signs, bx);

  const std::size_t width = columns.size() + matmul_sign_vectors;
  std::vector<double> wide(shape.m * width);
  multiply_columns(shape, inputs, columns, bx, wide);
  column_values.reserve(shape.m * columns.size());
  signed_sums.reserve(shape.m * matmul_sign_vectors);
  for (std::uint64_t i = 0; i < shape.m; ++i) {
    const auto row = wide.begin() + static_cast<std::ptrdiff_t>(i * width);
    const auto sums = row + static_cast<std::ptrdiff_t>(columns.size());
    column_values.insert(column_values.end(), row, sums);
    signed_sums.insert(signed_sums.end(), sums, sums + matmul_sign_vectors);
  }
  return reference;
}

}  // namespace benchctl
