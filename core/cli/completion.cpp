// `benchctl --completion SHELL`: a few lines for the shell, which ask `benchctl complete LINE` for the
// words that may stand at the end of a line. These come from the parser itself, so that they cannot fall
// behind.
#include "cli/command.hpp"
#include "cli/configs.hpp"
#include "model/words.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <iostream>
#include <iterator>
#include <optional>

namespace benchctl::cli {

namespace {

std::vector<std::string> backend_names(const Common& common) {
  std::vector<std::string> names;
  const PluginTable plugins = Workers().plugins(common);
  for (const PluginEntry& plugin : plugins.plugins()) {
    if (plugin.is_backend) names.push_back(visible(plugin.info.name));
  }
  return names;
}

std::vector<std::string> device_names(const Common& common) {
  constexpr double completion_seconds = 5;  // nobody waits longer for a word
  std::vector<std::string> names;
  Workers workers;
  for (const BackendLanes& backend :
       probe_lanes(workers.plugins(common), workers.factory(), {}, completion_seconds)) {
    for (const Lane& lane : backend.lanes) names.push_back(visible(lane.name()));
  }
  return names;
}

/// Numbers, and names of baselines.
std::vector<std::string> run_names(const Common& common) {
  std::vector<std::string> names;
  const Store store = common.store();
  for (const RunRow& run : store.runs()) names.push_back(fmt::format("{}", to_number(run.id)));
  for (const BaselineRow& baseline : store.baselines()) names.push_back(visible(baseline.name));
  return names;
}

/// The newest run's points: number, tab, label, which fish shows beside it.
std::vector<std::string> point_names(const Common& common) {
  std::vector<std::string> names;
  const Store store = common.store();
  const std::optional<RunRow> run = store.newest_run();
  if (!run) return names;
  for (const PointRow& row : store.points(run->id))
    names.push_back(fmt::format("{}\t{}", row.ordinal, visible(row.point.label())));
  return names;
}

std::vector<std::string> workload_names(const Common& /*common*/) {
  std::vector<std::string> names;
  for (const Workload* workload : Workloads::built_in().all()) names.emplace_back(workload->name());
  return names;
}

/// Values that the machine knows, by the placeholder or the option that takes them.
struct Kind {
  const char* name;
  std::vector<std::string> (*words)(const Common& common);
};
constexpr auto kinds = std::to_array<Kind>({{"CONFIG", [](const Common&) { return config_names(); }},
                                            {"RUN", &run_names},
                                            {"BASE", &run_names},
                                            {"NEW", &run_names},
                                            {"POINT", &point_names},
                                            {"WORKLOAD", &workload_names},
                                            {"backend", &backend_names},
                                            {"device", &device_names}});

/// What may stand for an option's value or for an argument; nothing if only the user knows.
std::optional<std::vector<std::string>> values_of(const CLI::Option& option, const Common& common) {
  // A list of choices stands in the type's name: `TEXT:{text,json}`.
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open);
  if (open != std::string::npos && close != std::string::npos)
    return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
  for (const Kind& kind : kinds) {
    if (type == kind.name || option.check_lname(kind.name)) return kind.words(common);
  }
  return std::nullopt;
}

void add_options(const CLI::App& command, std::vector<std::string>& words) {
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      words.push_back(fmt::format("--{}\t{}", name, option->get_description()));
    for (const std::string& name : option->get_snames())
      words.push_back(fmt::format("-{}\t{}", name, option->get_description()));
  }
}

/// Commands below it, and values of its arguments.
void add_arguments(const CLI::App& command, const Common& common, std::vector<std::string>& words) {
  for (const CLI::App* below : command.get_subcommands({})) {
    if (!below->get_group().empty())
      words.push_back(fmt::format("{}\t{}", below->get_name(), below->get_description()));
  }
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    std::ranges::move(values_of(*option, common).value_or(std::vector<std::string>()),
                      std::back_inserter(words));
  }
}

/// The option whose value comes behind `word`, if there is one.
const CLI::Option* option_before(const CLI::App& app, const CLI::App& command, const std::string& word) {
  if (!word.starts_with('-')) return nullptr;
  const CLI::Option* option = command.get_option_no_throw(word);
  if (option == nullptr) option = app.get_option_no_throw(word);
  return option != nullptr && option->get_expected_min() > 0 ? option : nullptr;
}

constexpr const char* bash = R"(_benchctl() {
  local line="${COMP_LINE:0:COMP_POINT}" files="" found current IFS=$'\n'
  found=$(benchctl complete "$line" 2>/dev/null) || files=yes
  current="${line##*[[:blank:]]}"
  COMPREPLY=($(printf '%s\n' "$found" | cut -f1))
  if [ -n "$files" ]; then COMPREPLY+=($(compgen -f -- "${current#--*=}")); fi
  case "$COMP_WORDBREAKS" in *[:=]*) COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*[:=]}"}"}") ;; esac
}
complete -o filenames -F _benchctl benchctl)";

constexpr const char* fish =
    "complete -c benchctl -f -a '(benchctl complete (commandline -cp) 2>/dev/null; or __fish_complete_path "
    "(commandline -ct))'";

}  // namespace

void add_completion(CLI::App& app) {
  app.add_option_function<std::string>(
         "--completion",
         [](const std::string& shell) {
           throw CLI::CallForVersion(shell == "fish"  ? std::string(fish)
                                     : shell == "zsh" ? fmt::format("autoload -U +X bashcompinit && "
                                                                    "bashcompinit\n{}",
                                                                    bash)
                                                      : std::string(bash),
                                     CLI::ExitCodes::Success);
         },
         "Completions for a shell: source <(benchctl --completion bash)")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
}

int complete(const CLI::App& app, const Common& common, const std::string& line) {
  const std::size_t begin = line.rfind(' ') + 1;
  const std::string current = line.substr(begin);
  std::vector<std::string> before = CLI::detail::split(line.substr(0, begin), ' ');
  std::erase(before, "");
  const CLI::App* command = &app;
  for (const std::string& word : before) {
    for (const CLI::App* below : command->get_subcommands({})) {
      if (below->get_name() != word || below->get_group().empty()) continue;
      command = below;
      break;
    }
  }
  std::string kept;  // of the last word, before what is completed: an option, other values of a list
  const std::size_t equals = current.starts_with("--") ? current.find('=') : std::string::npos;
  if (equals != std::string::npos) kept = current.substr(0, equals + 1);
  const CLI::Option* option = option_before(app, *command,
                                            !kept.empty()    ? current.substr(0, equals)
                                            : before.empty() ? ""
                                                             : before.back());
  std::vector<std::string> words;
  bool takes_files = false;
  if (option != nullptr) {
    const auto values = values_of(*option, common);
    takes_files = !values;
    words = values.value_or(words);
    if (const std::size_t comma = current.rfind(','); comma != std::string::npos)
      kept = current.substr(0, comma + 1);
  } else if (current.starts_with('-')) {
    add_options(*command, words);
    add_options(app, words);
  } else {
    takes_files = true;
    add_arguments(*command, common, words);
  }
  for (const std::string& word : words) {
    if ((kept + word).starts_with(current)) std::cout << kept << word << '\n';
  }
  return takes_files ? point_failed : success;
}

}  // namespace benchctl::cli
