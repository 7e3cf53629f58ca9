// `benchctl compare BASE NEW`: what has become faster or slower, and an exit code that a CI can act on.
#include "cli/compare_outputs.hpp"
#include "cli/stored.hpp"
#include "report/compare_side.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <fstream>
#include <future>
#include <memory>
#include <sstream>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

/// What `compare` compares, for help texts.
constexpr std::string_view side_forms =
    "number of a run, name of a baseline, a store's file (its newest complete run), FILE:RUN, or a file of "
    "`export` or `report --format json`";

/// Stores that sides read samples from.
using OpenStores = std::vector<std::unique_ptr<Store>>;

/// Does the file begin as JSON does, rather than as a database?
bool is_document(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  char first = '\0';
  return static_cast<bool>(stream >> first) && (first == '{' || first == '[');
}

/// No run and no baseline is called so.
bool names_file(const std::string& name) {
  return name.ends_with(".db") || name.ends_with(".json") || name.find('/') != std::string::npos;
}

std::optional<std::int64_t> run_number(const std::string& text, const std::string& file) {
  if (text.empty()) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  throw UsageError(fmt::format("'{}' is not a number: name a document's run as {}:NUMBER", text, file));
}

CompareSide side_of_store(OpenStores& stores, const fs::path& file, const std::string& run) {
  stores.push_back(std::make_unique<Store>(Store::open(file, Store::Access::read_only)));
  const Store& store = *stores.back();
  if (!run.empty()) return side_of(store, run_in(store, run).id);
  const std::optional<RunRow> newest = store.newest_complete_run();
  if (!newest) throw UsageError(fmt::format("{} has no complete run", store.path().string()));
  return side_of(store, newest->id);
}

CompareSide side_of_file(OpenStores& stores, const fs::path& file, const std::string& run) {
  if (!is_document(file)) return side_of_store(stores, file, run);
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return side_of_document(text.str(), file.string(), run_number(run, file.string()));
}

/// A name without a file is looked for in `store`; an empty one stands for its newest complete run. Throws
/// UsageError, StoreError, DocumentError.
CompareSide open_side(OpenStores& stores, const fs::path& store, const std::string& name) {
  std::error_code ignored;
  if (name.empty()) return side_of_store(stores, store, "");
  if (fs::is_regular_file(name, ignored)) return side_of_file(stores, name, "");
  const std::size_t colon = name.rfind(':');
  const std::string file = name.substr(0, colon);
  const bool in_store = colon == std::string::npos;
  if (in_store && !names_file(name)) return side_of_store(stores, store, name);
  if (in_store || !fs::is_regular_file(file, ignored))
    throw UsageError(fmt::format("there is no file '{}'", file));
  return side_of_file(stores, file, name.substr(colon + 1));
}

struct CompareArguments {
  std::string base;
  std::string fresh;
  std::optional<double> process_spread;
  bool whole_interval = false;
  bool false_discovery_rate = false;
  CompareOutputs outputs;
};

void compare(Common& common, const CompareArguments& options) {
  try_outputs(options.outputs);
  // A policy with a mistake is told before runs are read.
  if (!options.outputs.policy.empty()) static_cast<void>(load_gate(options.outputs.policy));
  // Large runs take seconds to read: both at once.
  OpenStores stores;
  OpenStores later_stores;
  auto later = std::async(std::launch::async | std::launch::deferred,
                          [&] { return open_side(later_stores, common.store_file(), options.fresh); });
  const CompareSide base = open_side(stores, common.store_file(), options.base);
  const CompareSide fresh = later.get();
  CompareOptions how = compare_options(options.outputs, fresh.run.config_text, fresh.label);
  how.process_spread = options.process_spread;
  how.policy.whole_interval = how.policy.whole_interval || options.whole_interval;
  how.policy.false_discovery_rate = how.policy.false_discovery_rate || options.false_discovery_rate;
  common.exit_code = write_comparison(compare_runs(base, fresh, how), options.outputs);
}

}  // namespace

void add_compare(CLI::App& app, Common& common) {
  const auto [command, options] = add_command(
      app, common, "compare", "Show what is faster or slower in one run than in another", &compare);
  add_value(command, "base", options.base, "BASE", fmt::format("What to compare with: {}", side_forms))
      ->required();
  add_value(command, "new", options.fresh, "NEW", "What to judge (default: the newest complete run)");
  add_store_option(command, common);
  add_compare_outputs(command, options.outputs);
  add_value(command, "--process-spread", options.process_spread, "SHARE",
            "Standard deviation of a median between processes, as a share of it (default: from replicates, "
            "else from other runs of the store)")
      ->check(CLI::Range(0.0, 1.0));
  command.add_flag("--whole-interval", options.whole_interval,
                   "Report a difference only if the whole interval is beyond the threshold");
  command.add_flag("--false-discovery-rate", options.false_discovery_rate,
                   "For many points: 5 % of the reported differences may be false on average, instead of "
                   "any in 5 % of comparisons");
}

}  // namespace benchctl::cli
