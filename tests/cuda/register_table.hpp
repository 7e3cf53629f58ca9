// docs/registers.csv: what ptxas reports of every kernel that a variant claims to compile.
#pragma once

#include "ptxas_log.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl::test {

/// What was compiled.
struct CompiledKernel {
  std::string workload;
  std::string kernel;       ///< the entry point
  std::string definitions;  ///< `BLOCK=256 REAL=float`
  std::string architecture;
  auto operator<=>(const CompiledKernel&) const = default;
};

/// `matmul: matmul_naive [REAL=float] for sm_80`
[[nodiscard]] std::string to_text(const CompiledKernel& kernel);
/// `32 registers, 0 bytes of spill stores, 0 of spill loads, 4096 bytes of shared memory`
[[nodiscard]] std::string to_text(const cuda::KernelUsage& usage);

struct RegisterTable {
  std::string nvrtc;  ///< version of the compiler: `13.0.88`
  /// Of the usage, registers, spills and static shared memory are kept.
  std::map<CompiledKernel, cuda::KernelUsage> rows;
};

[[nodiscard]] std::string to_csv(const RegisterTable& table);
/// Throws std::runtime_error with the number of the line that is none of a table's.
[[nodiscard]] RegisterTable parse_register_table(std::string_view csv);

/// One line for each kernel that is in one of the two alone or that they tell different things of.
/// Registers differ by two eights of them or more: a multiprocessor deals them out by eights, and
/// NVRTC 13.0 does not always make the same code of the same source (119 or 123 registers of one kernel,
/// from one run to the next).
[[nodiscard]] std::vector<std::string> differences(const std::map<CompiledKernel, cuda::KernelUsage>& table,
                                                   const std::map<CompiledKernel, cuda::KernelUsage>& now);

}  // namespace benchctl::test
