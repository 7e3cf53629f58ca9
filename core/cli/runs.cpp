// `benchctl show`: a run of the store. `benchctl runs`: lists the runs of a store; names, adds, deletes and
// thins them, and copies the store.
#include "cli/runs.hpp"

#include "cli/terminal.hpp"
#include "model/words.hpp"
#include "report/export.hpp"
#include "report/table.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

const Store& opened(NamedRuns& found, const fs::path& file) {
  const fs::path absolute = fs::absolute(file).lexically_normal();
  for (const auto& store : found.stores) {
    if (store->path().lexically_normal() == absolute) return *store;
  }
  found.stores.push_back(std::make_unique<Store>(Store::open(file, Store::Access::read_only)));
  return *found.stores.back();
}

void add_source(NamedRuns& found, const Store& store, RunId run) {
  const auto same = [&](const ReportSource& source) { return source.store == &store && source.run == run; };
  if (std::ranges::none_of(found.sources, same)) found.sources.push_back({&store, run});
}

/// False if the store has no such run.
bool add_named(NamedRuns& found, const Store& store, const std::string& name) {
  if (name == "all") {
    std::vector<RunRow> runs = store.runs();
    std::ranges::reverse(runs);
    for (const RunRow& run : runs) add_source(found, store, run.id);
    return !runs.empty();
  }
  const auto run = store.find_named(name);
  if (run) add_source(found, store, *run);
  return run.has_value();
}

[[noreturn]] void refuse_run(const std::string& name, const std::string& where) {
  throw UsageError(
      fmt::format("'{}' names no run in {}; `benchctl runs` lists them. A run is its number, the name of a "
                  "baseline, `all`, or FILE:RUN for another store",
                  visible(name), visible(where)));
}

struct ShowArguments {
  std::string run;
  bool all = false;
  bool published = false;
};

void show_run(Common& common, const ShowArguments& options) {
  const NamedRuns runs = open_run(common, options.run);
  const auto& [store, run] = runs.sources.front();
  write_plain(run_text(*store, run,
                       {.colours = colours_on(STDOUT_FILENO),
                        .all = options.all,
                        .published = options.published,
                        .width = text_width(STDOUT_FILENO)}));
}

/// A store that is not there is an error, not made.
Store existing_store(const Common& common) {
  const bool exists = fs::exists(common.store_file());
  return Store::open(common.store_file(), exists ? Store::Access::read_write : Store::Access::read_only);
}

std::vector<RunId> runs_called(const Store& store, const std::vector<std::string>& names) {
  std::vector<RunId> runs;
  for (const std::string& name : names) runs.push_back(run_in(store, name).id);
  return runs;
}

void set_baseline(const Common& common, const std::string& name, const std::string& run) {
  if (!is_baseline_name(name)) {
    throw UsageError(fmt::format(
        "'{}' cannot be the name of a baseline: it begins with a letter, goes on with letters, digits, "
        "'_', '-' and '.', has at most 64 of them, is not 'all' and does not end like a file",
        name));
  }
  Store store = existing_store(common);
  const RunRow found = run_in(store, run);
  store.set_baseline(name, found.id);
  print_plain("{} is run {}: {}\n", name, to_number(found.id), visible(found.title));
  if (state_now(found) != RunState::complete) {
    tell("benchctl: run {} is {}: points that it lacks cannot be compared\n", to_number(found.id),
         to_string(state_now(found)));
  }
}

void remove_baseline(const Common& common, const std::string& name) {
  if (existing_store(common).remove_baseline(name)) return;
  throw UsageError(fmt::format("{} has no baseline '{}'; see `benchctl runs`", common.store_file(), name));
}

void prune(const Common& common, const std::vector<std::string>& names) {
  Store store = existing_store(common);
  store.prune_samples(runs_called(store, names));
  tell(
      "benchctl: the samples were dropped, and the file is smaller. Statistics stay; raw samples in "
      "exports and comparisons of processes between runs are refused from now on\n");
}

std::string outcome_text(const std::filesystem::path& file, const MergeOutcome& outcome) {
  std::string text =
      fmt::format("{}: {} added, {} there already\n", file, counted(outcome.added.size(), "run"),
                  counted(outcome.known.size(), "run"));
  for (const auto& [from, into] : outcome.added) {
    text += fmt::format("  run {} is run {}\n", to_number(from), to_number(into));
  }
  for (const auto& [name, own] : outcome.renamed_baselines) {
    text += fmt::format("  baseline {} is {} here: {} is another run\n", name, own, name);
  }
  return text;
}

/// Before anything is written: every store can be read, and is not the target.
std::vector<Store> open_sources(const fs::path& into, const std::vector<std::string>& files) {
  std::vector<Store> stores;
  std::error_code ignored;
  for (const std::string& file : files) {
    stores.push_back(Store::open(file, Store::Access::read_only));
    if (fs::equivalent(file, into, ignored))
      throw UsageError(fmt::format("{} cannot be merged into itself", visible(file)));
  }
  return stores;
}

void merge(const Common& common, const std::vector<std::string>& files) {
  const fs::path target = common.store_file();
  const std::vector<Store> sources = open_sources(target, files);
  std::error_code ignored;
  bool is_in_vain = !fs::exists(target, ignored);
  try {
    Store into = Store::open(target);
    for (const Store& source : sources) {
      const MergeOutcome outcome = into.merge(source);
      is_in_vain = is_in_vain && outcome.added.empty();
      print_plain("{}", visible_lines(outcome_text(source.path(), outcome)));
      for (const auto& [from, run] : outcome.conflicts) {
        tell(
            "benchctl: run {} of {} is a run that {} has with other results: both are kept, this one as "
            "run {}\n",
            to_number(from), source.path(), target, to_number(run));
      }
    }
  } catch (...) {
    if (is_in_vain) Store::remove(target);
    throw;
  }
}

/// A command below `runs` that takes runs or files.
struct Below {
  const char* name;
  const char* doc;
  const char* word;
  const char* type;
  const char* word_doc;
  void (*act)(const Common& common, const std::vector<std::string>& words);
};
constexpr const char* runs_doc = "Numbers of runs, or names that they have";
constexpr std::array<Below, 4> commands_below{
    {{"merge", "Add the runs of other stores to this one, without loss; it is created if missing", "file",
      "FILE", "Stores to take runs from; they are only read", &merge},
     {"prune", "Drop the samples of complete runs and keep their statistics; this cannot be undone", "run",
      "RUN", runs_doc, &prune},
     {"delete", "Delete runs with all their samples; this cannot be undone", "run", "RUN", runs_doc,
      [](const Common& common, const std::vector<std::string>& names) {
        Store store = existing_store(common);
        store.delete_runs(runs_called(store, names));
      }},
     {"backup", "Copy the store, also while a run is being measured", "file", "FILE",
      "File to write; it must not exist yet",
      [](const Common& common, const std::vector<std::string>& files) {
        if (files.size() > 1) throw UsageError("runs backup writes one file");
        common.store().back_up(files.front());
      }}}};

void add_baseline(CLI::App& runs, Common& common) {
  CLI::App* command =
      runs.add_subcommand("baseline", "Name a run, or move a name; it works wherever a run is named");
  auto name = std::make_shared<std::string>();
  auto run = std::make_shared<std::string>();
  add_value(*command, "name", *name, "NAME", "The name: letters, digits, '_', '-', '.'")->required();
  auto* named = add_value(*command, "run", *run, "RUN",
                          "Number of the run, or a name that it has (default: the newest)");
  auto remove = std::make_shared<bool>(false);
  command->add_flag("--remove", *remove, "Forget the name; the run stays")->excludes(named);
  add_store_option(*command, common);
  command->callback(
      [=, &common] { *remove ? remove_baseline(common, *name) : set_baseline(common, *name, *run); });
}

}  // namespace

NamedRuns open_run(const Common& common, const std::string& name, bool complete) {
  NamedRuns runs = open_runs({common.store_file().string()},
                             name.empty() ? std::vector<std::string>{} : std::vector{name}, complete);
  if (runs.sources.size() != 1) throw UsageError(fmt::format("'{}' names several runs: name one", name));
  return runs;
}

NamedRuns open_runs(const std::vector<std::string>& stores, const std::vector<std::string>& names,
                    bool complete) {
  NamedRuns found;
  const auto add_newest = [&](const Store& store) {
    const std::optional<RunRow> newest = complete ? store.newest_complete_run() : run_in(store, "");
    if (!newest) throw UsageError(fmt::format("{} has no complete run", store.path()));
    add_source(found, store, newest->id);
  };
  if (names.empty()) {
    for (const std::string& file : stores) add_newest(opened(found, file));
  }
  for (const std::string& name : names) {
    std::error_code ignored;
    if (fs::is_regular_file(name, ignored)) {
      add_newest(opened(found, name));
      continue;
    }
    if (const std::size_t colon = name.rfind(':'); colon != std::string::npos) {
      const std::string file = name.substr(0, colon);
      const std::string run = name.substr(colon + 1);
      if (!add_named(found, opened(found, file), run)) refuse_run(run, file);
      continue;
    }
    if (name.ends_with(".db") || name.find('/') != std::string::npos)
      throw UsageError(fmt::format("there is no file '{}'", visible(name)));
    std::vector<fs::path> holders;
    for (const std::string& file : stores) {
      const Store& store = opened(found, file);
      if (add_named(found, store, name)) holders.push_back(store.path());
    }
    if (holders.empty()) refuse_run(name, fmt::format("{}", fmt::join(stores, ", ")));
    if (holders.size() > 1 && name != "all") {
      throw UsageError(fmt::format("run {} is in several stores ({}): write FILE:{}", name,
                                   fmt::join(holders, ", "), name));
    }
  }
  return found;
}

NamedContents files_of(const Store& store, RunId run) {
  NamedContents files;
  for (RunFile& file : store.files(run)) files.emplace_back(std::move(file.name), std::move(file.contents));
  return files;
}

RunRow run_in(const Store& store, const std::string& name) {
  const std::optional<RunId> run = store.find_named(name);
  std::optional<RunRow> row = name.empty() ? store.newest_run() : run ? store.run(*run) : std::nullopt;
  if (row) return *std::move(row);
  if (name.empty()) throw UsageError(fmt::format("{} has no runs yet", store.path()));
  throw UsageError(fmt::format("{} has no run '{}'; see `benchctl runs`", store.path(), visible(name)));
}

void add_show(CLI::App& app, Common& common) {
  const auto [command, options] =
      add_command(app, common, "show", "Show the result table of a run", &show_run);
  add_value(command, "run", options.run, "RUN",
            "Number of a run, name of a baseline, or FILE:RUN for another store (default: the newest)");
  add_store_option(command, common);
  command.add_flag("--all", options.all,
                   fmt::format("List all points with times, not only {}: the fastest of each problem and "
                               "device, then the second fastest of each, and so on",
                               rows_listed));
  command.add_flag("--published", options.published, published_help);
}

void add_runs(CLI::App& app, Common& common) {
  CLI::App* command =
      app.add_subcommand("runs", "List the runs of a store; name, add, thin, delete or copy them");
  command->require_subcommand(0, 1);
  auto format = std::make_shared<std::string>();
  add_store_option(*command, common);
  add_format_option(*command, *format, {"text", "json"});
  add_baseline(*command, common);
  for (const Below& below : commands_below) {
    CLI::App* own = command->add_subcommand(below.name, below.doc);
    auto words = std::make_shared<std::vector<std::string>>();
    add_value(*own, below.word, *words, below.type, below.word_doc)->required();
    add_store_option(*own, common);
    own->callback([&common, act = below.act, words] { act(common, *words); });
  }
  command->callback([&common, command, format] {
    if (!command->get_subcommands().empty()) return;
    const Store store = common.store();
    write_plain(*format == "json" ? runs_json(store) : runs_table(store, text_width(STDOUT_FILENO)));
  });
}

}  // namespace benchctl::cli
