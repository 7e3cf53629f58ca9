// The table of native variants; those of kernel files are in kernels/*.toml.
#pragma once

#include <benchctl/backend.hpp>
#include <benchctl/variant_table.hpp>

#include <memory>

namespace benchctl::cuda {

class DeviceProblem;

/// Makes a native variant ready. Throws Failure.
using MakeNative = std::unique_ptr<Prepared> (*)(DeviceProblem& problem, const PrepareRequest& request);
using Table = VariantTable<MakeNative>;

}  // namespace benchctl::cuda
