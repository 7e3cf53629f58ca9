// Memory instructions of workload `matmul` by the kernels with one thread per element of C: C (m×n) = A
// (m×k) · B (k×n), row-major. Global memory alone: compilers merge reads of shared memory, so nobody knows
// their number from the source. What a first-level cache keeps from one step along k to the next counts in
// each step.
#pragma once

#include <benchctl/access_spec.hpp>

namespace benchctl::patterns {

/// An element of a matrix with rows of `pitch` elements.
[[nodiscard]] inline AccessSpec matrix_element(AccessKind kind, const char* operand, const std::string& row,
                                               const std::string& column, const std::string& pitch,
                                               const std::string& times) {
  const std::string rows = std::string(operand) == "B" ? "k" : "m";
  const std::string place = "(" + row + " * " + pitch + " + " + column + ") * sizeof(dtype)";
  return access(AccessSpace::global, kind, operand, place, "sizeof(dtype)",
                row + " < " + rows + " and " + column + " < " + pitch, times);
}

/// Every operand of every product from global memory, by blocks of `block_x` × `block_y` threads, both
/// tunables.
[[nodiscard]] inline Accesses product_from_global_memory() {
  const std::string row = "(by * block_y + ty)";
  const std::string column = "(bx * block_x + tx)";
  Accesses all = {matrix_element(AccessKind::read, "A", row, "0", "k", "k"),
                  matrix_element(AccessKind::read, "B", "0", column, "n", "k"),
                  matrix_element(AccessKind::write, "C", row, column, "n", "1")};
  all[0].active += " and " + column + " < n";
  all[1].active += " and " + row + " < m";
  return all;
}

/// Tiles of `tile` × `tile` elements, a tunable, staged in shared memory. C is stored `stores` times.
[[nodiscard]] inline Accesses product_of_tiles(const std::string& stores = "1") {
  const std::string row = "(by * tile + ty)";
  const std::string column = "(bx * tile + tx)";
  const std::string steps = "ceil_div(k, tile)";
  return {matrix_element(AccessKind::read, "A", row, "tx", "k", steps),
          matrix_element(AccessKind::read, "B", "ty", column, "n", steps),
          matrix_element(AccessKind::write, "C", row, column, "n", stores)};
}

/// The same, with C stored in every step along k.
[[nodiscard]] inline Accesses product_stored_in_every_step() {
  return product_of_tiles("ceil_div(k, tile)");
}

}  // namespace benchctl::patterns
