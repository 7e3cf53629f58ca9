#include "cli/sharding.hpp"

#include "cli/terminal.hpp"
#include "model/json.hpp"
#include "model/json_words.hpp"
#include "model/words.hpp"
#include "report/text_table.hpp"
#include "sweep/stored_config.hpp"

#include <benchctl/file_draft.hpp>

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <nlohmann/json.hpp>

namespace benchctl {

BENCHCTL_JSON_RECORD(cli::SelectionOptions, config, set, filters, backends, devices, require, allow_outside,
                     timeout_seconds)
BENCHCTL_JSON_RECORD(cli::PlanFolder, name, shards, split, selection, jobs)

namespace cli {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

std::optional<std::size_t> count_in(std::string_view text) {
  const auto number = number_from<std::size_t>(text);
  return number > 0U && number <= max_shards ? number : std::nullopt;
}

fs::path plan_file(const fs::path& folder) { return folder / "plan.json"; }

}  // namespace

void add_shard_option(CLI::App& command, std::string& text) {
  add_value(command, "--shard", text, "I/N",
            "Only part I of N of the plan, such as 3/8: all points of a problem are in one part, the same "
            "on every machine (`plan --shards N` shows them)");
}

std::optional<Shard> shard_from(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const std::size_t slash = text.find('/');
  const std::optional<std::size_t> number = count_in(text.substr(0, slash));
  const std::optional<std::size_t> count =
      slash == std::string_view::npos ? std::nullopt : count_in(text.substr(slash + 1));
  if (!number || !count || *number > *count) {
    throw UsageError(fmt::format("--shard {}: expected I/N with I from 1 to N and N up to {}, such as 3/8",
                                 text, max_shards));
  }
  return Shard{*number, *count};
}

std::string identity_of(const Shards& shards, const Shard& shard) {
  return fmt::format("shard {}/{} of {}\n", shard.number, shard.count, shards.digest());
}

bool keep_shard(Selection& selection, RunOptions& run, const std::vector<std::string>& backends,
                const Shard& shard) {
  const auto shards =
      std::make_shared<const Shards>(selection.config, selection.catalogue, backends, shard.count);
  run.identity += identity_of(*shards, shard);
  run.in_shard = [shards, place = shard.number - 1](const Point& point) {
    return shards->of(point) == place;
  };
  std::erase_if(selection.expansion.points, [&](const Point& point) { return !run.in_shard(point); });
  if (!selection.expansion.points.empty() || shards->loads()[shard.number - 1].searched > 0) return true;
  tell("benchctl: shard {}/{} has nothing to measure: there are more shards than problems\n", shard.number,
       shard.count);
  return false;
}

void print_shards(const Shards& shards) {
  TextTable table({TextColumn::named("shard"), TextColumn::named("problems", true),
                   TextColumn::named("points", true), TextColumn::named("searched", true),
                   TextColumn::named("predicted time", true)});
  std::size_t number = 0;
  for (const ShardLoad& load : shards.loads()) {
    table.add({fmt::format("{}/{}", ++number, shards.loads().size()), std::to_string(load.problems.size()),
               std::to_string(load.points), std::to_string(load.searched),
               fmt::format("{:.0f} s to {:.0f} s", load.least_seconds, load.most_seconds)});
  }
  print_plain(
      "{}\nPoints and times are for one device of each backend, before limits rule points out, without "
      "compilation.\n",
      table.text(false, text_width(STDOUT_FILENO)));
}

void save(const PlanFolder& plan) {
  json document = written(plan);
  document["schema"] = "benchctl.plan";
  document["schema_version"] = 1;
  document["selection"]["config"] =
      fs::path(plan.selection.config).lexically_relative(plan.folder).string();
  replace_file(plan_file(plan.folder), document.dump(2) + '\n');
}

Shards filled_shards(const SelectionOptions& options, const Selection& selection, std::size_t count) {
  const auto split = [&](std::size_t into) {
    return Shards(selection.config, selection.catalogue, options.backends, into);
  };
  Shards shards = split(count);
  const auto has_problems = [](const ShardLoad& load) { return !load.problems.empty(); };
  const auto filled = static_cast<std::size_t>(std::ranges::count_if(shards.loads(), has_problems));
  if (filled == 0)
    throw UsageError(fmt::format("{} has nothing to measure on any device", visible(options.config)));
  if (filled == count) return shards;
  tell("benchctl: {} instead of {}: there are no more problems\n", counted(filled, "shard"), count);
  return split(filled);
}

PlanFolder write_plan(const fs::path& folder, const SelectionOptions& options, const Selection& selection,
                      const Shards& shards) {
  PlanFolder plan{.folder = fs::absolute(folder).lexically_normal(),
                  .selection = options,
                  .name = selection.config.experiment.name,
                  .shards = shards.loads().size(),
                  .split = shards.digest(),
                  .jobs = {}};
  if (std::error_code ignored; fs::exists(plan.folder, ignored) && !fs::is_directory(plan.folder, ignored))
    throw UsageError(fmt::format("--output {}: a file is there; name a folder", folder));
  if (fs::exists(plan_file(plan.folder))) {
    throw UsageError(fmt::format(
        "{} has a plan already: give another folder, or delete this one with its results", folder));
  }
  const fs::path home = place_files(files_of(selection.config), plan.folder / "config");
  plan.selection.config = (home / (plan.name + ".toml")).string();
  plan.selection.allow_outside = home != plan.folder / "config";
  write_output(selection.config.text, plan.selection.config);
  save(plan);
  return plan;
}

PlanFolder read_plan(const fs::path& folder, bool allow_outside) {
  const fs::path file = plan_file(folder);
  if (!fs::exists(file)) {
    throw UsageError(
        fmt::format("{} has no plan.json: `benchctl plan CONFIG --shards N --output FOLDER` or `benchctl "
                    "submit` makes such a folder",
                    folder));
  }
  tell_foreign_owner({file}, allow_outside);
  PlanFolder plan;
  plan.folder = fs::absolute(folder).lexically_normal();
  try {
    read(json::parse(read_file(file)), plan);
    plan.selection.config = (plan.folder / plan.selection.config).string();
    plan.selection.allow_outside |= allow_outside;
  } catch (const std::exception& error) {
    throw UsageError(fmt::format("{} is not a plan of benchctl: {}", file, json_fault(error)));
  }
  if (plan.shards == 0 || plan.shards > max_shards)
    throw UsageError(fmt::format("{}: 'shards' is {}; expected 1 to {}", file, plan.shards, max_shards));
  return plan;
}

}  // namespace cli

}  // namespace benchctl
