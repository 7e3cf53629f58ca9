// `benchctl submit`: a plan's shards as an array of jobs.
#include "cli/sharding.hpp"
#include "cli/terminal.hpp"
#include "model/words.hpp"
#include "observe/environment.hpp"
#include "report/format.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <numeric>
#include <set>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

struct SubmitArguments {
  SelectionOptions selection;
  std::size_t array = 0;
  std::string folder;
  bool slurm = false;
  bool print = false;
  bool missing = false;
  // What it says to Slurm. Empty: Slurm's default.
  std::size_t nodes = 0;            ///< at a time; 0: as many as there are shards
  std::vector<std::string> sbatch;  ///< options of sbatch as they are: `--gres=gpu:4`
  bool share_nodes = false;         ///< other jobs may run on a node while it measures
  std::string expected;             ///< file with the devices that each node must have
};

/// `0-3,8` for {0, 1, 2, 3, 8}.
std::string list_of_numbers(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (!text.empty()) text += ',';
    text += end - i == 1 ? std::to_string(numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[end - 1]);
    i = end;
  }
  return text;
}

/// Seconds before the end of its time at which a task begins to end.
constexpr int warning_seconds = 60;

/// A value in a line of `#SBATCH`, where nothing is quoted as shells do.
void check_value(const std::string& option, const std::string& value) {
  const auto bad = [](unsigned char c) { return c < ' ' || c == '"' || c == '\'' || c == '\\'; };
  if (std::ranges::any_of(value, bad)) {
    throw UsageError(
        fmt::format("{} {}: quotes, backslashes and line breaks cannot be here", option, visible(value)));
  }
}

std::string sbatch_lines(const PlanFolder& plan, const std::vector<std::size_t>& shards,
                         const SubmitArguments& options) {
  const std::string log = (plan.folder / "shard-%a.log").string();
  if (std::ranges::count(log, '%') > 1)
    throw UsageError(fmt::format("{}: Slurm reads '%' in a folder's name as a pattern", plan.folder));
  const std::string at_a_time = options.nodes > 0 ? fmt::format("%{}", options.nodes) : "";
  const std::vector<std::pair<std::string, std::string>> lines{
      {"--job-name", "benchctl-" + plan.name},
      {"--array", list_of_numbers(shards) + at_a_time},
      {"--nodes", "1"},
      {"--output", log},
      {"--signal", fmt::format("B:USR1@{}", warning_seconds)}};
  std::string text;
  for (const auto& [name, value] : lines) {
    check_value(name, value);
    const char* quote = value.find(' ') != std::string::npos ? "\"" : "";
    text += fmt::format("#SBATCH {}={}{}{}\n", name, quote, value, quote);
  }
  text += "#SBATCH --requeue\n#SBATCH --open-mode=append\n";
  if (!options.share_nodes) text += "#SBATCH --exclusive\n";
  for (const std::string& one : options.sbatch) {
    check_value("--sbatch", one);
    if (!one.starts_with('-'))
      throw UsageError(
          fmt::format("--sbatch {}: expected an option of sbatch, such as --gres=gpu:2", visible(one)));
    text += fmt::format("#SBATCH {}\n", one);
  }
  text.pop_back();
  return text;
}

std::string run_words(const SelectionOptions& selection) {
  std::string text = shell_word(selection.config);
  const auto add = [&](const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values) text += fmt::format(" {} {}", option, shell_word(value));
  };
  add("--set", selection.set);
  add("--filter", selection.filters);
  add("--backend", selection.backends);
  add("--device", selection.devices);
  add("--require", selection.require);
  if (selection.allow_outside) text += " --allow-outside";
  if (selection.allow_programs) text += " --allow-programs";
  return text + fmt::format(" --timeout {}", selection.timeout_seconds);
}

/// The script for these shards of the plan, from core/cli/scaffold/slurm/job.sh.in. `plugins` name the
/// variables that choose their devices. Throws UsageError for what a line of `#SBATCH` cannot have.
std::string job_script(const PlanFolder& plan, const std::vector<std::size_t>& shards,
                       const SubmitArguments& options, const PluginTable& plugins, const Common& common) {
  std::string benchctl = shell_word(own_program().string());
  for (const std::string& folder : common.plugin_path)
    benchctl += " --plugin-path " + shell_word(fs::absolute(folder).string());
  // Backends whose devices a scheduler chooses by a variable, and these variables.
  std::vector<std::string> backends;
  std::set<std::string> variables;
  for (const PluginEntry& plugin : plugins.plugins()) {
    const auto variable = std::ranges::find_if(plugin.info.variables, chooses_devices);
    if (!plugin.is_backend || variable == plugin.info.variables.end()) continue;
    backends.push_back(plugin.info.name);
    variables.insert(*variable);
  }
  const std::vector<std::pair<std::string, std::string>> places{
      {"@NAME@", plan.name},
      {"# @SBATCH@", sbatch_lines(plan, shards, options)},
      {"@BENCHCTL@", benchctl},
      {"@RESULTS@", shell_word(plan.folder.string())},
      {"@EXPECT@", options.expected.empty() ? "" : " --expect " + shell_word(options.expected)},
      {"@VARIABLES@", fmt::format("{}", fmt::join(variables, " "))},
      {"@BACKENDS@", fmt::format("{}", fmt::join(backends, "|"))},
      {"@RUN@", run_words(plan.selection)},
      {"@SHARDS@", std::to_string(plan.shards)}};
  return replaced(read_file(shared_file("scaffold/slurm/job.sh.in")), places);
}

/// The first line that a program of the PATH prints.
std::string first_line_of(const std::vector<std::string>& command, const fs::path& folder) {
  const fs::path file = folder / "output";
  run_program(command, file);
  std::string line;
  std::ifstream in(file);
  std::getline(in, line);
  return line;
}

/// Two tasks of one shard would measure it twice.
void refuse_while_queued(const PlanFolder& plan, const fs::path& folder) {
  for (const std::string& job : plan.jobs) {
    std::string queued;
    try {
      queued = first_line_of({"squeue", "--noheader", "--jobs=" + job, "--format=%i %T"}, folder);
    } catch (const std::runtime_error&) {
      continue;  // Slurm has forgotten it
    }
    if (queued.empty()) continue;
    throw UsageError(
        fmt::format("job {} of this plan has not ended ({}): wait for it, or end it with `scancel {}`", job,
                    queued, job));
  }
}

PlanFolder new_plan(const SubmitArguments& options, const PluginTable& plugins, const fs::path& folder) {
  const Selection selection = read_selection(options.selection, plugins);
  for (const Diagnostic& warning : selection.expansion.warnings) std::cerr << to_text(warning) << '\n';
  const std::size_t count = options.array > 0 ? options.array : std::max<std::size_t>(1, options.nodes);
  return write_plan(folder, options.selection, selection,
                    filled_shards(options.selection, selection, count));
}

void submit(Common& common, SubmitArguments& options) {
  if (!options.slurm) throw UsageError("submit needs --slurm: Slurm is the scheduler that benchctl knows");
  Workers workers;
  if (!options.expected.empty()) {
    static_cast<void>(read_file(options.expected));
    options.expected = fs::absolute(options.expected).lexically_normal().string();
  }
  const PluginTable plugins = workers.plugins(common);
  std::vector<std::size_t> shards;
  PlanFolder plan;
  if (options.missing) {
    plan = read_plan(options.folder, options.selection.allow_outside);
    if (!options.print) refuse_while_queued(plan, workers.folder());
    shards = missing_shards(plan, plugins);
    if (shards.empty()) return tell("Nothing is missing in {}\n", plan.folder);
  } else {
    if (options.selection.config.empty()) throw UsageError("submit needs a config, or --missing");
    // A script that is only looked at leaves nothing.
    plan = new_plan(options, plugins, options.print ? workers.folder() / "plan" : fs::path(options.folder));
    if (options.print) {
      const std::string inside = plan.folder.string();
      plan.folder = fs::absolute(options.folder).lexically_normal();
      plan.selection.config = plan.folder.string() + plan.selection.config.substr(inside.size());
    }
    shards.resize(plan.shards);
    std::iota(shards.begin(), shards.end(), 1);
  }
  // A plan of somebody else permits nothing.
  plan.selection.allow_programs = options.selection.allow_programs;
  const std::string script = job_script(plan, shards, options, plugins, common);
  if (options.print) return write_output(script, "");
  const fs::path file = plan.folder / "job.sh";
  write_output(script, file.string());
  try {
    plan.jobs.push_back(first_line_of({"sbatch", "--parsable", file.string()}, workers.folder()));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(
        fmt::format("{}. The script is {}; `benchctl submit --slurm --missing --output {}` sends it again",
                    error.what(), file, shell_word(options.folder)));
  }
  save(plan);
  tell("Job {} measures {}; `benchctl collect {}` merges what they leave\n", plan.jobs.back(),
       counted(shards.size(), "shard"), shell_word(options.folder));
}

}  // namespace

void add_submit(CLI::App& app, Common& common) {
  const auto [command, options] = add_command(
      app, common, "submit",
      "Measure a config on the nodes of a cluster: an array of jobs, one for each shard of the plan",
      &submit);
  add_selection_options(command, options.selection);
  add_programs_option(command, options.selection.allow_programs);
  command.get_option("config")->required(false);
  command.add_flag("--slurm", options.slurm, "To Slurm, by `sbatch`");
  add_value(command, "--output", options.folder, "FOLDER",
            "Folder for the plan, the job's script and the results; all nodes must see it")
      ->required();
  add_value(command, "--array", options.array, "N", "Shards, one task each (default: as --nodes)")
      ->check(CLI::Range(std::size_t{1}, max_shards));
  add_value(command, "--nodes", options.nodes, "N",
            "Measure on so many nodes at a time (default: all shards)")
      ->check(CLI::Range(std::size_t{1}, max_shards));
  add_values(command, "--sbatch", options.sbatch, "OPTION",
             "Option of sbatch: --sbatch=--gres=gpu:2 for the devices of a task (repeatable)");
  command.add_flag("--share-nodes", options.share_nodes,
                   "Other jobs may run on the nodes meanwhile, and disturb");
  add_value(
      command, "--expect", options.expected, "FILE",
      "File of `list --devices --format json`: a task whose node has other devices, drivers or clocks "
      "measures nothing");
  command.add_flag("--missing", options.missing,
                   "Only the shards of the plan in --output that `collect` misses something of");
  command.add_flag("--print", options.print, "Print the script; write and submit nothing");
}

}  // namespace benchctl::cli
