#include "engine/references.hpp"

#include "worker/buffers.hpp"
#include "worker/stopwatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace benchctl {

namespace fs = std::filesystem;

verbs::Reference ReferenceWorker::request(const Point& point, std::uint64_t seed,
                                          const fs::path& file) const {
  return {state(point, *workloads_.find(point.workload)), seed, file};
}

double ReferenceWorker::ask(const verbs::Reference& wanted) {
  const std::scoped_lock lock(asking_);
  return retry(
      [&] {
        client_.start();
        const Stopwatch watch;
        client_.ask(wanted, 10 * timeout_seconds_);
        return watch.seconds();
      },
      [&](const WorkerLost&) { return !interrupted_(); });
}

double ReferenceWorker::compute(const Point& point, std::uint64_t seed, const std::filesystem::path& file) {
  const auto begun = std::ranges::find(begun_, encode(request(point, seed, {})).dump(), &Begun::problem);
  if (begun == begun_.end()) return ask(request(point, seed, file));
  Begun taken = std::move(*begun);
  begun_.erase(begun);
  const double seconds = taken.seconds.get();
  if (taken.file != file) std::filesystem::rename(taken.file, file);
  return seconds;
}

void ReferenceWorker::begin(const Point& point, std::uint64_t seed, const std::filesystem::path& file) {
  begun_.push_back({encode(request(point, seed, {})).dump(), file,
                    std::async(std::launch::async,
                               [this, wanted = request(point, seed, file)] { return ask(wanted); })});
}

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
    worker =
        std::make_unique<LaneWorker>(*found.lane, *found.backend, factory_, options_, timeout_seconds_);
  }
  worker->ensure_open();
  constexpr std::uint64_t id = 1;
  Parameters tunables = defaults_of(*found.variant);
  const Workload& workload = *workloads_.find(point.workload);
  for (const std::string& name : workload.size_tunables()) tunables[name] = point.tunables.at(name);
  worker->ask(verbs::Problem{.id = id, .stated = state(point, workload), .seeds = {seed}});
  const auto drop = [&] {
    if (worker->running()) worker->ask(verbs::Drop{id});
  };
  try {
    const ProblemSpec problem = problem_of(workload, point);
    worker->ask(verbs::Prepare{
        id, id, declared_precision(*found.variant, problem),
        candidates_of({workload, *found.backend, *found.variant, found.lane->device, problem, tunables}),
        fmt::format("{}/{} as reference", point.workload, found.variant->name)});
    worker->ask(verbs::Outputs{id, file}, 9 * timeout_seconds_);
  } catch (const Failure& failure) {
    drop();
    throw Failure(failure.kind(),
                  fmt::format("trusted kernel '{}': {}", found.variant->name, failure.what()));
  }
  drop();
}

}  // namespace benchctl
