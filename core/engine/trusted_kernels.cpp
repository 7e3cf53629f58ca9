#include "engine/trusted_kernels.hpp"

#include "model/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace benchctl {

using nlohmann::json;

TrustedKernels::Found TrustedKernels::find(const Point& point) const {
  const std::string kernel = workloads_.find(point.workload)->trusted_kernel();
  Found first;
  std::string backends;
  for (const BackendEntry& backend : catalogue_.backends) {
    const VariantInfo* variant = backend.find_variant(point.workload, kernel);
    if (variant == nullptr) continue;
    backends += (backends.empty() ? "" : ", ") + backend.name;
    const auto lanes = std::ranges::find(lanes_, backend.name, &BackendLanes::backend);
    if (lanes == lanes_.end()) continue;
    for (const Lane& lane : lanes->lanes) {
      if (lane.name() == point.device) return {&lane, &backend, variant};
      if (first.lane == nullptr) first = {&lane, &backend, variant};
    }
  }
  if (first.lane != nullptr) return first;
  throw std::runtime_error(
      backends.empty()
          ? fmt::format("trusted kernel '{}' needs a backend that is not installed", kernel)
          : fmt::format("trusted kernel '{}' needs backend {}, but none of its devices is selected", kernel,
                        backends));
}

void TrustedKernels::make_reference(const Point& point, std::uint64_t seed,
                                    const std::filesystem::path& file) {
  const Found found = find(point);
  std::unique_ptr<LaneWorker>& worker = workers_[found.lane->name()];
  if (worker == nullptr) {
    worker = std::make_unique<LaneWorker>(*found.lane, *found.backend, workloads_, factory_, options_,
                                          timeout_seconds_);
  }
  worker->ensure_open();
  constexpr std::uint64_t id = 1;
  Parameters tunables;
  for (const TunableInfo& tunable : found.variant->tunables) tunables[tunable.name] = tunable.default_value;
  worker->call(Verb::problem, {{"id", id},
                               {"workload", point.workload},
                               {"parameters", to_json(point.problem)},
                               {"layout", point.layout},
                               {"seeds", json::array({seed})},
                               {"sets", 1},
                               {"spare", false},
                               {"references", json::array()}});
  const auto drop = [&] {
    if (worker->running()) worker->call(Verb::drop, {{"problem", id}});
  };
  try {
    worker->call(Verb::prepare,
                 {{"id", id},
                  {"problem", id},
                  {"variant", found.variant->name},
                  {"tunables", to_json(tunables)},
                  {"label", fmt::format("{}/{} as reference", point.workload, found.variant->name)}});
    worker->call(Verb::reference, {{"prepared", id}, {"file", file.string()}}, 9 * timeout_seconds_);
  } catch (const Failure& failure) {
    drop();
    throw Failure(failure.kind(),
                  fmt::format("trusted kernel '{}': {}", found.variant->name, failure.what()));
  }
  drop();
}

}  // namespace benchctl
