// `benchctl --completion SHELL`: completions made from the parser itself, so that they cannot fall behind.
// Values that only the machine knows come from `benchctl complete`, which the shell calls.
#include "cli/command.hpp"
#include "cli/config_names.hpp"
#include "model/visible.hpp"
#include "store/store.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <iostream>

namespace benchctl::cli {

namespace {

constexpr double completion_seconds = 5;  ///< nobody waits longer for a word

std::vector<std::string> backend_names(const Common& common) {
  std::vector<std::string> names;
  const PluginTable plugins = Workers().plugins(common);
  for (const PluginEntry& plugin : plugins.plugins()) {
    if (plugin.is_backend) names.push_back(visible(plugin.info.name));
  }
  return names;
}

std::vector<std::string> device_names(const Common& common) {
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
  const Store store = Store::open(common.store_file(), Store::Access::read_only);
  for (const RunRow& run : store.runs()) names.push_back(fmt::format("{}", to_number(run.id)));
  for (const BaselineRow& baseline : store.baselines()) names.push_back(visible(baseline.name));
  return names;
}

/// Of the newest run: number, tab, label, which fish shows beside it.
std::vector<std::string> point_names(const Common& common) {
  std::vector<std::string> names;
  const Store store = Store::open(common.store_file(), Store::Access::read_only);
  const std::optional<RunRow> run = store.newest_run();
  if (!run) return names;
  for (const PointRow& row : store.points(run->id))
    names.push_back(fmt::format("{}\t{}", row.ordinal, visible(row.point.label())));
  return names;
}

std::vector<std::string> workload_names(const Common& /*common*/) {
  std::vector<std::string> names;
  for (const Workload* workload : all_workloads()) names.emplace_back(workload->name());
  return names;
}

/// Values that the machine knows: what `benchctl complete` is asked for, and the placeholders and options
/// that take them.
struct Kind {
  std::string_view name;
  std::string_view placeholders;  ///< with blanks between
  std::string_view option;
  std::vector<std::string> (*words)(const Common& common);
};
constexpr std::array<Kind, 6> kinds{
    {{"configs", "CONFIG", "", [](const Common&) { return config_names(config_folder()); }},
     {"runs", "RUN BASE NEW", "", &run_names},
     {"points", "POINT", "", &point_names},
     {"workloads", "WORKLOAD", "", &workload_names},
     {"backends", "", "backend", &backend_names},
     {"devices", "", "device", &device_names}}};

/// What may stand for an option's value or for an argument.
struct Values {
  std::string words;  ///< with blanks between
  std::string kind;   ///< of those that the machine knows

  [[nodiscard]] bool known() const { return !words.empty() || !kind.empty(); }
};

Values values_of(const CLI::Option& option) {
  // A list of choices stands in the type's name: `TEXT:{text,json}`.
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open);
  if (open != std::string::npos && close != std::string::npos) {
    std::string words = type.substr(open + 1, close - open - 1);
    std::ranges::replace(words, ',', ' ');
    return {words, ""};
  }
  for (const Kind& kind : kinds) {
    const bool by_option = !kind.option.empty() && option.check_lname(std::string(kind.option));
    const bool by_placeholder =
        fmt::format(" {} ", kind.placeholders).find(' ' + type + ' ') != std::string::npos;
    if (by_option || (!type.empty() && by_placeholder)) return {"", std::string(kind.name)};
  }
  return {};
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

/// A command with the words that call it: `run`, `plugin check`.
struct Command {
  std::string words;
  const CLI::App* app;
};

/// The visible ones below `app`, those below them behind each.
std::vector<Command> all_commands(const CLI::App& app, const std::string& before = "") {
  std::vector<Command> commands;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_group().empty()) continue;
    const std::string words = before + command->get_name();
    commands.push_back({words, command});
    for (Command& below : all_commands(*command, words + ' ')) commands.push_back(std::move(below));
  }
  return commands;
}

std::string names_below(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  return fmt::format("{}", fmt::join(names, " "));
}

std::string bash_words(const Values& values) {
  return values.kind.empty() ? values.words
                             : fmt::format("$(benchctl complete {} 2>/dev/null | cut -f1)", values.kind);
}

std::string bash(const CLI::App& app) {
  std::string cases;
  std::string values;
  std::string parents;
  for (const auto& [words, command] : all_commands(app)) {
    std::string first = names_below(*command);
    if (!first.empty()) parents += (parents.empty() ? "" : "|") + words;
    for (const CLI::Option* option : command->get_options()) {
      const Values own = values_of(*option);
      if (!own.known()) continue;
      if (option->get_positional()) {
        first += (first.empty() ? "" : " ") + bash_words(own);
        continue;
      }
      for (const std::string& name : option->get_lnames()) {
        values += fmt::format("    \"{} --{}\") words=\"{}\" ;;\n", words, name, bash_words(own));
      }
    }
    cases += fmt::format("      \"{}\") options=\"{}\"; words=\"{}\" ;;\n", words,
                         fmt::join(option_names(*command), " "), first);
  }
  return fmt::format(R"(_benchctl() {{
  local line="${{COMP_LINE:0:COMP_POINT}}" command="" words="" options="" word files="" list=""
  local current="${{line##*[[:blank:]]}}"
  local previous="${{line%"$current"}}"
  previous="${{previous%"${{previous##*[![:blank:]]}}"}}"
  previous="${{previous##*[[:blank:]]}}"
  case "$current" in --*=*) previous="${{current%%=*}}"; current="${{current#*=}}" ;; esac
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$word" in
      -*) ;;
      *) if [ -z "$command" ]; then command="$word"; else
           case "$command" in {}) command="$command $word" ;; esac
           break
         fi ;;
    esac
  done
  case "$command $previous" in
{}    *)
      files=yes
      case "$command" in
{}      *) options="{}"; words="{}" ;;
      esac ;;
  esac
  case "$current" in
    -*) words="$options" files="" ;;
    *,*) if [ -z "$files" ]; then list="${{current%,*}},"; fi ;;
  esac
  COMPREPLY=($(compgen -P "$list" -W "$words" -- "${{current#"$list"}}"))
  if [ -n "$files" ]; then COMPREPLY+=($(compgen -f -- "$current")); fi
  case "$COMP_WORDBREAKS" in *:*) COMPREPLY=("${{COMPREPLY[@]#"${{current%"${{current##*:}}"}}"}}") ;; esac
}}
complete -o filenames -F _benchctl benchctl
)",
                     parents.empty() ? "-" : parents, values, cases, fmt::join(option_names(app), " "),
                     names_below(app));
}

std::string zsh(const CLI::App& app) { return "autoload -U +X bashcompinit && bashcompinit\n" + bash(app); }

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("\\'") : std::string(1, c);
  return result + "'";
}

std::string fish_words(const Values& values) {
  if (!values.known()) return {};
  return " -f -a " + (values.kind.empty()
                          ? quoted(values.words)
                          : fmt::format("'(benchctl complete {} 2>/dev/null)'", values.kind));
}

std::string fish(const CLI::App& app) {
  std::string text = fmt::format("set -l commands {}\n", names_below(app));
  for (const auto& [words, command] : all_commands(app)) {
    const std::size_t blank = words.find(' ');
    const std::string parent = words.substr(0, blank == std::string::npos ? 0 : blank);
    text += fmt::format("complete -c benchctl -n \"{}\" -f -a {} -d {}\n",
                        parent.empty() ? "not __fish_seen_subcommand_from $commands"
                                       : fmt::format("__fish_seen_subcommand_from {}", parent),
                        command->get_name(), quoted(command->get_description()));
    for (const CLI::Option* option : command->get_options()) {
      const std::string condition =
          fmt::format("-n \"__fish_seen_subcommand_from {}\"", command->get_name());
      const std::string own = fish_words(values_of(*option));
      if (option->get_positional() && !own.empty()) {
        text +=
            fmt::format("complete -c benchctl {}{}\n", condition, own.substr(std::string(" -f").size()));
      }
      for (const std::string& name : option->get_lnames()) {
        text += fmt::format("complete -c benchctl {} -l {}{}{} -d {}\n", condition, name,
                            option->get_expected_min() > 0 ? " -r" : "", own,
                            quoted(option->get_description()));
      }
    }
  }
  return text;
}

}  // namespace

void add_completion(CLI::App& app, Common& common) {
  app.add_option_function<std::string>(
         "--completion",
         [&app](const std::string& shell) {
           throw CLI::CallForVersion(shell == "bash"  ? bash(app)
                                     : shell == "zsh" ? zsh(app)
                                                      : fish(app),
                                     CLI::ExitCodes::Success);
         },
         "Completions for a shell: source <(benchctl --completion bash)")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));

  CLI::App* words = app.add_subcommand("complete", "Internal: values that completions offer, one a line");
  words->group("");  // hidden from --help
  auto kind = std::make_shared<std::string>();
  std::vector<std::string> names;
  for (const Kind& one : kinds) names.emplace_back(one.name);
  words->add_option("kind", *kind, "What is wanted")->required()->check(CLI::IsMember(names));
  words->callback([&common, kind] {
    for (const Kind& one : kinds) {
      if (one.name != *kind) continue;
      for (const std::string& word : one.words(common)) std::cout << word << '\n';
    }
  });
}

}  // namespace benchctl::cli
