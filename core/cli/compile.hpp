// Kernels of a config, compiled without being measured; for GPUs whether or not such a device is here.
#pragma once

#include "cli/selection.hpp"
#include "engine/compile_pool.hpp"

#include <string>
#include <vector>

namespace benchctl::cli {

struct CompiledPoint {
  std::string kernel;  ///< `matmul/mine TILE=16`
  std::string backend;
  std::string architecture;
  CompileOutcome outcome;
};

/// Compiles every kernel that the selection's config launches, those that searches begin with included, for
/// `architecture` or, if that is empty, for those of the devices that are here. Points with the same code
/// are one. Throws UsageError where nothing can be compiled.
[[nodiscard]] std::vector<CompiledPoint> compile_points(const Selection& selection,
                                                        const SelectionOptions& options,
                                                        const std::string& architecture,
                                                        ChannelFactory& factory);

/// A table of what kernels need, then logs: of those that failed, of all if there is one.
[[nodiscard]] std::string compiled_text(const std::vector<CompiledPoint>& points, std::size_t width);
[[nodiscard]] nlohmann::json compiled_json(const std::vector<CompiledPoint>& points);

}  // namespace benchctl::cli
