#include "engine/measured_group.hpp"

#include <algorithm>
#include <random>

namespace benchctl {

namespace {

/// In a hurry, a quarter of the time is for verifying and auditing at the end.
constexpr double share_of_rounds = 0.75;
/// What points that were ready late get at least.
constexpr double least_share = 0.25;

}  // namespace

Rounds::Rounds(MeasuredGroup& group)
    : group_(group),
      run_(group.run),
      seconds_(group.turn.refines()
                   ? group.turn.seconds
                   : run_.budget.for_a_point() * static_cast<double>(group.open_points().size())) {
  const double start = run_.budget.now();
  group_.rounds_began = infinite_seconds;
  group_.rounds_end = start + share_of_rounds * seconds_;
  group_.last_audit = start + seconds_;
}

void Rounds::cover(ActivePoint& active) {
  group_.warm_up(active);
  if (active.is_over() || active.has_samples() || group_.rules->need_each_other()) return;
  // Long executions start with the common rounds, unless a budget may end before these.
  if (active.sampler->takes_long() && !active.time.in_haste) return;
  run_.progress.working(active.point(), "sampling");
  // What warms up meanwhile does not count.
  while (!active.is_over() && !active.has_samples() && !run_.budget.must_stop())
    group_.sample(active, run_.next_round());
  // A point of long executions may leave with this sample: its outputs are still there.
  if (!active.is_over() && active.sampler->samples().size() == 1 && active.sampler->may_leave())
    group_.check_outputs(active);
}

void Rounds::begin() {
  const double share = group_.turn.refines() ? share_of_rounds : least_share;
  group_.rounds_end = std::max(group_.rounds_end, run_.budget.now() + share * seconds_);
  group_.last_audit = std::max(group_.last_audit, group_.rounds_end + (1 - share_of_rounds) * seconds_);
}

void Rounds::take() {
  std::mt19937_64 random(run_.seed * 0x9e3779b97f4a7c15U + group_.id + group_.replicate);
  RoundRules& rules = *group_.rules;
  rules.begin();
  group_.rounds_began = run_.budget.now();
  for (std::int64_t rounds = group_.first_round;;) {
    rules.before_round(rounds);
    std::vector<ActivePoint*> order = group_.open_points();
    std::erase_if(order, [&](const ActivePoint* active) { return !rules.takes_part(*active); });
    if (order.empty()) return;
    std::ranges::shuffle(order, random);
    if (!take_one(order)) return;
    rules.after_round(++rounds);
  }
}

bool Rounds::take_one(const std::vector<ActivePoint*>& order) {
  const std::uint32_t round = run_.next_round();
  bool stopped = false;
  for (ActivePoint* active : order) {
    stopped = stopped || run_.budget.must_stop() || run_.budget.now() >= group_.rounds_end;
    // Whoever is worth nothing without the others gets its first samples, though the budget ended.
    const bool owed = group_.rules->need_each_other() && run_.budget.is_used() && !active->has_samples();
    if (stopped && !owed) continue;
    if (!group_.ready(*active)) continue;  // its worker may have been replaced since the last round
    run_.progress.working(active->point(), "sampling");
    group_.sample(*active, round);
    if (active->entry->finished) continue;
    PointSampler& sampler = *active->sampler;
    if (active->last_round && !sampler.done()) sampler.stop(*active->last_round);
    // Other points write the same buffers: outputs are compared while they are those of its samples.
    const bool may_be_last =
        sampler.done() || (active->leaves() && sampler.takes_long() && sampler.may_leave());
    if (may_be_last && !active->time.in_haste) group_.check_outputs(*active);
  }
  return !stopped;
}

}  // namespace benchctl
