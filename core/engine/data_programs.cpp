#include "engine/data_programs.hpp"

#include <benchctl/failure.hpp>

#include "config/diagnostic.hpp"
#include "model/json.hpp"
#include "worker/config_program.hpp"
#include "workloads/array_files.hpp"
#include "workloads/declared.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

void make_empty(const fs::path& folder) {
  fs::remove_all(folder);
  fs::create_directories(folder);
}

}  // namespace

void refuse_data_programs(const Workloads& workloads, const std::vector<Point>& points) {
  std::vector<Diagnostic> found;
  std::set<std::string> seen;
  for (const Point& point : points) {
    const Workload* workload = workloads.find(point.workload);
    if (workload == nullptr || !seen.insert(point.workload).second) continue;
    for (const DataProgram* program : {workload->data_program(), workload->judge_program()}) {
      if (program == nullptr) continue;
      Diagnostic& one = found.emplace_back();
      one.file = program->file;
      one.position = {program->line, program->column, 0};
      one.message = fmt::format(
          "[workload.{}.{}] runs a program, which may do whatever you may; --allow-programs permits it",
          point.workload, program->is_judge ? "check" : "data");
    }
  }
  if (!found.empty()) throw ConfigErrors(std::move(found));
}

std::vector<std::string> DataPrograms::make(const Workload& workload, const Point& point,
                                            std::uint64_t seed, bool keep) {
  const DataProgram* program = workload.data_program();
  if (program == nullptr) return {};
  const ProblemSpec spec = problem_of(workload, point);
  const std::vector<ArrayFile> files = workload.data_files(spec, seed);
  if (files.empty()) return {};
  const std::string problem = KeyText()
                                  .add("data")
                                  .add(workload.content())
                                  .add(to_json(spec.parameters).dump())
                                  .add(std::to_string(seed))
                                  .take();
  std::vector<std::string> keys;
  for (const ArrayFile& file : files)
    keys.push_back(KeyText().add(problem).add(fs::path(file.path).filename().string()).take());
  const fs::path folder = data_folder(*program, spec, seed);
  make_empty(folder);
  bool kept = keep;
  for (std::size_t i = 0; i < files.size() && kept; ++i) kept = cache_.fetch(keys[i], files[i].path);
  if (kept) return keys;
  make_empty(folder);
  run_config_program(*program, spec, seed, folder, interrupted_);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const BufferSpec& buffer = spec.buffers.at(spec.buffer_index(files[i].buffer).value());
    try {
      read_array(files[i], buffer.type, buffer.count, 0, {});
    } catch (const ProblemError& error) {
      throw failed_program(*program, error.what());
    }
    if (keep) cache_.keep(keys[i], files[i].path);
  }
  return keys;
}

void DataPrograms::forget(const Workload& workload, const Point& point, std::uint64_t seed) {
  const DataProgram* program = workload.data_program();
  if (program == nullptr) return;
  std::error_code ignored;
  fs::remove_all(data_folder(*program, problem_of(workload, point), seed), ignored);
}

}  // namespace benchctl
