// What a form of matmul/skinny for a matrix and up to four vectors must be, whatever the language of its
// kernel. For test programs that have plugins/gpu.
#pragma once

#include <benchctl/kernel_spec.hpp>

#include <catch2/catch_test_macros.hpp>

#include "gpu/vector_forms.hpp"

#include <algorithm>

namespace benchctl::test {

/// Whether it covers C and k on a device of so many compute units, for elements of so many bytes.
inline void check_vector_form(const gpu::VectorForm& form, const gpu::ProductSize& size,
                              std::uint32_t element, std::uint64_t units) {
  const std::uint64_t rows =
      form.by_columns ? form.blocks * form.warps / form.share * form.rows : form.rows;
  const std::uint64_t columns = form.by_columns ? form.columns : form.blocks * form.lanes * 16 / element;
  CHECK(rows >= size.m);
  CHECK(columns >= size.n);
  CHECK((form.by_columns ? form.columns == size.n : form.rows == size.m));
  CHECK(form.warps % form.share == 0);
  CHECK(32 % form.lanes == 0);
  CHECK(form.splits >= 1);
  CHECK(form.splits <= std::max<std::uint64_t>(1, 4 * units));
  CHECK(form.packed == ((form.by_columns ? size.k : size.n) * element % 16 == 0));
}

/// Whether its launch has room for the sums of all blocks, and takes no more than every GPU has.
inline void check_vector_plan(const KernelPlan& plan, const gpu::VectorForm& form, std::uint32_t element) {
  CHECK(plan.launches.front().local_bytes <= 48 * 1024);
  CHECK(plan.launches.front().block[0] <= 1024);
  CHECK(plan.scratch.back().count == form.blocks);
  if (form.splits == 1) return;
  const std::uint64_t outputs = form.by_columns ? form.warps / form.share * form.rows * form.columns
                                                : form.rows * form.lanes * 16 / element;
  CHECK(plan.scratch.front().count * 8 >= form.blocks * form.splits * outputs * element);
}

/// Calls check(size, type, units) with products of one to four vectors and a matrix of any shape.
template <class Check>
void for_each_vector_product(const Check& check) {
  for (const DType type : {DType::f32, DType::f64}) {
    for (const std::uint64_t units : {1, 20, 132, 188}) {
      for (const std::uint64_t few : {1, 2, 3, 4}) {
        for (const std::uint64_t many : {1, 33, 100, 4096, 1'000'003}) {
          for (const std::uint64_t k : {1, 31, 1001, 100'000}) {
            check(gpu::ProductSize{many, few, k}, type, units);
            check(gpu::ProductSize{few, many, k}, type, units);
          }
        }
      }
    }
  }
}

}  // namespace benchctl::test
