#include "cli/compare_outputs.hpp"

#include "cli/terminal.hpp"
#include "config/config.hpp"
#include "report/table.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace benchctl::cli {

namespace {

int exit_code_of(GateVerdict verdict) {
  switch (verdict) {
    case GateVerdict::regressed:
      return regressed;
    case GateVerdict::failed:
      return point_failed;
    case GateVerdict::not_comparable:
      return not_comparable;
    case GateVerdict::not_resolved:
      return not_resolved;
    case GateVerdict::fine:
      break;
  }
  return success;
}

/// `0.02` or `2%`; nothing for what is not a share from 0 to 1.
std::optional<double> share_from(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string unit = end;
  if (end == text.c_str() || (!unit.empty() && unit != "%")) return std::nullopt;
  const double share = unit.empty() ? number : number / 100;
  return share >= 0 && share <= 1 ? std::optional(share) : std::nullopt;
}

/// [compare] of a config; the defaults where it cannot be read any more.
CompareSettings settings_of(const std::string& config_text, const std::string& label) {
  try {
    return parse_config(config_text, label).compare;
  } catch (const ConfigErrors&) {
    return {};
  }
}

const CompareFormat& format_called(std::string_view id) {
  return *std::ranges::find(compare_formats(), id, &CompareFormat::id);
}

}  // namespace

void add_compare_outputs(CLI::App& command, CompareOutputs& outputs) {
  std::vector<std::string> names;
  for (const CompareFormat& format : compare_formats()) names.emplace_back(format.id);
  add_format_option(command, outputs.format, names);
  add_output_option(command, outputs.file);
  for (const CompareFormat& format : compare_formats()) {
    if (!format.for_ci) continue;
    add_value(command, fmt::format("--{}", format.id), outputs.files[std::string(format.id)], "FILE",
              fmt::format("Also write this file: {}", format.doc));
  }
  add_value(command, "--threshold", outputs.threshold, "SHARE",
            "Differences up to this share of the time do not matter: 0.02 or 2% (default: the policy's, "
            "else that of [compare] in the new side's config, else 0.01)")
      ->check([](const std::string& text) -> std::string {
        if (share_from(text)) return {};
        return fmt::format("'{}' is not a share of the time; expected 0 to 1, or 0% to 100%", text);
      });
  add_value(command, "--policy", outputs.policy, "FILE",
            "TOML file that says what counts as failure (docs/compare.md)");
  command.add_flag(
      "--all", outputs.all,
      fmt::format("List all pairs of a long comparison: those without change, and more than {} rows",
                  rows_listed));
  command.footer(
      "Exit codes: 0 nothing is known to be slower, 1 some point failed, 2 usage or config error, "
      "3 regressed, 4 not comparable, 5 not resolved where that is asked for, 130 interrupted.");
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
  std::map<std::string, std::string> files = outputs.files;
  files["output"] = outputs.file;
  for (const auto& [option, file] : files) {
    if (file.empty()) continue;
    std::error_code ignored;
    const bool was_there = std::filesystem::exists(file, ignored);
    // A reader of a pipe would take this for the end.
    if (was_there && !std::filesystem::is_regular_file(file, ignored)) continue;
    errno = 0;
    if (!std::ofstream(file, std::ios::binary | std::ios::app))
      throw UsageError(fmt::format("--{} {}: cannot be written: {}", option, file, std::strerror(errno)));
    if (!was_there) std::filesystem::remove(file, ignored);
  }
}

int write_comparison(const CompareResult& result, const CompareOutputs& outputs) {
  const int code = exit_code_of(result.verdict);
  for (const auto& [format, file] : outputs.files) {
    if (!file.empty()) write_output(format_called(format).write(result, {}, code), file);
  }
  const bool terminal = outputs.file.empty() && outputs.format == "text";
  write_output(format_called(outputs.format)
                   .write(result,
                          {.markdown = false,
                           .colours = terminal && colours_on(STDOUT_FILENO),
                           .all = outputs.all,
                           .width = terminal ? text_width(STDOUT_FILENO) : 0},
                          code),
               outputs.file);
  const bool is_read = outputs.file.empty() && (outputs.format == "text" || outputs.format == "md");
  if (!is_read) tell("benchctl: {}\n", verdict_text(result));
  return code;
}

}  // namespace benchctl::cli
