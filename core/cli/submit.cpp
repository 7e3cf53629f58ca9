// `benchctl submit`: a plan's shards as an array of jobs.
#include "cli/collection.hpp"
#include "cli/job_script.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <numeric>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

struct SubmitArguments {
  SelectionOptions selection;
  JobOptions job;
  std::size_t array = 0;
  std::string folder;
  bool slurm = false;
  bool print = false;
  bool missing = false;
};

/// The first line that a program of the PATH prints.
std::string answer_of(const std::vector<std::string>& command, const fs::path& folder) {
  const fs::path file = folder / "answer";
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
      queued = answer_of({"squeue", "--noheader", "--jobs=" + job, "--format=%i %T"}, folder);
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
  std::size_t count = options.array > 0 ? options.array : std::max<std::size_t>(1, options.job.nodes);
  const auto split = [&] {
    return Shards(selection.config, selection.catalogue, options.selection.backends, count);
  };
  const auto has_problems = [](const ShardLoad& load) { return !load.problems.empty(); };
  const auto filled = static_cast<std::size_t>(std::ranges::count_if(split().loads(), has_problems));
  if (filled == 0)
    throw UsageError(fmt::format("{} has nothing to measure on any device", options.selection.config));
  if (filled < count) {
    tell("benchctl: {} shards instead of {}: there are no more problems\n", filled, count);
    count = filled;
  }
  return write_plan(folder, options.selection, selection, split());
}

void submit(Common& common, SubmitArguments& options) {
  if (!options.slurm) throw UsageError("submit needs --slurm: Slurm is the scheduler that benchctl knows");
  Workers workers;
  if (!options.job.expected.empty()) {
    static_cast<void>(read_file(options.job.expected));
    options.job.expected = fs::absolute(options.job.expected).lexically_normal().string();
  }
  const PluginTable plugins = workers.plugins(common);
  std::vector<std::size_t> shards;
  PlanFolder plan;
  if (options.missing) {
    plan = read_plan(options.folder);
    if (!options.print) refuse_while_queued(plan, workers.folder());
    shards = collect_plan(plan, plugins).missing_shards();
    if (shards.empty()) {
      tell("Nothing is missing in {}\n", options.folder);
      return;
    }
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
  const std::string script = job_script(plan, shards, options.job, plugins, common);
  if (options.print) {
    std::cout << script;
    return;
  }
  const fs::path file = plan.folder / "job.sh";
  write_output(script, file.string());
  try {
    plan.jobs.push_back(answer_of({"sbatch", "--parsable", file.string()}, workers.folder()));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(
        fmt::format("{}. The script is {}; `benchctl submit --slurm --missing --output {}` sends it again",
                    error.what(), file.string(), options.folder));
  }
  save(plan);
  tell("Job {} measures {} shard{}; `benchctl collect {}` merges what they leave\n", plan.jobs.back(),
       shards.size(), shards.size() == 1 ? "" : "s", options.folder);
}

}  // namespace

void add_submit(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand(
      "submit",
      "Measure a config on the nodes of a cluster: an array of jobs, one for each shard of the plan");
  auto options = std::make_shared<SubmitArguments>();
  add_selection_options(*command, options->selection);
  command->get_option("config")->required(false);
  command->add_flag("--slurm", options->slurm, "To Slurm, by `sbatch`");
  command
      ->add_option("--output", options->folder,
                   "Folder for the plan, the job's script and the results; all nodes must see it")
      ->type_name("FOLDER")
      ->required();
  command->add_option("--array", options->array, "Shards, one task each (default: as --nodes)")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, max_shards));
  command
      ->add_option("--nodes", options->job.nodes,
                   "Measure on so many nodes at a time (default: all shards)")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, max_shards));
  command->add_option("--gres", options->job.gres, "Devices of a task, as sbatch takes them: gpu:2")
      ->type_name("WHAT");
  command->add_option("--time", options->job.time, "Time of a task, as sbatch takes it: 30, 02:00:00")
      ->type_name("TIME");
  command->add_option("--partition", options->job.partition, "Partition of the cluster")->type_name("NAME");
  command
      ->add_option("--sbatch", options->job.more,
                   "Another option of sbatch: --sbatch=--account=NAME (repeatable)")
      ->type_name("OPTION")
      ->allow_extra_args(false);
  command->add_flag("--share-nodes", options->job.share_nodes,
                    "Other jobs may run on the nodes meanwhile, and disturb");
  command
      ->add_option(
          "--expect", options->job.expected,
          "File of `devices --format json`: a task whose node has other devices, drivers or clocks "
          "measures nothing")
      ->type_name("FILE");
  command->add_flag("--missing", options->missing,
                    "Only the shards of the plan in --output that `collect` misses something of");
  command->add_flag("--print", options->print, "Print the script; write and submit nothing");
  command->callback([&common, options] { submit(common, *options); });
}

}  // namespace benchctl::cli
