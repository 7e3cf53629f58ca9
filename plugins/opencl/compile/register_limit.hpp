// A limit of registers that a kernel asks for.
#pragma once

#include "gpu/source_text.hpp"

#include <cstdint>
#include <optional>

namespace benchctl::opencl {

using gpu::Defines;

/// The definition REGISTERS, which becomes a compiler's option beside the definition; 0: no limit.
/// Failure compile_error if it is not a number: another text could carry other options.
[[nodiscard]] std::optional<std::uint64_t> register_limit(const Defines& defines);

}  // namespace benchctl::opencl
