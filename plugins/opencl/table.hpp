// The variant table: one file per workload in variants/ registers its entries.
#pragma once

#include <benchctl/backend.hpp>
#include <benchctl/variant_table.hpp>

#include "gpu/variants.hpp"

#include "buffers.hpp"
#include "work.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace benchctl::opencl {

/// Makes a native variant ready. Throws Failure: unsupported when its library is not there.
using MakeNative = std::unique_ptr<Work> (*)(const OpenDevice& device, const Buffers& buffers,
                                             const PrepareRequest& request);

/// One of several ways to do what a variant does, for a trial.
struct NamedWork {
  std::string name;
  std::function<std::unique_ptr<Work>()> make;  ///< throws Failure
};
/// Lists them, those that are expected to be quickest first, one at least.
using ListWays = std::vector<NamedWork> (*)(const OpenDevice& device, const Buffers& buffers,
                                            const PrepareRequest& request);

/// What a native variant is made by: one of the two, or none for a source file.
struct Native {
  MakeNative make = nullptr;
  ListWays ways = nullptr;

  Native() = default;
  Native(MakeNative function) : make(function) {}  // NOLINT(google-explicit-constructor)
  Native(ListWays function) : ways(function) {}    // NOLINT(google-explicit-constructor)
};
using Table = VariantTable<Native>;

/// Of the variants that backends share.
[[nodiscard]] inline gpu::Language language() { return {.suffix = ".cl"}; }

}  // namespace benchctl::opencl
