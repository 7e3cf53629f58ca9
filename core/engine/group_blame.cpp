// Who is to blame for a wrong result. Kernels on processors share the threads of a driver, and one may
// leave these in a state that makes others wrong, which cannot be read from outside: denormals off, another
// rounding.
#include "engine/measured_group.hpp"

#include "model/point.hpp"
#include "observe/machine_observers.hpp"

#include <fmt/format.h>

namespace benchctl {

namespace {

/// In a group.
constexpr int most_tries = 8;

}  // namespace

Verification MeasuredGroup::execute_again(ActivePoint& active) {
  const auto check = [&](bool execute) {
    return active.lane->worker->ask(verbs::Check{active.prepared_id, execute, active.sets}).verification;
  };
  if (Verification first = check(true); !first.ok) return first;
  const SampleReply samples = ask_samples(active, false);
  return samples.verification ? *samples.verification : check(false);
}

ActivePoint* MeasuredGroup::who_spoils(ActivePoint& active,
                                       const std::function<Verification()>& once_more) {
  GroupLane& lane = *active.lane;
  const auto is_right_after = [&](ActivePoint* other) {
    lane.worker->reset();
    bring_up(lane);
    if (active.entry->finished) throw std::runtime_error(active.point().reason);
    if (other != nullptr) {
      bring_up(*other->lane);
      prepare(*other, infinite_seconds);
      lane.worker->ask(verbs::Check{.prepared = other->prepared_id, .sets = other->sets});
    }
    prepare(active, infinite_seconds);
    return once_more().ok;
  };
  for (ActivePoint& other : points) {
    const bool failed = other.entry->finished && !other.entry->median_ns;
    if (&other == &active || other.lane->worker != lane.worker || !other.before || failed) continue;
    if (++blaming_tries_ > most_tries) break;
    try {
      // Twice: a kernel that is wrong now and then must not put the blame on others.
      if (!is_right_after(&other) && is_right_after(nullptr) && !is_right_after(&other) &&
          is_right_after(nullptr))
        return &other;
    } catch (const std::runtime_error& error) {
      run.progress.message(fmt::format("{}: {}", other.point().label(), error.what()));
    }
  }
  return nullptr;
}

bool MeasuredGroup::blame(ActivePoint& active, Verification& outcome, const std::string& when,
                          const std::function<Verification()>& once_more) {
  const bool first = active.before && &outcome == &*active.before;
  GroupLane& lane = *active.lane;
  std::string reason = when + outcome.reason;
  if (is_processor(active.device) && lane.worker->is_shared() && !run.budget.must_stop()) {
    run.progress.working(active.point(), "verifying in a process of its own");
    lane.worker->reset();
    std::optional<Verification> alone;
    if (ready(active)) attempt(active, "verifying alone", [&] { alone = once_more(); });
    if (active.entry->finished) return true;
    if (alone && alone->ok) {
      run.progress.message(fmt::format(
          "{} is wrong where others have run, and right in a process of its own", active.point().label()));
      ActivePoint* culprit = who_spoils(active, once_more);
      if (culprit != nullptr) {
        culprit->entry->median_ns.reset();
        finish(*culprit, Status::wrong,
               fmt::format(
                   "it leaves the processor in another state: {} is right without it and wrong after it",
                   active.variant->name));
      }
      // What an earlier group has left is gone with the worker: who is right now stays under watch.
      if (culprit != nullptr || first) {
        outcome = *alone;
        lane.latest = nullptr;
        lane.worker->reset();
        return !ready(active);
      }
      reason += "; in a process of its own it is right, but after none of the others it is wrong";
    }
  }
  // Whatever it has left to others goes with the worker.
  if (is_processor(active.device)) lane.worker->reset();
  finish(active, Status::wrong, reason);
  return true;
}

}  // namespace benchctl
