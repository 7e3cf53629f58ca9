// A first launch of a product that copies its operands to rows which begin at multiples of 128 bytes, for
// kernels that copy no less than 16 bytes at a time.
#pragma once

#include "narrow.hpp"
#include "product_tilings.hpp"

#include <benchctl/kernel_spec.hpp>
#include <benchctl/problem.hpp>

#include <cstdint>
#include <filesystem>
#include <string>

namespace benchctl::cuda {

/// Which operands of a product are copied.
struct Repacked {
  bool a = false;
  bool b = false;
  [[nodiscard]] bool any() const { return a || b; }
  bool operator==(const Repacked&) const = default;
};

/// Bytes of an element of A and B.
[[nodiscard]] constexpr std::uint64_t element_bytes(Narrow kind) { return kind == Narrow::bf16 ? 2 : 4; }

/// Elements that a copied row is a multiple of.
[[nodiscard]] constexpr std::uint32_t row_unit(Narrow kind) {
  return static_cast<std::uint32_t>(128 / element_bytes(kind));
}

/// Those whose rows do not begin at multiples of 16 bytes.
[[nodiscard]] Repacked rows_to_repack(Narrow kind, const ProductSize& size);

/// The product with the rows of copied operands, from the beginning of one to the next, as n and k.
[[nodiscard]] ProductSize with_whole_rows(Narrow kind, const ProductSize& size, const Repacked& repacked);

/// Makes the last launch of `plan` take copies of what is to be repacked, and puts the launch that makes
/// them before it. Where that has two parts of A, taken apart by a launch of its own, the copy does that,
/// too. `plan` is for the size that with_whole_rows says, `size` that of the problem.
void add_repacking(KernelPlan& plan, const ProblemSpec& problem, Narrow kind, const ProductSize& size,
                   const Repacked& repacked, std::uint64_t compute_units,
                   const std::filesystem::path& kernels);

/// What that launch takes before the next one begins, as measured on an H100.
[[nodiscard]] std::uint64_t expected_repacking_ps(Narrow kind, const ProductSize& size,
                                                  const Repacked& repacked);

/// "A and B, in a launch of its own".
[[nodiscard]] std::string to_text(const Repacked& repacked);

}  // namespace benchctl::cuda
