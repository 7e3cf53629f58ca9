// The variants of workload `matmul`.
#pragma once

#include <benchctl/backend.hpp>

#include <memory>
#include <vector>

#include "executable.hpp"
#include "machine.hpp"

namespace benchctl::cpu_avx {

[[nodiscard]] std::vector<VariantInfo> matmul_variants();

/// Binds a variant of the table to a problem. Failure unsupported: unknown variant, a feature that the
/// processor lacks, more threads than cores, no vendor library.
[[nodiscard]] std::unique_ptr<Executable> make_matmul(const PrepareRequest& request,
                                                      const ProblemSpec& spec, Machine& machine);

}  // namespace benchctl::cpu_avx
