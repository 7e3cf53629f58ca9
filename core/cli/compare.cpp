// `benchctl compare BASE NEW`: what has become faster or slower, and an exit code that a CI can act on.
#include "cli/compare_outputs.hpp"
#include "cli/run_names.hpp"
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
    "`export` or "
    "`report --format json`";

/// Keeps the stores open that sides read samples from.
class CompareSides {
 public:
  /// A name without a file is looked for in `store`; an empty one stands for its newest complete run.
  /// Throws UsageError, StoreError, DocumentError.
  [[nodiscard]] CompareSide open(const fs::path& store, const std::string& name);

 private:
  [[nodiscard]] CompareSide of_store(const fs::path& file, const std::string& run);
  [[nodiscard]] CompareSide of_file(const fs::path& file, const std::string& run);

  std::vector<std::unique_ptr<Store>> stores_;
};

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

CompareSide CompareSides::of_store(const fs::path& file, const std::string& run) {
  stores_.push_back(std::make_unique<Store>(Store::open(file, Store::Access::read_only)));
  const Store& store = *stores_.back();
  if (!run.empty()) return side_of(store, run_in(store, run).id);
  const std::optional<RunRow> newest = store.newest_complete_run();
  if (!newest) throw UsageError(fmt::format("{} has no complete run", store.path().string()));
  return side_of(store, newest->id);
}

CompareSide CompareSides::of_file(const fs::path& file, const std::string& run) {
  if (!is_document(file)) return of_store(file, run);
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return side_of_document(text.str(), file.string(), run_number(run, file.string()));
}

CompareSide CompareSides::open(const fs::path& store, const std::string& name) {
  std::error_code ignored;
  if (name.empty()) return of_store(store, "");
  if (fs::is_regular_file(name, ignored)) return of_file(name, "");
  const std::size_t colon = name.rfind(':');
  if (colon == std::string::npos) {
    if (names_file(name)) throw UsageError(fmt::format("there is no file '{}'", name));
    return of_store(store, name);
  }
  const fs::path file = name.substr(0, colon);
  if (!fs::is_regular_file(file, ignored))
    throw UsageError(fmt::format("there is no file '{}'", file.string()));
  return of_file(file, name.substr(colon + 1));
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
  CompareSides sides;
  CompareSides later_sides;
  auto later = std::async(std::launch::async | std::launch::deferred,
                          [&] { return later_sides.open(common.store_file(), options.fresh); });
  const CompareSide base = sides.open(common.store_file(), options.base);
  const CompareSide fresh = later.get();
  CompareOptions how = compare_options(options.outputs, fresh.run.config_text, fresh.label);
  how.process_spread = options.process_spread;
  how.policy.whole_interval = how.policy.whole_interval || options.whole_interval;
  how.policy.false_discovery_rate = how.policy.false_discovery_rate || options.false_discovery_rate;
  common.exit_code = write_comparison(compare_runs(base, fresh, how), options.outputs);
}

}  // namespace

void add_compare(CLI::App& app, Common& common) {
  CLI::App* command =
      app.add_subcommand("compare", "Show what is faster or slower in one run than in another");
  auto options = std::make_shared<CompareArguments>();
  command->add_option("base", options->base, fmt::format("What to compare with: {}", side_forms))
      ->required()
      ->type_name("BASE");
  command->add_option("new", options->fresh, "What to judge (default: the newest complete run)")
      ->type_name("NEW");
  add_store_option(*command, common);
  add_compare_outputs(*command, options->outputs);
  command
      ->add_option("--process-spread", options->process_spread,
                   "Standard deviation of a median between processes, as a share of it (default: from "
                   "replicates, else from other runs of the store)")
      ->type_name("SHARE")
      ->check(CLI::Range(0.0, 1.0));
  command->add_flag("--whole-interval", options->whole_interval,
                    "Report a difference only if the whole interval is beyond the threshold");
  command->add_flag("--false-discovery-rate", options->false_discovery_rate,
                    "For many points: 5 % of the reported differences may be false on average, instead of "
                    "any in 5 % of comparisons");
  command->callback([&common, options] { compare(common, *options); });
}

}  // namespace benchctl::cli
