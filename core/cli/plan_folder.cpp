#include "cli/plan_folder.hpp"

#include "model/json_words.hpp"
#include "sweep/stored_config.hpp"

#include <benchctl/file_draft.hpp>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace benchctl {

BENCHCTL_JSON_RECORD(cli::SelectionOptions, config, set, filters, backends, devices, require, allow_outside,
                     timeout_seconds)
BENCHCTL_JSON_RECORD(cli::PlanFolder, name, shards, split, selection, jobs)

namespace cli {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

fs::path plan_file(const fs::path& folder) { return folder / "plan.json"; }

}  // namespace

void save(const PlanFolder& plan) {
  json document = written(plan);
  document["schema"] = "benchctl.plan";
  document["schema_version"] = 1;
  document["selection"]["config"] =
      fs::path(plan.selection.config).lexically_relative(plan.folder).string();
  replace_file(plan_file(plan.folder), document.dump(2) + '\n');
}

PlanFolder write_plan(const fs::path& folder, const SelectionOptions& options, const Selection& selection,
                      const Shards& shards) {
  PlanFolder plan{.folder = fs::absolute(folder).lexically_normal(),
                  .selection = options,
                  .name = selection.config.experiment.name,
                  .shards = shards.loads().size(),
                  .split = shards.digest(),
                  .jobs = {}};
  if (fs::exists(plan_file(plan.folder))) {
    throw UsageError(
        fmt::format("{} has a plan already: give another folder, or delete this one with its results",
                    folder.string()));
  }
  const fs::path home = place_files(files_of(selection.config), plan.folder / "config");
  const fs::path config = home / (selection.config.experiment.name + ".toml");
  write_output(selection.config.text, config.string());
  plan.selection.config = config.string();
  plan.selection.allow_outside = home != plan.folder / "config";
  save(plan);
  return plan;
}

PlanFolder read_plan(const fs::path& folder) {
  const fs::path file = plan_file(folder);
  if (!fs::exists(file)) {
    throw UsageError(fmt::format(
        "{} has no plan.json: `benchctl plan CONFIG --shards N --output FOLDER` or `benchctl submit` makes "
        "such a folder",
        folder.string()));
  }
  PlanFolder plan;
  plan.folder = fs::absolute(folder).lexically_normal();
  try {
    read(json::parse(read_file(file)), plan);
    plan.selection.config = (plan.folder / plan.selection.config).string();
  } catch (const std::exception& error) {
    throw UsageError(fmt::format("{} is not a plan of benchctl: {}", file.string(), error.what()));
  }
  if (plan.shards == 0 || plan.shards > max_shards)
    throw UsageError(
        fmt::format("{}: 'shards' is {}; expected 1 to {}", file.string(), plan.shards, max_shards));
  return plan;
}

}  // namespace cli

}  // namespace benchctl
