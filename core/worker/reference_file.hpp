// Arrays in files: references, which every worker of a run reads, and buffers, to look at what is wrong.
#pragma once

#include "workloads/workload.hpp"

#include <filesystem>

namespace benchctl {

/// Writes the file whole or not at all. Throws std::runtime_error with the path.
void save_reference(const Reference& reference, const std::filesystem::path& file);
/// Throws std::runtime_error when the file is missing or damaged.
[[nodiscard]] Reference load_reference(const std::filesystem::path& file);

/// Writes the elements as a `.npy` file. Throws std::runtime_error that names it.
void write_array(const std::filesystem::path& file, DType type, std::span<const std::byte> elements);

/// Writes NAME.npy for each buffer into the folder, which is made; where the reference has every element of
/// an output, also NAME.truth.npy and NAME.difference.npy, which is what the buffer holds minus the truth
/// in float64. Elements of bf16 are their bits. Throws std::runtime_error that names the file.
void dump_buffers(const ProblemSpec& spec, const BufferReader& read, const Reference& reference,
                  const std::filesystem::path& folder);

}  // namespace benchctl
