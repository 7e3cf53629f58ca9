#include "cli/plan_folder.hpp"

#include "sweep/stored_config.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace benchctl::cli {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

fs::path plan_file(const fs::path& folder) { return folder / "plan.json"; }

}  // namespace

fs::path PlanFolder::store_of(std::size_t shard) const {
  return folder / fmt::format("shard-{}.db", shard);
}

void save(const PlanFolder& plan) {
  const SelectionOptions& selection = plan.selection;
  const json document{{"schema", "benchctl.plan"},
                      {"schema_version", 1},
                      {"name", plan.name},
                      {"config", fs::path(selection.config).lexically_relative(plan.folder).string()},
                      {"shards", plan.shards},
                      {"split", plan.split},
                      {"set", selection.set},
                      {"filter", selection.filters},
                      {"backend", selection.backends},
                      {"device", selection.devices},
                      {"require", selection.require},
                      {"allow_outside", selection.allow_outside},
                      {"timeout", selection.timeout_seconds},
                      {"jobs", plan.jobs}};
  const fs::path draft = plan_file(plan.folder).string() + ".new";
  write_output(document.dump(2) + '\n', draft.string());
  fs::rename(draft, plan_file(plan.folder));
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
    const json document = json::parse(read_file(file));
    SelectionOptions& selection = plan.selection;
    plan.name = document.at("name").get<std::string>();
    selection.config = (plan.folder / document.at("config").get<std::string>()).string();
    plan.shards = document.at("shards").get<std::size_t>();
    plan.split = document.at("split").get<std::string>();
    document.at("set").get_to(selection.set);
    document.at("filter").get_to(selection.filters);
    document.at("backend").get_to(selection.backends);
    document.at("device").get_to(selection.devices);
    document.at("require").get_to(selection.require);
    document.at("allow_outside").get_to(selection.allow_outside);
    document.at("timeout").get_to(selection.timeout_seconds);
    document.at("jobs").get_to(plan.jobs);
  } catch (const json::exception& error) {
    throw UsageError(fmt::format("{} is no plan of benchctl: {}", file.string(), error.what()));
  }
  if (plan.shards == 0 || plan.shards > max_shards)
    throw UsageError(
        fmt::format("{}: 'shards' is {}; expected 1 to {}", file.string(), plan.shards, max_shards));
  return plan;
}

}  // namespace benchctl::cli
