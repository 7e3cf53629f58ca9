// `benchctl completion SHELL`: completions made from the parser itself, so that they cannot fall behind.
#include "cli/command.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>

namespace benchctl::cli {

namespace {

/// What may follow a command: names of commands below it, long and short options with their dashes, theirs
/// too.
std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  if (command.get_parent() != nullptr) {
    for (const CLI::App* below : command.get_subcommands({})) {
      names.push_back(below->get_name());
      for (std::string& name : option_names(*below)) names.push_back(std::move(name));
    }
  }
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  if (command.get_parent() != nullptr) {
    for (const CLI::App* part : command.get_subcommands({})) names.push_back(part->get_name());
  }
  return names;
}

std::vector<const CLI::App*> visible_commands(const CLI::App& app) {
  std::vector<const CLI::App*> commands;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (!command->get_group().empty()) commands.push_back(command);
  }
  return commands;
}

std::string names_of(const std::vector<const CLI::App*>& commands) {
  std::string names;
  for (const CLI::App* command : commands) names += (names.empty() ? "" : " ") + command->get_name();
  return names;
}

std::string bash(const CLI::App& app) {
  const auto commands = visible_commands(app);
  std::string cases;
  for (const CLI::App* command : commands) {
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(),
                         fmt::join(option_names(*command), " "));
  }
  return fmt::format(R"(_benchctl() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" command="" words="" word
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$word" in -*) ;; *) command="$word"; break ;; esac
  done
  case "$command" in
{}    *) words="{} {}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  case "$current" in -*) ;; *) COMPREPLY+=($(compgen -f -- "$current")) ;; esac
}}
complete -o filenames -F _benchctl benchctl
)",
                     cases, names_of(commands), fmt::join(option_names(app), " "));
}

std::string zsh(const CLI::App& app) { return "autoload -U +X bashcompinit && bashcompinit\n" + bash(app); }

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("\\'") : std::string(1, c);
  return result + "'";
}

std::string fish(const CLI::App& app) {
  const auto commands = visible_commands(app);
  std::string text = fmt::format("set -l commands {}\n", names_of(commands));
  for (const CLI::App* command : commands) {
    text += fmt::format(
        "complete -c benchctl -n \"not __fish_seen_subcommand_from $commands\" -f -a {} -d {}\n",
        command->get_name(), quoted(command->get_description()));
    std::vector<const CLI::Option*> options = command->get_options();
    for (const CLI::App* below : command->get_subcommands({})) {
      text += fmt::format("complete -c benchctl -n \"__fish_seen_subcommand_from {}\" -f -a {} -d {}\n",
                          command->get_name(), below->get_name(), quoted(below->get_description()));
      for (const CLI::Option* option : below->get_options()) options.push_back(option);
    }
    for (const CLI::Option* option : options) {
      for (const std::string& name : option->get_lnames()) {
        text += fmt::format("complete -c benchctl -n \"__fish_seen_subcommand_from {}\" -l {}{} -d {}\n",
                            command->get_name(), name, option->get_expected_min() > 0 ? " -r" : "",
                            quoted(option->get_description()));
      }
    }
  }
  return text;
}

}  // namespace

void add_completion(CLI::App& app, Common&) {
  CLI::App* command =
      app.add_subcommand("completion", "Completions for a shell, e.g. source <(benchctl completion bash)");
  auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([&app, shell] {
    std::cout << (*shell == "bash" ? bash(app) : *shell == "zsh" ? zsh(app) : fish(app));
  });
}

}  // namespace benchctl::cli
