#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "config/diagnostic.hpp"
#include "conformance/runner.hpp"
#include "engine/interrupt.hpp"
#include "engine/run_record.hpp"
#include "model/words.hpp"
#include "observe/environment.hpp"
#include "report/format.hpp"
#include "worker/session.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace benchctl;
using namespace benchctl::cli;

/// Says which word is not a command, where CLI11 would say only that one is missing. `before` is how the
/// words before it call the program.
void refuse_unknown_command(const CLI::App& app, const std::string& before, std::span<char* const> words) {
  if (words.empty() || words.front()[0] == '-') return;
  const std::string word = words.front();
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == word) {
      return refuse_unknown_command(*command, before + ' ' + word, words.subspan(1));
    }
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  if (names.empty()) return;  // a command without commands below it
  // A slip seldom hits the first letter.
  std::erase_if(names, [&](const std::string& name) { return name.front() != word.front(); });
  const std::optional<std::string> nearest = nearest_name(word, names);
  throw UsageError(fmt::format("{} has no command '{}'; {}", before, visible(word),
                               nearest ? fmt::format("did you mean '{}'?", *nearest)
                                       : fmt::format("`{} --help` lists all", before)));
}

/// A sentence for each unknown option that is nearly one of the command's options.
std::string options_meant(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command = &app; command != nullptr;) {
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    const std::vector<CLI::App*> parsed = command->get_subcommands();
    command = parsed.empty() ? nullptr : parsed.front();
  }
  std::string text;
  for (const std::string& argument : app.remaining(true)) {
    if (!argument.starts_with("--")) continue;
    const std::string name = argument.substr(0, argument.find('='));
    if (const auto nearest = nearest_name(name, names)) {
      text += fmt::format("There is no option {}: did you mean {}?\n", visible(name), *nearest);
    }
  }
  return text;
}

/// The parser's message, with the command and where to read on.
std::string failure_text(const CLI::App* app, const CLI::Error& error) {
  std::string name = app->get_name();
  const CLI::App* command = app;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += ' ' + command->get_name();
  }
  const bool lacks_command =
      command->get_require_subcommand_min() > 0 && error.get_name() == "RequiredError";
  std::string what = lacks_command ? "a command is missing" : error.what();
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {  // it has them in reverse
    const std::vector<std::string> extras = app->remaining(true);
    what = fmt::format("{} not expected: {}",
                       extras.size() == 1 ? "this argument was" : "these arguments were",
                       fmt::join(extras, " "));
  }
  const std::string text = fmt::format("{}: error: {}; `{} --help` {}\n{}", name, visible(what), name,
                                       lacks_command ? "lists all" : "says more", options_meant(*app));
  return visible_lines(text);
}

/// Version, Git revision, compiler, and the plugins found with their versions. Each plugin is opened in a
/// process of its own, and no driver.
std::string version_text(const Common& common) {
  const PluginTable plugins = Workers().plugins(common);
  std::vector<std::string> lines;
  for (const PluginEntry& plugin : plugins.plugins()) {
    lines.push_back(fmt::format("{} {} ({})", plugin.info.name, visible(plugin.info.version),
                                visible(plugin.info.build)));
  }
  for (const RefusedPlugin& plugin : plugins.refused()) {
    lines.push_back(fmt::format("{} cannot be used: {} ({})", visible(plugin.name),
                                visible_lines(plugin.reason), plugin.library));
  }
  if (lines.empty()) lines.emplace_back("none found");
  return fmt::format("benchctl {}\nrevision  {}\ncompiler  {}, {}\nplugins   {}", BENCHCTL_VERSION,
                     revision, build_compiler(), BENCHCTL_BUILD_TYPE, fmt::join(lines, "\n          "));
}

/// The processes that plugins run in: started by this program, never by a person.
void add_workers(CLI::App& app) {
  CLI::App* worker = app.add_subcommand("worker", "Internal: serves a coordinator on file descriptor 3");
  auto libraries = std::make_shared<std::vector<std::string>>();
  add_value(*worker, "library", *libraries, "LIBRARY", "Plugins to load");
  worker->callback([libraries] {
    const PluginHost plugins = PluginHost::load_libraries({libraries->begin(), libraries->end()});
    WorkerSession session(plugins);
    serve([&](Verb verb, const auto& arguments) { return session.handle(verb, arguments); }, 3);
  });
  CLI::App* checker = app.add_subcommand(
      "conformance-worker", "Internal: makes one check of a plugin, told on file descriptor 3");
  checker->callback([] { conformance::serve_check(3); });
  for (CLI::App* command : {worker, checker}) command->group("");  // hidden from --help
}

// Exit codes.
constexpr const char* reads = "0 done, 2 usage error, or a store or file that cannot be used";
constexpr const char* measures =
    "0 no point failed, 1 some point failed, 2 usage or config error, 6 the budget left points out or "
    "nothing could be measured, 130 interrupted";
constexpr const char* compares =
    "0 nothing counts as failure, 1 some point of base failed, 2 usage or config error, 3 regressed, 4 not "
    "comparable, 5 not resolved (ab: with --strict or by the policy; compare: by the policy, or if a "
    "failure depends on an unknown spread between processes), 130 interrupted";
constexpr const char* checks = "0 nothing failed, 1 something failed, 2 usage error, 130 interrupted";
constexpr const char* lists =
    "0 nothing is wrong, 1 devices are missing or could not be listed, 2 usage or config error";
constexpr const char* collects = "0 nothing is missing, 2 usage error, 6 something is missing";

struct Command {
  const char* group;
  void (*add)(CLI::App&, Common&);
  const char* exit_codes;
  std::vector<const char*> examples;  ///< without the program's name
};

/// As `--help` shows them.
std::vector<Command> all_commands() {
  return {
      {"Measure", add_run, measures, {"run tile_sweep", "run k.toml --set n=512 --budget 5m"}},
      {"Measure", add_plan, lists, {"plan tile_sweep", "plan k.toml --shards 2 --output plan"}},
      {"Measure", add_check, lists, {"check k.toml", "check k.toml --compile --arch sm_90"}},
      {"Measure", add_tune, measures, {"tune k.toml --budget 10m", "tune k.toml --points 50 --seed 1"}},
      {"Measure", add_doctor, checks, {"doctor", "doctor --quiet --format json"}},
      {"Measure", add_selftest, checks, {"selftest", "selftest --full"}},
      {"Look", add_show, reads, {"show", "show 2 --all"}},
      {"Look", add_report, reads, {"report -o page.html", "report 1 2 --format md"}},
      {"Look", add_explain, reads, {"explain 0", "explain '2:*tiled*n=512*'"}},
      {"Look", add_export, reads, {"export >rows.csv", "export 2 --format json --samples"}},
      {"Look", add_runs, reads, {"runs", "runs baseline release 1", "runs merge node1.db node2.db"}},
      {"Look", add_list, lists, {"list --devices", "list matmul", "list --configs"}},
      {"Compare", add_compare, compares, {"compare release", "compare 1 2 --threshold 2%"}},
      {"Compare", add_ab, compares, {"ab k.toml --rev main..HEAD", "ab k.toml --kernel-file a.cl b.cl"}},
      {"Compare", add_history, reads, {"history matmul --last 20", "history --format html -o page.html"}},
      {"Extend", add_plugin, checks, {"plugin new mine --kind jit", "plugin check mine --full"}},
      {"Extend", add_replay, checks, {"replay 0", "replay '2:*tiled*n=512*' --no-time --repeat 5"}},
      {"Cluster",
       add_submit,
       reads,
       {"submit k.toml --slurm --output plan", "submit --slurm --output plan --missing"}},
      {"Cluster", add_collect, collects, {"collect plan", "collect plan --format json"}}};
}

/// What the options of a command are about that has many. Those that no group names come first.
struct OptionGroup {
  const char* title;
  std::vector<std::string> options;
};

void group_options(CLI::App& command) {
  constexpr std::size_t many = 16;
  if (command.get_options().size() < many) return;
  const std::vector<OptionGroup> groups{
      {"What is measured", {"--set", "--filter", "--backend", "--device", "--require", "--shard"}},
      {"What is compared", {"--kernel-file", "--plugin", "--rev", "--threshold", "--policy"}},
      {"How long", {"--budget", "--timeout", "--points", "--max-pairs", "--fresh", "--reuse", "--wait"}},
      {"What may be used", {"--allow-outside", "--allow-programs"}},
      {"What comes out",
       {"--db", "--format", "--output", "--quiet", "--published", "--all", "--strict", "--verdict",
        "--summary", "--junit"}},
      {"For debuggers", {"--in-process", "--device-debug"}}};
  for (const OptionGroup& group : groups) {
    for (const std::string& name : group.options) {
      if (CLI::Option* option = command.get_option_no_throw(name)) option->group(group.title);
    }
  }
}

/// What stands below the options of a command, or of one below it: `runs merge`.
std::string footer_of(const Command& command, const std::string& name) {
  std::string examples;
  for (const std::string_view example : command.examples) {
    if (example.starts_with(name)) examples += fmt::format("\n  benchctl {}", example);
  }
  return fmt::format("Exit codes: {}.\n\n{}", command.exit_codes,
                     examples.empty() ? "" : "Examples:" + examples);
}

constexpr const char* program_footer =
    "Exit codes: 0 no point failed, 1 some point failed, 2 usage or config error, 6 the budget left points "
    "out, nothing could be measured or collect misses something, 130 interrupted. compare and ab: 3 "
    "regressed, 4 not comparable, 5 not resolved.\n\n"
    "Environment:\n"
    "  BENCHCTL_DB                 Store file, if there is no --db\n"
    "  BENCHCTL_PLUGIN_PATH        Folders of plugins, with ':' between them\n"
    "  BENCHCTL_CACHE_DIR          Folder of compiled kernels and references\n"
    "  BENCHCTL_TUNINGS            Folders of tuning tables, with ':' between them\n"
    "  BENCHCTL_LOCK_FILE          File by which one benchctl waits for another\n"
    "  BENCHCTL_HARDWARE           Only devices at these places (see `list --devices`)\n"
    "  NO_COLOR                    If it is not empty: no colours\n"
    "  TERM=dumb                   No colours, and no line that is drawn over\n\n"
    "Options of a command: benchctl COMMAND --help. All keys, options and results: benchctl reference";

/// Leaves out what CLI11 says of its own accord: `Excludes: …`, `REQUIRED`, and the kind of a value in
/// `TEXT:{…}` and `N:UINT in [1 - 9]`. On a terminal lines end between words.
class HelpFormatter : public CLI::Formatter {
 public:
  [[nodiscard]] std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return {};
    std::string text = option->get_type_name();
    if (const std::size_t kind = text.find(':'); kind != std::string::npos)
      text = text[kind + 1] == '{' ? text.substr(kind + 1) : text.substr(0, kind);
    if (!option->get_default_str().empty()) text += '=' + option->get_default_str();
    if (option->get_expected_max() == CLI::detail::expected_max_vector_size) text += " ...";
    return ' ' + text;
  }
  [[nodiscard]] std::string make_option(const CLI::Option* option, bool is_positional) const override {
    return fit_lines(CLI::Formatter::make_option(option, is_positional), width_, get_column_width());
  }
  [[nodiscard]] std::string make_group(std::string group, bool is_positional,
                                       std::vector<const CLI::Option*> options) const override {
    const bool is_first = is_positional || group == "Options";
    const std::string text =
        CLI::Formatter::make_group(std::move(group), is_positional, std::move(options));
    return is_first || text.empty() ? text : text.substr(1);  // CLI11 has a second empty line before it
  }
  [[nodiscard]] std::string make_subcommand(const CLI::App* command) const override {
    return fit_lines(CLI::Formatter::make_subcommand(command), width_, get_column_width());
  }
  [[nodiscard]] std::string make_help(const CLI::App* app, std::string name,
                                      CLI::AppFormatMode mode) const override {
    return fit_lines(CLI::Formatter::make_help(app, std::move(name), mode), width_);
  }

 private:
  std::size_t width_ = text_width(STDOUT_FILENO);
};

int run(int argc, char** argv) {
  CLI::App app{"benchctl: benchmarks of compute kernels across vendors"};
  app.name("benchctl");
  app.require_subcommand(1);
  app.failure_message(failure_text);
  app.fallthrough();  // before the commands are added, which inherit it: its options may follow theirs
  app.formatter(std::make_shared<HelpFormatter>());
  Common common;
  common.command = argv[0];
  for (int i = 1; i < argc; ++i) common.command.append(" ").append(argv[i]);
  add_values(app, "--plugin-path", common.plugin_path, "FOLDER",
             "Folder to look for plugins in first (repeatable; also $BENCHCTL_PLUGIN_PATH)")
      ->check([](const std::string& folder) -> std::string {
        if (std::filesystem::is_directory(folder)) return {};
        return fmt::format("there is no folder '{}'", visible(folder));
      });
  // After --plugin-path, which it heeds.
  app.set_version_flag(
      "--version", [&common] { return version_text(common); }, "Version, revision, compiler and plugins");
  for (const Command& command : all_commands()) {
    command.add(app, common);
    CLI::App* added = app.get_subcommands({}).back();
    added->group(command.group);
    added->footer(footer_of(command, added->get_name()));
    group_options(*added);
    for (CLI::App* below : added->get_subcommands({}))
      below->footer(footer_of(command, added->get_name() + ' ' + below->get_name()));
  }
  add_reference(app);
  add_simulate(app);
  add_workers(app);
  // After the commands are added, which would inherit it.
  app.footer(program_footer);
  refuse_unknown_command(app, "benchctl", std::span(argv, static_cast<std::size_t>(argc)).subspan(1));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? success : usage_error;
  }
  return common.exit_code;
}

/// If a standard stream is closed, the next file that is opened takes its descriptor and would get what is
/// printed. A full device takes it instead, so that printing fails with a message.
void occupy_standard_files() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    static_cast<void>(open(descriptor == STDIN_FILENO ? "/dev/null" : "/dev/full", O_RDWR));
  }
}

/// Has whoever read standard output gone, as `head` does when it has seen enough?
bool reader_left() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&output, 1, 0) > 0 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

/// The exit code, if all that was printed has arrived where somebody waits for it.
int with_output_written(int exit_code) {
  errno = 0;
  std::cout.flush();
  const bool flushed = std::fflush(stdout) == 0;
  const int reason = output_error() != 0 ? output_error() : errno;
  if ((flushed && std::cout && std::ferror(stdout) == 0) || reader_left()) return exit_code;
  std::cerr << "benchctl: error: cannot write to standard output" << (reason != 0 ? ": " : "")
            << (reason != 0 ? std::strerror(reason) : "") << '\n';
  return exit_code == success ? usage_error : exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_files();
  // An empty name of the temporary folder is none: the library would look for a folder of that name.
  for (const char* name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"}) {
    if (const char* folder = std::getenv(name); folder != nullptr && *folder == '\0') unsetenv(name);
  }
  // Where a file may not grow any more, writing fails and is told; the signal would only kill.
  std::signal(SIGXFSZ, SIG_IGN);
  // The run continues if its messages are not read any more.
  std::signal(SIGPIPE, SIG_IGN);
  const auto fail = [](const std::exception& error, int exit_code) {
    // The system's names paths as they are.
    const bool names_paths = dynamic_cast<const std::filesystem::filesystem_error*>(&error) != nullptr;
    std::cerr << "benchctl: error: " << (names_paths ? visible(error.what()) : visible_lines(error.what()))
              << '\n';
    return exit_code;
  };
  try {
    return with_output_written(run(argc, argv));
  } catch (const ConfigErrors& errors) {
    std::cerr << visible_lines(errors.what()) << '\n';
  } catch (const Interrupted& stop) {
    std::cerr << "benchctl: " << visible_lines(stop.what()) << '\n';
    return interrupted;
  } catch (const WorkerNotStarted& error) {
    return fail(error, point_failed);
  } catch (const LanesUnknown& error) {
    return fail(error, point_failed);
  } catch (const std::exception& error) {
    return fail(error, usage_error);
  }
  return usage_error;
}
