#include "engine/judge.hpp"

#include "model/json.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace benchctl {

using nlohmann::json;

Judges::Seat Judges::find_seat(const Point& point) const {
  const std::string judge = find_workload(point.workload)->judge();
  Seat first;
  std::string backends;
  for (const BackendEntry& backend : catalogue_.backends) {
    const VariantInfo* variant = backend.find_variant(point.workload, judge);
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
      fmt::format("reference kernel '{}' needs backend {}, but none of its devices is selected", judge,
                  backends.empty() ? "that is not installed" : backends));
}

void Judges::make_reference(const Point& point, std::uint64_t seed, const std::filesystem::path& file) {
  const Seat seat = find_seat(point);
  std::unique_ptr<LaneWorker>& worker = workers_[seat.lane->name()];
  if (worker == nullptr) {
    worker = std::make_unique<LaneWorker>(*seat.lane, *seat.backend, factory_, options_, timeout_seconds_);
  }
  worker->ensure_open();
  constexpr std::uint64_t id = 1;
  Parameters tunables;
  for (const TunableInfo& tunable : seat.variant->tunables) tunables[tunable.name] = tunable.default_value;
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
                  {"variant", seat.variant->name},
                  {"tunables", to_json(tunables)},
                  {"label", fmt::format("{}/{} judges", point.workload, seat.variant->name)}});
    worker->call(Verb::reference, {{"prepared", id}, {"file", file.string()}}, 9 * timeout_seconds_);
  } catch (const Failure& failure) {
    drop();
    throw Failure(failure.kind(),
                  fmt::format("reference kernel '{}': {}", seat.variant->name, failure.what()));
  }
  drop();
}

}  // namespace benchctl
