// A program of a config that makes inputs of a workload and what is right, `[workload.NAME.data]`, or that
// judges outputs, `program` of `[workload.NAME.check]`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <benchctl/problem.hpp>

namespace benchctl {

struct DataProgram {
  std::vector<std::string> run;      ///< its words, files of the config as absolute paths; empty: none
  std::vector<std::string> digests;  ///< contents of these files; empty for other words
  std::string folder;                ///< the config's, absolute
  bool is_judge = false;
  std::string written;  ///< the folder with what it wrote, for all problems of a run
  double seconds = 0;   ///< how long it may take
  std::string file;     ///< the config, for messages
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// The folder below DataProgram::written with what belongs to one problem and seed: the program's working
/// folder.
[[nodiscard]] std::filesystem::path data_folder(const DataProgram& program, const ProblemSpec& spec,
                                                std::uint64_t seed);

}  // namespace benchctl
