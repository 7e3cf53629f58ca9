#include "cli/ab.hpp"

#include "cli/terminal.hpp"
#include "config/sources.hpp"
#include "engine/coordinator.hpp"
#include "model/words.hpp"
#include "sweep/search.hpp"
#include "sweep/stored_config.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <fstream>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

/// `A..B`; HEAD where one is left out.
std::array<std::string, 2> revisions_of(const std::string& range) {
  const std::size_t dots = range.find("..");
  if (dots == std::string::npos || range.find("...") != std::string::npos) {
    throw UsageError(fmt::format("--rev {}: expected two revisions such as main..HEAD", range));
  }
  const auto or_head = [](const std::string& revision) { return revision.empty() ? "HEAD" : revision; };
  return {or_head(range.substr(0, dots)), or_head(range.substr(dots + 2))};
}

/// Whoever gives a name twice asks for a test of equal sides; two names of one thing are a slip.
[[noreturn]] void refuse_equal_sides(std::string_view option, const std::array<std::string, 2>& names) {
  throw UsageError(
      fmt::format("{}{}'{}' and '{}' are the same, so there is nothing to compare; to measure equal sides, "
                  "give one of them twice",
                  option, option.empty() ? "" : ": ", visible(names[0]), visible(names[1])));
}

/// Places the config's folder as two revisions of its repository have it below `folder`.
void place_revisions(const AbArguments& options, const fs::path& folder, std::array<AbSide, 2>& sides) {
  const std::array<std::string, 2> revisions = revisions_of(options.revisions);
  const fs::path config = fs::absolute(find_config(options.selection.config)).lexically_normal();
  const std::vector<std::string> git{"git", "-C", config.parent_path().string()};
  std::array<std::string, 2> commits;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const fs::path place = folder / fmt::format("revision-{}", i);
    const fs::path output = place.string() + ".out";
    const auto run_git = [&](std::vector<std::string> arguments) {
      arguments.insert(arguments.begin(), git.begin(), git.end());
      run_program(arguments, output);
    };
    run_git({"rev-parse", "--verify", "--end-of-options", revisions[i] + "^{commit}"});
    std::string& commit = commits.at(i);
    std::ifstream(output) >> commit;
    if (i == 1 && commit == commits[0] && revisions[0] != revisions[1])
      refuse_equal_sides("--rev", revisions);
    // From a folder below the root, Git archives that folder alone.
    run_git({"archive", "--format=tar", commit});
    fs::create_directory(place);
    run_program({"tar", "-x", "-f", output.string(), "-C", place.string()}, "/dev/null");
    fs::remove(output);
    sides[i].name = fmt::format("{} ({:.10})", revisions[i], commit);
    sides[i].selection.config = (place / config.filename()).string();
    if (!fs::exists(sides[i].selection.config)) {
      throw UsageError(
          fmt::format("--rev {}: {} has no {}", options.revisions, sides[i].name, config.filename()));
    }
  }
}

/// Folders to look for plugins in first.
fs::path plugin_folder(const std::string& name) {
  std::error_code ignored;
  if (fs::is_regular_file(name, ignored)) return fs::absolute(name).parent_path();
  const fs::path installed = fs::absolute(name) / "lib" / "benchctl" / "plugins";
  const fs::path folder = fs::is_directory(installed, ignored) ? installed : fs::absolute(name);
  if (plugin_libraries({folder}).empty() && kernel_folders({folder}).empty()) {
    throw UsageError(fmt::format(
        "--plugin {}: expected a library libbenchctl_*.so, a folder with some, or an installed prefix",
        name));
  }
  return folder;
}

PluginTable plugins_of(const Common& common, Workers& workers, const std::string& name) {
  std::vector<fs::path> folders = common.search_path();
  folders.insert(folders.begin(), plugin_folder(name));
  PluginTable table = read_plugins(folders, workers.factory(), default_cache());
  std::error_code ignored;
  if (!fs::is_regular_file(name, ignored)) return table;
  const auto is_it = [&](const auto& plugin) { return fs::equivalent(plugin.library, name, ignored); };
  if (const auto refused = std::ranges::find_if(table.refused(), is_it); refused != table.refused().end())
    throw UsageError(fmt::format("--plugin {}: {}", name, refused->reason));
  if (std::ranges::none_of(table.plugins(), is_it)) {
    throw UsageError(
        fmt::format("--plugin {}: another library of that folder has the same name; each version needs a "
                    "folder of its own",
                    name));
  }
  return table;
}

/// Puts the second file's text where kernels of the config name the first.
void replace_kernel_file(Config& config, const std::vector<std::string>& files) {
  const std::string text = read_file(files[1]);
  std::vector<std::string> sources;
  bool found = false;
  for (KernelEntry& kernel : config.kernels) {
    if (!kernel.variant.kernel) continue;
    for (const LaunchSpec& launch : kernel.variant.kernel->launches) {
      if (kernel.has_text) continue;
      const fs::path source = kernel.folder / launch.source;
      std::error_code ignored;
      add_once(sources, fmt::format("{}", fs::proximate(source, ignored)));
      if (!fs::equivalent(source, files[0], ignored)) continue;
      found = true;
      const std::string name = fs::path(launch.source).lexically_normal().generic_string();
      std::erase_if(kernel.files, [&](const SourceFile& file) { return file.name == name; });
      SourceRoom room;
      collect_text(name, text, config.files, room, kernel.files);
      kernel.has_text = true;
      break;
    }
  }
  if (found) return;
  throw UsageError(fmt::format("--kernel-file {}: no kernel of the config has this source; {}",
                               fs::path(files[0]),
                               sources.empty() ? std::string("the config names no file of a kernel")
                                               : fmt::format("there are {}", fmt::join(sources, ", "))));
}

/// Each block is one process, and roofs are not what is compared.
void prepare_points(Selection& chosen, const std::string& config) {
  if (!make_searches(chosen.config, chosen.catalogue, chosen.lanes).tasks.empty()) {
    throw UsageError(
        fmt::format("{} is searched, and the two sides would not try the same points; name the points to "
                    "compare in a sweep without a search",
                    config));
  }
  std::erase_if(chosen.expansion.points, [&](const Point& point) {
    return chosen.config.experiment.roofs == Roofs::run && point.workload == roof_workload().name();
  });
  chosen.config.experiment.roofs = Roofs::none;
  for (Point& point : chosen.expansion.points) point.measure.replicates = 1;
}

}  // namespace

void add_ab_sides(CLI::App& command, AbArguments& options) {
  add_selection_options(command, options.selection);
  add_programs_option(command, options.selection.allow_programs);
  add_value(command, "other", options.other_config, "NEW",
            "The config of the new side; CONFIG is that of base then");
  add_value(command, "--kernel-file", options.kernel_files, "OLD NEW",
            "Base: a source file that a kernel of CONFIG names; new: another file in its place")
      ->expected(2);
  add_value(command, "--plugin", options.plugins, "OLD NEW",
            "Two versions of a plugin: libraries, folders with some, or installed prefixes")
      ->expected(2);
  add_value(command, "--rev", options.revisions, "OLD..NEW",
            "Two Git revisions of the folder that CONFIG is in, e.g. main..HEAD");
}

std::array<AbSide, 2> make_ab_sides(Common& common, const AbArguments& options, Workers& workers) {
  const int ways =
      static_cast<int>(!options.other_config.empty()) + static_cast<int>(!options.kernel_files.empty()) +
      static_cast<int>(!options.plugins.empty()) + static_cast<int>(!options.revisions.empty());
  if (ways != 1) {
    throw UsageError(
        fmt::format("{}: name the new side by a second config, --kernel-file, --plugin or --rev",
                    ways == 0 ? "there is one side only" : "there are more than two sides"));
  }
  if (options.selection.config == standard_input || options.other_config == standard_input)
    throw UsageError("ab cannot read a config from standard input: name files");
  const std::vector<std::string> names = !options.kernel_files.empty() ? options.kernel_files
                                         : !options.plugins.empty()
                                             ? options.plugins
                                             : std::vector{options.selection.config, options.other_config};
  std::array<AbSide, 2> sides;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    sides[i].name = names[i];
    sides[i].selection = options.selection;
  }
  if (!options.other_config.empty()) sides[1].selection.config = options.other_config;
  if (!options.revisions.empty()) place_revisions(options, workers.folder(), sides);
  Config config;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    AbSide& side = sides[i];
    if (i == 0 || side.selection.config != sides[0].selection.config)
      config = read_config(side.selection.config, side.selection.allow_outside);
    if (i == 1 && !options.kernel_files.empty()) replace_kernel_file(config, options.kernel_files);
    if (i == 1 && options.plugins.empty() && options.revisions.empty() && names[0] != names[1] &&
        config.text == sides[0].chosen.config.text && files_of(config) == files_of(sides[0].chosen.config))
      refuse_equal_sides(options.kernel_files.empty() ? "" : "--kernel-file", {names[0], names[1]});
    side.chosen = select_points(
        side.selection, workers.factory(),
        options.plugins.empty() ? workers.plugins(common) : plugins_of(common, workers, options.plugins[i]),
        &common.exit_code, config);
    prepare_points(side.chosen, side.selection.config);
  }
  return sides;
}

}  // namespace benchctl::cli
