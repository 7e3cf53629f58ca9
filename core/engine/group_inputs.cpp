#include "engine/group_inputs.hpp"

#include "observe/control_groups.hpp"
#include "worker/buffers.hpp"

#include <fmt/format.h>

#include <utility>

namespace benchctl {

std::filesystem::path GroupInputs::file_of(std::uint64_t number, const std::string& name) const {
  return run_.options.folder / fmt::format("reference-{}-{}.npy", number, name);
}

void GroupInputs::choose_draws(std::uint64_t seed, std::uint32_t most_sets) {
  seed_ = seed;
  const std::uint32_t draws = workload_.keeps_inputs() ? 1 : std::clamp(most_sets, 1U, most_draws);
  for (std::uint32_t draw = 0; draw < draws; ++draw) seeds_.push_back(seed_of_draw(seed, draw));
}

void GroupInputs::make_references(GroupProblem& problem) {
  run_.progress.working(problem.point, "computing the reference");
  for (const std::uint64_t seed : seeds_) problem.references.push_back(make(problem, seed));
}

std::filesystem::path GroupInputs::make(const GroupProblem& problem, std::uint64_t seed) {
  const Point& point = problem.point;
  std::filesystem::path file = file_of(problem.id, std::to_string(seed));
  KeyText made_from;
  made_from.add(problem.key.text())
      .add(std::to_string(workload_.version()))
      .add(workload_.content())
      .add(point.layout)
      .add(std::to_string(seed));
  // A trusted kernel may have changed by the next run.
  if (!workload_.trusted_kernel().empty()) made_from.add(run_.options.folder.string());
  const std::string key = made_from.take();
  std::vector<std::string> keys = run_.references.data_programs.make(workload_, point, seed, true);
  keys.push_back(key);
  if (point.measure.seed == 0) run_.references.drawn.insert(keys.begin(), keys.end());
  if (run_.references.files.fetch(key, file)) return file;
  compute(point, seed, file);
  run_.references.files.keep(key, file);
  return file;
}

double GroupInputs::compute(const Point& point, std::uint64_t seed, const std::filesystem::path& file) {
  if (workload_.trusted_kernel().empty()) return run_.references.worker.compute(point, seed, file);
  const double start = run_.budget.now();
  run_.references.trusted_kernels.make_reference(point, seed, file);
  return run_.budget.now() - start;
}

void GroupInputs::compute_ahead(const Point& point) {
  constexpr unsigned fewest_cores = 4;  // the host's part of launching and timing has some for itself
  if (usable_processors() < fewest_cores) return;
  const auto begin = [&](const Point& one, std::uint64_t seed, const std::string& name) {
    const Workload& workload = *run_.workloads.find(one.workload);
    if (workload.trusted_kernel().empty() && !workload.keeps_inputs() && workload.data_program() == nullptr)
      run_.references.worker.begin(one, seed, file_of(id_, name));
  };
  if (!next_fresh_) begin(point, next_fresh_.emplace(unknown_seed()), "ahead");
  // With a fixed seed an earlier run may have kept it.
  const bool first = !std::exchange(ahead_, true);
  if (first && turn_.upcoming != nullptr && turn_.upcoming->measure.seed == 0)
    begin(*turn_.upcoming, run_.seed, "next");
}

void GroupInputs::draw_fresh(GroupProblem& problem) {
  forget_fresh(problem);
  FreshInputs fresh{workload_.keeps_inputs() ? seed_ : next_fresh_.value_or(unknown_seed()),
                    file_of(problem.id, "fresh")};
  next_fresh_.reset();
  const double start = run_.budget.now();
  run_.references.data_programs.make(workload_, problem.point, fresh.seed, false);
  const double asked = run_.budget.now() - start;
  fresh.seconds = asked + compute(problem.point, fresh.seed, fresh.reference);
  problem.fresh = std::move(fresh);
}

void GroupInputs::forget_fresh(GroupProblem& problem) {
  if (!problem.fresh) return;
  std::error_code ignored;
  std::filesystem::remove(problem.fresh->reference, ignored);
  DataPrograms::forget(workload_, problem.point, problem.fresh->seed);
  problem.fresh.reset();
}

void GroupInputs::forget(GroupProblem& problem) {
  forget_fresh(problem);
  std::error_code ignored;
  for (const std::filesystem::path& file : problem.references) std::filesystem::remove(file, ignored);
  for (const std::uint64_t seed : seeds_) DataPrograms::forget(workload_, problem.point, seed);
}

}  // namespace benchctl
