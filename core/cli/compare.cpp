// `benchctl compare BASE NEW`: what has become faster or slower, and an exit code that a CI can act on.
#include "cli/compare.hpp"

#include "cli/runs.hpp"
#include "cli/terminal.hpp"
#include "config/config.hpp"
#include "model/words.hpp"
#include "report/export.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

/// By GateVerdict.
constexpr std::array<int, detail::Spellings<GateVerdict>::table.size()> exit_codes{
    success, not_resolved, not_comparable, point_failed, regressed};

/// `0.02` or `2%`; nothing for what is not a share from 0 to 1.
std::optional<double> share_from(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string unit = end;
  if (end == text.c_str() || (!unit.empty() && unit != "%")) return std::nullopt;
  const double share = unit.empty() ? number : number / 100;
  return share >= 0 && share <= 1 ? std::optional(share) : std::nullopt;
}

/// For CLI11's `check`.
std::string must_be_share(const std::string& text) {
  if (share_from(text)) return {};
  return fmt::format("'{}' is not a share of the time; expected 0 to 1, or 0% to 100%", text);
}

/// [compare] of a config; the defaults where it cannot be read any more.
CompareSettings settings_of(const std::string& config_text, const std::string& label) {
  try {
    return parse_config(config_text, label).compare;
  } catch (const ConfigErrors&) {
    return {};
  }
}

/// What `compare` compares, for help texts.
constexpr std::string_view side_forms =
    "number of a run, name of a baseline, a store's file (its newest complete run), or FILE:RUN";

struct CompareArguments {
  std::string base;
  std::string fresh;
  std::string process_spread;  ///< a share; empty: from the runs
  CompareOutputs outputs;
};

void compare(Common& common, const CompareArguments& options) {
  try_outputs(options.outputs);
  // A policy with a mistake is told before runs are read.
  if (!options.outputs.policy.empty()) static_cast<void>(load_gate(options.outputs.policy));
  const NamedRuns runs = open_run(common, options.base, true);
  const NamedRuns newer = open_run(common, options.fresh, true);
  CompareSide base = side_of(*runs.sources[0].store, runs.sources[0].run);
  CompareSide fresh = side_of(*newer.sources[0].store, newer.sources[0].run);
  std::error_code ignored;
  if (base.run.id == fresh.run.id && fs::equivalent(base.store->path(), fresh.store->path(), ignored)) {
    throw UsageError(fmt::format("base and new are both run {}{}: measure again, or name the run to judge",
                                 to_number(base.run.id),
                                 options.fresh.empty() ? ", the newest complete one" : ""));
  }
  name_apart(base, fresh);
  CompareOptions how = compare_options(options.outputs, fresh.run.config_text, fresh.label);
  how.process_spread = share_from(options.process_spread);
  common.exit_code = write_comparison(compare_runs(base, fresh, how), options.outputs);
}

}  // namespace

void add_compare_outputs(CLI::App& command, CompareOutputs& outputs) {
  std::vector<std::string> names;
  for (const Writer& writer : writers()) {
    if (writer.comparison != nullptr && writer.for_ci.empty()) names.emplace_back(writer.format);
  }
  add_format_option(command, outputs.format, names);
  add_output_option(command, outputs.file);
  for (const Writer& writer : writers()) {
    if (writer.for_ci.empty()) continue;
    add_value(command, fmt::format("--{}", writer.format), outputs.files[std::string(writer.format)],
              "FILE", fmt::format("Also write this file: {}", writer.for_ci));
  }
  add_value(command, "--threshold", outputs.threshold, "SHARE",
            "Differences up to this share of the time do not matter: 0.02 or 2% (default: the policy's, "
            "else that of [compare] in the new side's config, else 0.01)")
      ->check(must_be_share);
  add_value(command, "--policy", outputs.policy, "FILE",
            "TOML file that says what counts as failure (docs/compare.md)");
  command.add_flag(
      "--all", outputs.all,
      fmt::format("List all pairs of a long comparison: those without change, and more than {} rows",
                  rows_listed));
}

CompareOptions compare_options(const CompareOutputs& outputs, const std::string& config_text,
                               const std::string& label) {
  CompareOptions options;
  if (!outputs.policy.empty()) options.policy = load_gate(outputs.policy);
  options.threshold = !outputs.threshold.empty() ? share_from(outputs.threshold).value()
                      : options.policy.threshold ? *options.policy.threshold
                                                 : settings_of(config_text, label).threshold;
  return options;
}

void try_outputs(const CompareOutputs& outputs) {
  for (const auto& [option, file] : outputs.files) try_output("--" + option, file);
  try_output("--output", outputs.file);
}

int write_comparison(const CompareResult& result, const CompareOutputs& outputs) {
  const int code = exit_codes.at(static_cast<std::size_t>(result.verdict));
  // What was measured is not lost with one file that cannot be written any more.
  bool lost = false;
  const auto save = [&](const std::string& text, const std::string& file) {
    try {
      write_output(text, file);
    } catch (const std::exception& error) {
      tell("benchctl: error: {}\n", error.what());
      lost = true;
    }
  };
  for (const auto& [format, file] : outputs.files) {
    if (!file.empty()) save(benchctl::write_comparison(format, result, {}, code), file);
  }
  const bool terminal = outputs.file.empty() && outputs.format == "text";
  save(benchctl::write_comparison(outputs.format, result,
                                  {.colours = terminal && colours_on(STDOUT_FILENO),
                                   .all = outputs.all,
                                   .width = terminal ? text_width(STDOUT_FILENO) : 0},
                                  code),
       outputs.file);
  const bool is_read = outputs.file.empty() && (outputs.format == "text" || outputs.format == "md");
  if (!is_read) tell("benchctl: {}\n", verdict_text(result));
  return lost && code == success ? usage_error : code;
}

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
      ->check(must_be_share);
}

}  // namespace benchctl::cli
