// Whether the time of a point is believable (engine/audit.hpp).
#include "engine/audit.hpp"
#include "engine/measured_group.hpp"
#include "engine/prediction.hpp"
#include "model/figures.hpp"
#include "stats/summary.hpp"

namespace benchctl {

namespace {

/// A contradiction counts when so many audits in a row have seen it, each on inputs of its own.
constexpr int most_audits = 3;
/// A later audit may take so many times longer, and each one of a point above the measured roof.
constexpr double larger = 4;

}  // namespace

bool Conclude::was_audited(ActivePoint& active) const {
  const Result& earlier = active.entry->result_in(run_.store);
  if (earlier.notes.contains(audit_undecided_note)) return false;
  bool audited = false;
  for (const auto& [metric, value] : earlier.resources) {
    if (!metric.starts_with("audit_")) continue;
    active.resources[metric] = value;
    audited = true;
  }
  return audited;
}

bool Conclude::audit(ActivePoint& active) {
  const Point& point = active.point();
  if (point.expect == Expect::wrong) return true;
  const std::vector<double>& samples = active.sampler->samples();
  const double median_ns = stats::median(samples);
  const Cost cost = group_.workload.cost(active.lane->problem->key.parameters);
  const std::uint64_t working_set = active.lane->problem->spec.bytes();
  if (std::string reason =
          beyond_datasheet(cost.flops, cost.bytes(), working_set, median_ns, active.device);
      !reason.empty()) {
    group_.finish(active, Status::implausible, reason);
    return false;
  }
  if (group_.turn.purpose == Turn::Purpose::replicate && was_audited(active)) return true;
  std::optional<Auditor>& auditor = active.entry->audit;
  // More samples of a kernel that was audited in this session are compared with the times of that
  // audit.
  const bool known = group_.turn.refines() && auditor && !auditor->contradiction(median_ns);
  if (!known) {
    // A choice has kept the candidate that it picked.
    const SampleRequest request = active.sampler->next();
    AuditBounds bounds = AuditBounds::of(active.device, samples, request.batch,
                                         launches_of(active.entry->candidates.front()));
    bounds.needs_host = request.batch > 1 && active.sampler->stop_reason() != StopReason::slower;
    auditor.emplace(bounds);
    const predict::Roofs* roofs = run_.roofs.of(point.device);
    const bool above_roof =
        roofs != nullptr && share_of_compute_roof(point.problem, *active.variant, cost.flops, median_ns,
                                                  *roofs) > most_of_compute_roof;
    if (!run_audits(active, median_ns, above_roof)) return false;
  }
  const std::optional<Contradiction> contradiction = auditor->contradiction(median_ns);
  active.resources.merge(auditor->metrics(median_ns));
  if (const double ns = auditor->prepares_ns(median_ns); ns > 0) {
    active.notes["prepares"] = fmt::format(
        "its first execution makes something in scratch memory, which takes {} and is not in its time",
        format_duration(ns));
  }
  if (!contradiction) return true;
  if (contradiction->status == Status::unstable)
    active.notes[std::string(audit_undecided_note)] = contradiction->reason;
  group_.finish(active, contradiction->status, contradiction->reason);
  return false;
}

bool Conclude::run_audits(ActivePoint& active, double median_ns, bool doubted) {
  const Point& point = active.point();
  run_.progress.working(point, "auditing");
  // Whoever is shown slower wins nothing by skipping work: one execution on fresh inputs is enough, and the
  // one that verified it was such a one.
  const bool left = active.sampler->stop_reason() == StopReason::slower;
  if (left && !doubted && active.entry->audit->agrees(active.verified_ns, median_ns)) {
    active.entry->audit->add({*active.after, {{.kind = AuditKind::fresh, .ns = active.verified_ns}}, {}});
    return true;
  }
  const double share = audit_share * active.sampler->spent_seconds();
  const double seconds = std::max(least_audit_seconds, share);
  const std::optional<FreshInputs>& fresh = active.lane->problem->fresh;
  SampleRequest request = active.sampler->next();
  request.sets = active.sets;
  for (int audits = 0; audits < most_audits; ++audits) {
    const auto ask = [&] {
      const double limit = audits > 0 || doubted ? larger * seconds : left ? share : seconds;
      return active.lane->worker->ask(verbs::Audit{active.prepared_id, request, limit, median_ns,
                                                   audits > 0, fresh->seed, fresh->reference},
                                      watchdog_seconds(larger * seconds + 4 * median_ns * 1e-9));
    };
    const bool audited = group_.attempt(active, "auditing", [&] {
      if (!fresh || audits > 0 || fresh->seconds < seconds) group_.inputs.draw_fresh(*active.lane->problem);
      const AuditReply reply = ask();
      active.after = reply.verification;
      active.entry->audit->add(reply);
    });
    if (!audited) return false;
    if (!active.after->ok) {
      const auto once_more = [&] {
        Verification sampled = group_.execute_again(active);
        return sampled.ok ? ask().verification : sampled;
      };
      if (group_.blame(active, *active.after, "in the audit: ", once_more)) return false;
      continue;
    }
    if (!doubted && !active.entry->audit->contradiction(median_ns)) break;
  }
  return true;
}

}  // namespace benchctl
