// Programs of a config, as a run asks them: they get one line of JSON on standard input and a folder.
#pragma once

#include <benchctl/failure.hpp>

#include "workloads/declared.hpp"
#include "workloads/workload.hpp"

#include <filesystem>
#include <functional>

namespace benchctl {

/// Runs a program in `folder`, where it may write twice the bytes of all buffers and 64 MiB. Throws Failure
/// with the program's place in the config and its last output, or WorkerLost when `interrupted`.
void run_config_program(const DataProgram& program, const ProblemSpec& spec, std::uint64_t seed,
                        const std::filesystem::path& folder, const std::function<bool()>& interrupted);
/// What is thrown where a program did not do its part.
[[nodiscard]] Failure failed_program(const DataProgram& program, const std::string& why);

/// Asks the program of `[workload.NAME.check]` whether the outputs are right. It finds `BUFFER.npy` of each
/// buffer as an execution left it, `BUFFER.input.npy` of those that were changed in place, and writes
/// `answer.json`. `read` gives outputs; inputs are drawn from `seed`. Throws as run_config_program, and
/// ProblemError for a program that takes zeros for right.
class Judge {
 public:
  Judge(const Workload& workload, const ProblemSpec& spec) : workload_(workload), spec_(spec) {}
  [[nodiscard]] Verification ask(std::uint64_t seed, const BufferReader& read);

 private:
  [[nodiscard]] Verification verify(std::uint64_t seed, const BufferReader& read) const;

  const Workload& workload_;
  const ProblemSpec& spec_;
  bool tested_ = false;
};

}  // namespace benchctl
