#include "workloads/data_program.hpp"

#include <fmt/format.h>
#include <xxhash.h>
#include <nlohmann/json.hpp>

#include "model/json.hpp"

namespace benchctl {

std::filesystem::path data_folder(const DataProgram& program, const ProblemSpec& spec, std::uint64_t seed) {
  const std::string problem = nlohmann::json{spec.workload, to_json(spec.parameters)}.dump();
  const XXH128_hash_t hash = XXH3_128bits_withSeed(problem.data(), problem.size(), seed);
  return std::filesystem::path(program.written) /
         fmt::format("data-{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace benchctl
