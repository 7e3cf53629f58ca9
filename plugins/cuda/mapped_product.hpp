// Products on tensor cores that need more than their plan: tensor maps in place of addresses, and launches
// that overlap.
#pragma once

#include <benchctl/backend.hpp>

#include <memory>

namespace benchctl::cuda {

class DeviceProblem;

/// A plan with extras. A and B become tensor maps where its last launch has `tensor_maps`. Where that
/// launch has `early` and no two of its blocks share a multiprocessor, it begins before the launch ahead of
/// it has ended. Throws Failure as PreparedKernel does.
[[nodiscard]] std::unique_ptr<Prepared> make_mapped_product(DeviceProblem& problem, const KernelPlan& plan);

}  // namespace benchctl::cuda
