// `benchctl compare BASE NEW`: what has become faster or slower, and an exit code that a CI can act on.
#include "cli/compare_sides.hpp"
#include "cli/terminal.hpp"
#include "config/config.hpp"
#include "report/compare_documents.hpp"
#include "report/table.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <optional>

namespace benchctl::cli {

namespace {

struct CompareArguments {
  std::string base;
  std::string fresh;
  std::string format;
  std::string file;
  std::string policy;
  std::optional<double> threshold;
  std::optional<double> process_spread;
  bool all = false;
};

/// `[compare] threshold` of the config that a run was made with; the default where it cannot be read any
/// more.
double threshold_of(const CompareSide& side) {
  try {
    return parse_config(side.run.config_text, side.label).compare.threshold;
  } catch (const ConfigErrors&) {
    return CompareSettings{}.threshold;
  }
}

CompareOptions options_for(const CompareArguments& options, const CompareSide& fresh) {
  CompareOptions result;
  if (!options.policy.empty()) result.policy = load_gate(options.policy);
  result.threshold = options.threshold         ? *options.threshold
                     : result.policy.threshold ? *result.policy.threshold
                                               : threshold_of(fresh);
  result.process_spread = options.process_spread;
  return result;
}

int exit_code_of(GateVerdict verdict) {
  switch (verdict) {
    case GateVerdict::regressed:
      return regressed;
    case GateVerdict::not_comparable:
      return not_comparable;
    case GateVerdict::not_resolved:
      return not_resolved;
    case GateVerdict::fine:
      break;
  }
  return success;
}

void compare(Common& common, const CompareArguments& options) {
  // A policy with a mistake is told before runs are read.
  if (!options.policy.empty()) static_cast<void>(load_gate(options.policy));
  CompareSides sides;
  const CompareSide base = sides.open(common.store_file(), options.base);
  const CompareSide fresh = sides.open(common.store_file(), options.fresh);
  const CompareResult result = compare_runs(base, fresh, options_for(options, fresh));
  if (options.format == "json") {
    write_output(compare_json(result), options.file);
  } else if (options.format == "csv") {
    write_output(compare_csv(result), options.file);
  } else {
    const bool colours = options.file.empty() && colours_on(STDOUT_FILENO);
    write_output(
        compare_text(result, {options.format == "md", colours && options.format == "text", options.all}),
        options.file);
  }
  if (!options.file.empty() || options.format == "json" || options.format == "csv") {
    tell("benchctl: {}\n", verdict_text(result));
  }
  common.exit_code = exit_code_of(result.verdict);
}

}  // namespace

void add_compare(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("compare", "What is faster or slower in one run than in another");
  auto options = std::make_shared<CompareArguments>();
  command->add_option("base", options->base, fmt::format("What to compare with: {}", side_forms))
      ->required()
      ->type_name("BASE");
  command->add_option("new", options->fresh, "What to judge (default: the newest complete run)")
      ->type_name("NEW");
  add_store_option(*command, common);
  add_format_option(*command, options->format, {"text", "md", "json", "csv"});
  command->add_option("-o,--output", options->file, "File to write (default: standard output)")
      ->type_name("FILE");
  command
      ->add_option(
          "--threshold", options->threshold,
          "Share of the time up to which a difference does not matter (default: of the policy, else of "
          "[compare] in the new run's config, else 0.01)")
      ->type_name("SHARE")
      ->check(CLI::Range(0.0, 1.0));
  command
      ->add_option("--process-spread", options->process_spread,
                   "Standard deviation of a median from process to process, as share of it (default: from "
                   "replicates, else from other runs of the store)")
      ->type_name("SHARE")
      ->check(CLI::Range(0.0, 1.0));
  command
      ->add_option("--policy", options->policy,
                   "TOML file that says what counts as failure (docs/compare.md)")
      ->type_name("FILE");
  command->add_flag(
      "--all", options->all,
      fmt::format("List all pairs of a long comparison: those without change, and more than {} rows",
                  rows_listed));
  command->callback([&common, options] { compare(common, *options); });
}

}  // namespace benchctl::cli
