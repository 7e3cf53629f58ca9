#include "sweep/shards.hpp"

#include <benchctl/digest.hpp>

#include "expr/expression.hpp"
#include "model/keys.hpp"
#include "model/values.hpp"
#include "sweep/expand.hpp"
#include "sweep/search.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace benchctl {

namespace {

/// What may take how long: whole milliseconds, whose sums do not depend on their order, then work.
struct Burden {
  std::uint64_t milliseconds = 0;
  double work = 0;  ///< operations, bytes and accesses

  auto operator<=>(const Burden&) const = default;
};

struct ProblemLoad {
  std::string text;
  Burden burden;
  std::size_t points = 0;
  std::uint64_t searched = 0;
  double least_seconds = 0;

  void add(const Point& point, std::size_t more, std::uint64_t more_searched) {
    const std::uint64_t count = more + more_searched;
    points += more;
    searched += more_searched;
    const double seconds = point.measure.max_seconds;
    burden.milliseconds += count * static_cast<std::uint64_t>(std::llround(1000 * seconds));
    least_seconds += static_cast<double>(count) * std::min(seconds, fast_point_seconds);
  }
};

/// 0 for an invalid problem.
double work_of(const Point& point, const Workloads& workloads) {
  try {
    const Workload& workload = *workloads.find(point.workload);
    return workload.cost(problem_values(workload, point)).work();
  } catch (const ProblemError&) {
  } catch (const ExpressionError&) {
  }
  return 0;
}

/// One unknown device of each backend: no limit rules a point out.
LaneTable any_devices(const Catalogue& catalogue, const std::vector<std::string>& backends) {
  LaneTable table;
  for (const BackendEntry& backend : catalogue.backends) {
    if (!backends.empty() && std::ranges::find(backends, backend.name) == backends.end()) continue;
    table.push_back({.backend = backend.name, .lanes = {}, .unavailable = {}, .status = Status::not_run});
  }
  return table;
}

/// By ProblemKey::text(), so that the order of sweeps, plugins and files makes no difference.
using ProblemLoads = std::map<std::string, ProblemLoad>;

ProblemLoad& load_of(ProblemLoads& problems, const Workloads& workloads, const Point& point) {
  ProblemLoad& load = problems[ProblemKey(point).text()];
  if (load.text.empty()) {
    load.text = point.workload + (point.problem.empty() ? "" : " " + to_text(point.problem));
    load.burden.work = work_of(point, workloads);
  }
  return load;
}

}  // namespace

Shards::Shards(const Config& config, const Catalogue& catalogue, const std::vector<std::string>& backends,
               std::size_t count)
    : loads_(count) {
  const LaneTable lanes = any_devices(catalogue, backends);
  ProblemLoads problems;
  for (const Point& point : expand(config, catalogue, lanes).points) {
    // Others are ruled out on any device.
    if (point.status == Status::not_run) load_of(problems, config.workloads, point).add(point, 1, 0);
  }
  for (const auto& task : make_searches(config, catalogue, lanes).tasks) {
    const Point point = task->example();
    load_of(problems, config.workloads, point).add(point, 0, task->max_points());
  }
  std::vector<std::pair<std::string, ProblemLoad>> sorted(problems.begin(), problems.end());
  std::ranges::stable_sort(sorted, std::greater{}, [](const auto& one) { return one.second.burden; });
  std::vector<Burden> burdens(count);
  std::string split;
  for (const auto& [key, problem] : sorted) {
    const auto shard = static_cast<std::size_t>(std::ranges::min_element(burdens) - burdens.begin());
    burdens[shard].milliseconds += problem.burden.milliseconds;
    burdens[shard].work += problem.burden.work;
    ShardLoad& load = loads_[shard];
    load.problems.push_back(problem.text);
    load.points += problem.points;
    load.searched += problem.searched;
    load.least_seconds += problem.least_seconds;
    load.most_seconds += 1e-3 * static_cast<double>(problem.burden.milliseconds);
    shard_of_[key] = shard;
    split += KeyText().add(key).add(std::to_string(shard)).take();
  }
  digest_ = digest_text(split);
}

std::size_t Shards::of(const Point& point) const {
  const std::string key = ProblemKey(point).text();
  const auto found = shard_of_.find(key);
  if (found != shard_of_.end()) return found->second;
  constexpr std::size_t digits = 15;  // that fit into 64 bits
  return std::stoull(digest_text(key).substr(0, digits), nullptr, 16) % loads_.size();
}

}  // namespace benchctl
