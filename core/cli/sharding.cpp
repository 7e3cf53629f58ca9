#include "cli/sharding.hpp"

#include "cli/terminal.hpp"
#include "report/text_table.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

namespace benchctl::cli {

namespace {

std::optional<std::size_t> count_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && number > 0 && number <= max_shards ? std::optional(number) : std::nullopt;
}

}  // namespace

void add_shard_options(CLI::App& command, ShardOptions& options) {
  auto* shard =
      command
          .add_option("--shard", options.shard,
                      "Only part I of N of the plan, such as 3/8: all points of a problem are in one part, "
                      "the same on every machine (`plan --shards N` shows them)")
          ->type_name("I/N");
  command
      .add_option("--shard-of", options.hosts,
                  "The part that this host's place in a list of hosts says, such as node[01-04],gpu7")
      ->type_name("HOSTS")
      ->excludes(shard);
}

std::optional<Shard> shard_from(const ShardOptions& options) {
  if (!options.hosts.empty()) {
    const std::vector<std::string> hosts = hosts_of(options.hosts);
    return Shard{place_of_this_host(hosts) + 1, hosts.size()};
  }
  if (options.shard.empty()) return std::nullopt;
  const std::string_view text = options.shard;
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
  run.leave_out_finished = true;
  run.has_search = [shards, place = shard.number - 1](const Point& point) {
    return shards->of(point) == place;
  };
  std::erase_if(selection.expansion.points, [&](const Point& point) { return !run.has_search(point); });
  if (!selection.expansion.points.empty() || shards->loads()[shard.number - 1].searched > 0) return true;
  tell("benchctl: shard {}/{} has nothing to measure: there are more shards than problems\n", shard.number,
       shard.count);
  return false;
}

std::string shards_text(const Shards& shards) {
  TextTable table({TextColumn::named("shard"), TextColumn::named("problems", true),
                   TextColumn::named("points", true), TextColumn::named("searched", true),
                   TextColumn::named("predicted time", true)});
  std::size_t number = 0;
  for (const ShardLoad& load : shards.loads()) {
    table.add({fmt::format("{}/{}", ++number, shards.loads().size()), std::to_string(load.problems.size()),
               std::to_string(load.points), std::to_string(load.searched),
               fmt::format("{:.0f} s to {:.0f} s", load.least_seconds, load.most_seconds)});
  }
  return table.text(false, text_width(STDOUT_FILENO)) +
         "\nPoints and times are for one device of each backend, before limits rule points out, without "
         "compilation.\n";
}

std::string shards_json(const Shards& shards) {
  nlohmann::json list = nlohmann::json::array();
  for (const ShardLoad& load : shards.loads()) {
    list.push_back({{"problems", load.problems},
                    {"points", load.points},
                    {"searched_points", load.searched},
                    {"predicted_seconds", {{"least", load.least_seconds}, {"most", load.most_seconds}}}});
  }
  return nlohmann::json{{"shards", list}, {"split", shards.digest()}}.dump(2) + '\n';
}

}  // namespace benchctl::cli
