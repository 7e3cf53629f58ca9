#include "engine/data_programs.hpp"

#include <benchctl/failure.hpp>
#include <benchctl/file_draft.hpp>

#include "config/diagnostic.hpp"
#include "engine/interrupt.hpp"
#include "model/json.hpp"
#include "model/values.hpp"
#include "model/words.hpp"
#include "worker/channel.hpp"
#include "worker/process.hpp"
#include "worker/stopwatch.hpp"
#include "workloads/array_files.hpp"
#include "workloads/data_program.hpp"

#include <fmt/format.h>

#include <boost/system/error_code.hpp>  // search_path.hpp needs it

#include <boost/process/search_path.hpp>

#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

namespace benchctl {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// What a program may write beside twice the buffers of its problem.
constexpr std::uint64_t most_data_beside = std::uint64_t{64} << 20;

std::string request_text(const DataProgram& program, const ProblemSpec& spec, std::uint64_t seed) {
  json buffers = json::array();
  for (const BufferSpec& buffer : spec.buffers) {
    buffers.push_back({{"name", buffer.name},
                       {"type", std::string(to_string(buffer.type))},
                       {"count", buffer.count},
                       {"role", std::string(to_string(buffer.role))}});
  }
  return json{{"workload", spec.workload},
              {"parameters", to_json(spec.parameters)},
              {"seed", seed},
              {"buffers", buffers},
              {"folder", program.folder}}
             .dump() +
         '\n';
}

std::uint64_t bytes_in(const fs::path& folder) {
  std::uint64_t sum = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;
    const std::uint64_t bytes = at->is_regular_file(gone) ? at->file_size(gone) : 0;
    if (!gone) sum += bytes;
  }
  return sum;
}

void make_empty(const fs::path& folder) {
  fs::remove_all(folder);
  fs::create_directories(folder);
}

Failure failed(const DataProgram& program, const std::string& why) {
  return {FailureKind::launch_error,
          fmt::format("{}:{}: data program: {}", program.file, program.line, why)};
}

}  // namespace

void refuse_data_programs(const Workloads& workloads, const std::vector<Point>& points) {
  std::vector<Diagnostic> found;
  std::set<std::string> seen;
  for (const Point& point : points) {
    const Workload* workload = workloads.find(point.workload);
    const DataProgram* program = workload != nullptr ? workload->data_program() : nullptr;
    if (program == nullptr || !seen.insert(point.workload).second) continue;
    Diagnostic& one = found.emplace_back();
    one.file = program->file;
    one.position = {program->line, program->column, 0};
    one.message = fmt::format(
        "[workload.{}.data] runs a program, which may do whatever you may; --allow-programs permits it",
        point.workload);
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
  ask(*program, spec, seed, folder);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const BufferSpec& buffer = spec.buffers.at(spec.buffer_index(files[i].buffer).value());
    try {
      read_array(files[i], buffer.type, buffer.count, 0, {});
    } catch (const ProblemError& error) {
      throw failed(*program, error.what());
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

void DataPrograms::ask(const DataProgram& program, const ProblemSpec& spec, std::uint64_t seed,
                       const fs::path& folder) {
  constexpr double look_seconds = 0.02;
  const std::string command = program.digests.front().empty()
                                  ? boost::process::search_path(program.run.front()).string()
                                  : program.run.front();
  if (command.empty())
    throw failed(program, fmt::format("there is no program '{}' here: install it", program.run.front()));
  std::uint64_t most = most_data_beside;
  for (const BufferSpec& buffer : spec.buffers) most += 2 * buffer.bytes();
  const fs::path input = folder.string() + ".json";
  replace_file(input, request_text(program, spec, seed), true);
  try {
    WorkerProcess process(command, {program.run.begin() + 1, program.run.end()}, input, folder);
    const Stopwatch watch;
    std::string stopped;
    while (stopped.empty() && !process.ends_within(look_seconds)) {
      if (interrupted_()) {
        process.kill();
        throw WorkerLost(Status::not_run, "interrupted while a data program ran");
      }
      if (watch.seconds() > seconds_) {
        stopped = fmt::format("it took longer than {:g} s; --timeout gives it more", seconds_);
      } else if (bytes_in(folder) > most) {
        stopped = fmt::format("it wrote more than {} MiB, twice the buffers and 64 MiB", most >> 20);
      }
    }
    if (!stopped.empty()) process.kill();
    if (!stopped.empty() || !process.ends_well(0))
      throw failed(program, (stopped.empty() ? process.ending("") : stopped) + process.last_output());
  } catch (const WorkerNotStarted& error) {
    throw failed(program, fmt::format("cannot start {}: {}", command, error.what()));
  }
}

}  // namespace benchctl
