// `benchctl compare BASE NEW`: what has become faster or slower, and an exit code that a CI can act on.
#include "cli/compare_outputs.hpp"
#include "cli/compare_sides.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <future>

namespace benchctl::cli {

namespace {

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
