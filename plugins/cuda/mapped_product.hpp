// Products on tensor cores that need more than their plan: tensor maps in place of addresses, and launches
// that overlap.
#pragma once

#include "table.hpp"

namespace benchctl::cuda {

/// As the request's plan says. A and B become tensor maps where its last launch is of wgmma_* or has
/// COPY_ENGINE = 1. Where that launch has AWAITS = 1 and no two of its blocks share a multiprocessor, it
/// begins before the launch ahead of it has ended. Throws Failure as PreparedKernel does.
[[nodiscard]] std::unique_ptr<Prepared> make_mapped_product(DeviceProblem& problem,
                                                            const PrepareRequest& request);

}  // namespace benchctl::cuda
