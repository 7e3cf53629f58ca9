#include "cli/job_script.hpp"

#include "observe/environment.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace benchctl::cli {

namespace {

/// `0-3,8` for {0, 1, 2, 3, 8}.
std::string list_of_numbers(const std::vector<int>& numbers) {
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
        fmt::format("{} {}: quotes, backslashes and line breaks cannot be here", option, value));
  }
}

std::string sbatch_lines(const PlanFolder& plan, const std::vector<std::size_t>& shards,
                         const JobOptions& options) {
  const std::string log = (plan.folder / "shard-%a.log").string();
  if (std::ranges::count(log, '%') > 1)
    throw UsageError(
        fmt::format("{}: Slurm reads '%' in a folder's name as a pattern", plan.folder.string()));
  std::vector<std::pair<std::string, std::string>> lines{
      {"--job-name", "benchctl-" + plan.name},
      {"--array", list_of_numbers({shards.begin(), shards.end()}) +
                      (options.nodes > 0 ? fmt::format("%{}", options.nodes) : "")},
      {"--nodes", "1"},
      {"--output", log},
      {"--signal", fmt::format("B:USR1@{}", warning_seconds)},
      {"--gres", options.gres},
      {"--time", options.time},
      {"--partition", options.partition}};
  std::string text;
  for (const auto& [name, value] : lines) {
    check_value(name, value);
    const bool has_blank = value.find(' ') != std::string::npos;
    if (!value.empty())
      text += fmt::format("#SBATCH {}={}{}{}\n", name, has_blank ? "\"" : "", value, has_blank ? "\"" : "");
  }
  text += "#SBATCH --requeue\n#SBATCH --open-mode=append\n";
  if (!options.share_nodes) text += "#SBATCH --exclusive\n";
  for (const std::string& one : options.more) {
    check_value("--sbatch", one);
    if (!one.starts_with('-'))
      throw UsageError(
          fmt::format("--sbatch {}: expected an option of sbatch, such as --account=NAME", one));
    text += fmt::format("#SBATCH {}\n", one);
  }
  text.pop_back();
  return text;
}

/// Backends whose devices a scheduler chooses by a variable, and these variables.
struct DeviceChoosers {
  std::vector<std::string> backends;
  std::set<std::string> variables;
};

DeviceChoosers device_choosers(const PluginTable& plugins) {
  DeviceChoosers choosers;
  for (const PluginEntry& plugin : plugins.plugins()) {
    const auto variable = std::ranges::find_if(plugin.info.variables, chooses_devices);
    if (!plugin.is_backend || variable == plugin.info.variables.end()) continue;
    choosers.backends.push_back(plugin.info.name);
    choosers.variables.insert(*variable);
  }
  return choosers;
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
  return text + fmt::format(" --timeout {}", selection.timeout_seconds);
}

}  // namespace

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:,@%=";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string job_script(const PlanFolder& plan, const std::vector<std::size_t>& shards,
                       const JobOptions& options, const PluginTable& plugins, const Common& common) {
  std::string benchctl = shell_word(own_program().string());
  for (const std::string& folder : common.plugin_path)
    benchctl += " --plugin-path " + shell_word(std::filesystem::absolute(folder).string());
  std::string text = read_file(scaffold_folder() / "slurm" / "job.sh.in");
  const auto put = [&](std::string_view name, const std::string& value) {
    text = replaced(text, fmt::format("@{}@", name), value);
  };
  put("NAME", plan.name);
  text = replaced(text, "# @SBATCH@", sbatch_lines(plan, shards, options));
  put("BENCHCTL", benchctl);
  put("RESULTS", shell_word(plan.folder.string()));
  put("EXPECT", options.expected.empty() ? "" : " --expect " + shell_word(options.expected));
  const DeviceChoosers choosers = device_choosers(plugins);
  put("VARIABLES", fmt::format("{}", fmt::join(choosers.variables, " ")));
  put("BACKENDS", fmt::format("{}", fmt::join(choosers.backends, "|")));
  put("RUN", run_words(plan.selection));
  put("SHARDS", std::to_string(plan.shards));
  return text;
}

}  // namespace benchctl::cli
