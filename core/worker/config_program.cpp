#include "worker/config_program.hpp"

#include <benchctl/file_draft.hpp>

#include "model/json.hpp"
#include "model/words.hpp"
#include "worker/channel.hpp"
#include "worker/process.hpp"
#include "worker/reference_file.hpp"
#include "worker/stopwatch.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/system/error_code.hpp>  // search_path.hpp needs it
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include <boost/process/search_path.hpp>

namespace benchctl {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

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

/// A folder that is there as long as this object.
struct JudgeFolder {
  fs::path path;
  explicit JudgeFolder(const fs::path& parent) {
    static std::atomic<int> count = 0;
    path = parent / fmt::format("judge-{}-{}", getpid(), ++count);
    fs::create_directories(path);
  }
  JudgeFolder(const JudgeFolder&) = delete;
  JudgeFolder& operator=(const JudgeFolder&) = delete;
  ~JudgeFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
    fs::remove(path.string() + ".json", ignored);
  }
};

/// What is wrong by `answer.json`; empty if nothing is.
std::string read_answer(const DataProgram& program, const fs::path& file) {
  constexpr const char* expected = R"(expected {"right": true} or {"right": false, "reason": "…"})";
  std::ifstream in(file);
  if (!in) throw failed_program(program, fmt::format("it wrote no answer.json; {}", expected));
  const json answer = json::parse(in, nullptr, false);
  const bool is_fine =
      answer.is_object() && answer.contains("right") && answer["right"].is_boolean() &&
      (answer["right"].get<bool>() ||
       (answer.contains("reason") && answer["reason"].is_string() && answer["reason"] != ""));
  if (!is_fine) throw failed_program(program, fmt::format("answer.json is something else; {}", expected));
  return answer["right"].get<bool>() ? "" : answer["reason"].get<std::string>();
}

}  // namespace

Failure failed_program(const DataProgram& program, const std::string& why) {
  return {FailureKind::launch_error, fmt::format("{}:{}: {}: {}", program.file, program.line,
                                                 program.is_judge ? "judge" : "data program", why)};
}

void run_config_program(const DataProgram& program, const ProblemSpec& spec, std::uint64_t seed,
                        const fs::path& folder, const std::function<bool()>& interrupted) {
  constexpr double look_seconds = 0.02;
  std::uint64_t most = std::uint64_t{64} << 20;
  for (const BufferSpec& buffer : spec.buffers) most += 2 * buffer.bytes();
  const std::uint64_t before = bytes_in(folder);
  const std::string& first = program.run.front();
  const bool is_path = first.find('/') != std::string::npos;
  const std::string command = is_path ? first : boost::process::search_path(first).string();
  if (command.empty())
    throw failed_program(program, fmt::format("there is no program '{}' here: install it", first));
  const fs::path input = folder.string() + ".json";
  replace_file(input, request_text(program, spec, seed), true);
  try {
    WorkerProcess process(command, {program.run.begin() + 1, program.run.end()}, input, folder);
    const Stopwatch watch;
    std::string stopped;
    while (stopped.empty() && !process.ends_within(look_seconds)) {
      if (interrupted()) {
        process.kill();
        throw WorkerLost(Status::not_run, "interrupted while a program of the config ran");
      }
      if (watch.seconds() > program.seconds) {
        stopped = fmt::format("it took longer than {:g} s; --timeout gives it more", program.seconds);
      } else if (bytes_in(folder) > before + most) {
        stopped = fmt::format("it wrote more than {} MiB, twice the buffers and 64 MiB", most >> 20);
      }
    }
    if (!stopped.empty()) process.kill();
    if (!stopped.empty() || !process.ends_well(0))
      throw failed_program(program,
                           (stopped.empty() ? process.ending("") : stopped) + process.last_output());
  } catch (const WorkerNotStarted& error) {
    throw failed_program(program, fmt::format("cannot start {}: {}", command, error.what()));
  }
}

Verification Judge::verify(std::uint64_t seed, const BufferReader& read) const {
  const DataProgram& program = *workload_.judge_program();
  const JudgeFolder folder(program.written);
  const auto drawn = [&](std::size_t index, std::uint64_t offset, std::span<std::byte> out) {
    workload_.generate(spec_, index, seed, offset / size_of(spec_.buffers[index].type), out);
  };
  Verification outcome;
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
    const BufferSpec& buffer = spec_.buffers[i];
    const auto write = [&](const char* end, const BufferReader& contents) {
      bytes.resize(buffer.bytes());
      contents(i, 0, bytes);
      write_array(folder.path / (buffer.name + end), buffer.type, bytes);
    };
    if (buffer.role != BufferRole::out) write(buffer.role == BufferRole::in ? ".npy" : ".input.npy", drawn);
    if (buffer.role == BufferRole::in) continue;
    write(".npy", read);
    outcome.checked += buffer.count;
  }
  run_config_program(program, spec_, seed, folder.path, [] { return false; });
  const std::string wrong = read_answer(program, folder.path / "answer.json");
  outcome.ok = wrong.empty();
  if (!outcome.ok) outcome.reason = "the judge says: " + visible(wrong);
  return outcome;
}

Verification Judge::ask(std::uint64_t seed, const BufferReader& read) {
  Verification outcome = verify(seed, read);
  if (!outcome.ok || tested_) return outcome;
  tested_ = true;
  const auto zeros = [](std::size_t, std::uint64_t, std::span<std::byte> out) {
    std::ranges::fill(out, std::byte{0});
  };
  if (verify(seed, zeros).ok) {
    const DataProgram& program = *workload_.judge_program();
    throw ProblemError(
        fmt::format("{}:{}: the check says nothing: the judge takes zeros in every output for "
                    "right; let it compare them with the inputs",
                    program.file, program.line));
  }
  return outcome;
}

}  // namespace benchctl
