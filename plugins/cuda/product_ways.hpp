// Products in several forms, for a trial.
#pragma once

#include "gpu/ranked.hpp"
#include "gpu/trials.hpp"

#include "prepared_kernel.hpp"

#include <utility>
#include <vector>

namespace benchctl::cuda {

/// A way for each of `products`, whose kernels are compiled at once, beforehand. A product has a `plan`;
/// `name` and `prepare` are called with one, the latter with the problem, too, which must outlive the ways.
template <class Product, class Name, class Prepare>
[[nodiscard]] std::vector<gpu::Way> product_ways(DeviceProblem& problem,
                                                 std::vector<gpu::Ranked<Product>> products,
                                                 const Name& name, const Prepare& prepare) {
  std::vector<const KernelPlan*> plans;
  for (const auto& [product, ns] : products) plans.push_back(&product.plan);
  compile_ahead(problem, plans);
  std::vector<gpu::Way> ways;
  for (auto& [product, ns] : products) {
    std::string text = name(product);
    ways.push_back({std::move(text), [&problem, prepare, product = std::move(product)] {
                      return prepare(problem, product);
                    }});
  }
  return ways;
}

}  // namespace benchctl::cuda
