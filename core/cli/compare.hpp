// What `compare` and `ab` share: how they judge, what they write, and how they end.
#pragma once

#include "cli/command.hpp"
#include "report/compare.hpp"

#include <map>

namespace benchctl::cli {

struct CompareOutputs {
  std::string format;
  std::string file;                          ///< what `format` is written to; empty: standard output
  std::map<std::string, std::string> files;  ///< more of them, by format; empty: none
  std::string policy;
  std::string threshold;
  bool all = false;
};

/// Adds --format, --output, a file for each format that a CI reads, --policy, --threshold and --all.
void add_compare_outputs(CLI::App& command, CompareOutputs& outputs);

/// Policy and threshold: the threshold of the command line, else the policy's, else that of [compare] in
/// the config `config_text`, called `label`, else 0.01. Throws ConfigErrors, UsageError.
[[nodiscard]] CompareOptions compare_options(const CompareOutputs& outputs, const std::string& config_text,
                                             const std::string& label);

/// Opens each file, so that one that cannot be written is told before anything is measured. Makes and
/// changes none. Throws UsageError.
void try_outputs(const CompareOutputs& outputs);

/// Writes all requested outputs; returns the exit code of the verdict.
[[nodiscard]] int write_comparison(const CompareResult& result, const CompareOutputs& outputs);

}  // namespace benchctl::cli
