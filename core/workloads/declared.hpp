// A workload as data: what a config declares in `[workload.NAME]` where no workload of the program says
// what is computed. Serialisable, since the processes that measure must have it, too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/basic.hpp"

namespace benchctl {

/// A program of a config that makes inputs of a workload and what is right, `[workload.NAME.data]`, or that
/// judges outputs, `program` of `[workload.NAME.check]`.
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

/// What is right: the outputs of a kernel that is trusted, files, what a program says of each result, or
/// else what the data program writes.
/// |value - truth| may be `absolute` + `relative` · |truth|, but for a `share` of the elements; no error
/// may exceed `max_abs`, nor that of all `rel_l2` · ‖truth‖. Expressions, in which `roundoff` is half the
/// distance from 1 to the next number in the kernel's precision.
struct CheckDeclaration {
  std::string kernel;
  std::string kernel_digest;  ///< digest of that kernel's sources and description
  std::vector<ArrayFile> files;
  DataProgram program;  ///< it judges; then nothing below counts
  std::string relative = "0";
  std::string absolute = "0";
  std::string share = "0";
  std::string max_abs;  ///< empty: any; likewise `rel_l2`. With one of them alone, that alone counts
  std::string rel_l2;
  std::vector<std::string> any_order;  ///< outputs that are compared in order of size
};

struct WorkloadDeclaration {
  std::string name;
  std::string doc;
  std::vector<ParameterInfo> parameters;
  std::vector<BufferDeclaration> buffers;
  std::vector<ScalarDeclaration> scalars;
  std::string flops = "0";    ///< per execution, an FMA counting two
  std::string bytes_read;     ///< empty: the bytes of all in and inout buffers
  std::string bytes_written;  ///< empty: the bytes of all out and inout buffers
  CheckDeclaration check;
  DataProgram data;
};

[[nodiscard]] std::string to_json_text(const WorkloadDeclaration& declaration);
/// Throws std::invalid_argument.
[[nodiscard]] WorkloadDeclaration workload_declaration_from_json_text(std::string_view text);

[[nodiscard]] std::unique_ptr<Workload> make_workload(WorkloadDeclaration declaration);
/// From Workload::definition(). Throws std::invalid_argument.
[[nodiscard]] std::unique_ptr<Workload> make_workload(std::string_view definition);

/// The same workloads; their programs write into that folder and may take that long.
[[nodiscard]] Workloads with_data_in(const Workloads& workloads, const std::filesystem::path& folder,
                                     double seconds);

}  // namespace benchctl
