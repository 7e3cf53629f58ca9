#include "engine/references.hpp"

#include "worker/buffers.hpp"
#include "worker/stopwatch.hpp"

#include <fmt/format.h>

#include <algorithm>

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

InputsKey ReferenceWorker::inputs(const Point& point, std::uint64_t seed) const {
  InputsKey key(point);
  key.problem.parameters = problem_values(*workloads_.find(point.workload), point);
  key.seed = seed;
  return key;
}

double ReferenceWorker::compute(const Point& point, std::uint64_t seed, const std::filesystem::path& file) {
  const auto begun = std::ranges::find(begun_, inputs(point, seed), &Begun::inputs);
  if (begun == begun_.end()) return ask(request(point, seed, file));
  Begun taken = std::move(*begun);
  begun_.erase(begun);
  const double seconds = taken.seconds.get();
  if (taken.file != file) std::filesystem::rename(taken.file, file);
  return seconds;
}

void ReferenceWorker::begin(const Point& point, std::uint64_t seed, const std::filesystem::path& file) {
  begun_.push_back({inputs(point, seed), file,
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
  constexpr std::uint64_t id = 1;
  Parameters tunables = defaults_of(*found.variant);
  const Workload& workload = *workloads_.find(point.workload);
  for (const std::string& name : workload.size_tunables()) tunables[name] = point.tunables.at(name);
  const ProblemSpec spec = problem_of(workload, point);
  const auto execute = [&] {
    worker->ensure_open();
    LaneProblem problem(*worker, spec, {.id = id, .stated = state(point, workload), .seeds = {seed}});
    problem.prepare(
        id, *found.variant,
        candidates_of({workload, *found.backend, *found.variant, found.lane->device, spec, tunables}),
        fmt::format("{}/{} as reference", point.workload, found.variant->name));
    worker->ask(verbs::Outputs{id, file}, 9 * timeout_seconds_);
  };
  try {
    retry(execute, [&](const WorkerLost&) { return !interrupted_(); });
  } catch (const Failure& failure) {
    throw Failure(failure.kind(),
                  fmt::format("trusted kernel '{}': {}", found.variant->name, failure.what()));
  }
}

}  // namespace benchctl
