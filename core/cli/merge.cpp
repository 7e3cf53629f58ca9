// `benchctl merge`: the runs of several stores in one.
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "model/visible.hpp"
#include "store/store.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

struct MergeArguments {
  std::string into;
  std::vector<std::string> from;
};

std::string counted(std::size_t count) { return fmt::format("{} {}", count, count == 1 ? "run" : "runs"); }

std::string outcome_text(const std::string& file, const MergeOutcome& outcome) {
  std::string text = fmt::format("{}: {} added, {} there already\n", file, counted(outcome.added.size()),
                                 counted(outcome.known.size()));
  for (const auto& [from, into] : outcome.added) {
    text += fmt::format("  run {} is run {}\n", to_number(from), to_number(into));
  }
  for (const auto& [name, own] : outcome.renamed_baselines) {
    text += fmt::format("  baseline {} is {} here: {} is another run\n", name, own, name);
  }
  return text;
}

/// Before anything is written: every store can be read, and is not the target.
std::vector<Store> open_sources(const MergeArguments& options) {
  std::vector<Store> stores;
  std::error_code ignored;
  for (const std::string& file : options.from) {
    stores.push_back(Store::open(file, Store::Access::read_only));
    if (fs::equivalent(file, options.into, ignored)) {
      throw UsageError(fmt::format("{} cannot be merged into itself", file));
    }
  }
  return stores;
}

void merge(const MergeArguments& options) {
  const std::vector<Store> sources = open_sources(options);
  std::error_code ignored;
  bool is_in_vain = !fs::exists(options.into, ignored);
  try {
    Store into = Store::open(options.into);
    for (const Store& source : sources) {
      const MergeOutcome outcome = into.merge(source);
      is_in_vain = is_in_vain && outcome.added.empty();
      fmt::print("{}", visible_lines(outcome_text(source.path().string(), outcome)));
      for (const auto& [from, run] : outcome.conflicts) {
        tell(
            "benchctl: run {} of {} is a run that {} has with other results: both are kept, this one "
            "as run {}\n",
            to_number(from), source.path().string(), options.into, to_number(run));
      }
    }
  } catch (...) {
    if (is_in_vain) Store::remove(options.into);
    throw;
  }
}

}  // namespace

void add_merge(CLI::App& app, Common&) {
  CLI::App* command = app.add_subcommand("merge", "Add the runs of other stores to a store, without loss");
  auto options = std::make_shared<MergeArguments>();
  command->add_option("into", options->into, "Store to add to; created if missing")
      ->required()
      ->type_name("INTO");
  command->add_option("from", options->from, "Stores to take runs from; they are only read")
      ->required()
      ->type_name("FROM");
  command->callback([options] { merge(*options); });
}

}  // namespace benchctl::cli
