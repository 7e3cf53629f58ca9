#include "selftest/bench.hpp"

#include "report/format.hpp"
#include "sweep/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace benchctl::selftest {

CaseResult not_possible(std::string what, std::string why, std::string expected) {
  CaseResult result;
  result.what = std::move(what);
  result.expected = std::move(expected);
  result.outcome = Outcome::not_possible;
  result.note = std::move(why);
  return result;
}

CaseResult compare_times(std::string what, double expected_ns, double allowed_ns, double found_ns) {
  CaseResult result;
  result.what = std::move(what);
  result.expected = fmt::format("{} ± {}", format_duration(expected_ns), format_duration(allowed_ns));
  result.found = format_duration(found_ns);
  result.outcome = std::abs(found_ns - expected_ns) <= allowed_ns ? Outcome::pass : Outcome::fail;
  result.figures = {{"expected_ns", expected_ns}, {"allowed_ns", allowed_ns}, {"found_ns", found_ns}};
  return result;
}

Bench::Bench(const PluginTable& plugins, ChannelFactory& factory, LaneTable lanes, RunOptions options,
             Progress& progress, bool full)
    : plugins_(plugins),
      factory_(factory),
      catalogue_(make_catalogue(plugins)),
      options_(std::move(options)),
      progress_(progress),
      full_(full) {
  options_.fresh = true;
  for (BackendLanes& backend : lanes) {
    for (Lane& lane : backend.lanes) {
      if (lane.device.type != DeviceType::simulator) lanes_.push_back(std::move(lane));
    }
  }
}

bool Bench::has_variant(const Lane& lane, std::string_view workload, std::string_view variant) const {
  const BackendEntry* backend = catalogue_.find(lane.backend);
  return backend != nullptr && backend->find_variant(workload, variant) != nullptr;
}

bool Bench::has_tunable(const Lane& lane, std::string_view workload, std::string_view tunable) const {
  const BackendEntry* backend = catalogue_.find(lane.backend);
  return backend != nullptr && std::ranges::any_of(backend->variants, [&](const VariantInfo& variant) {
           return variant.workload == workload &&
                  std::ranges::find(variant.tunables, tunable, &TunableInfo::name) !=
                      variant.tunables.end();
         });
}

std::vector<Result> Bench::measure(const std::string& config, const Lane& lane) {
  const Config parsed = parse_config(config, "selftest");
  const LaneTable table{{lane.backend, {lane}, {}}};
  const std::vector<Diagnostic> diagnostics = validate(parsed, catalogue_);
  if (has_errors(diagnostics)) throw ConfigErrors(diagnostics);
  const RunOutcome outcome = run_points(parsed, expand(parsed, catalogue_, table), table, catalogue_,
                                        plugins_, factory_, options_, progress_);
  if (outcome.interrupted) throw Interrupted();
  std::vector<Result> points = Store::open(options_.store, Store::Access::read_only).results(outcome.run);
  std::erase_if(points, [&](const Result& point) { return point.row.point.device != lane.name(); });
  return points;
}

std::string Bench::last_variant(const std::string& config, const Lane& lane) const {
  std::string last;
  for (const Point& point :
       expand(parse_config(config, "selftest"), catalogue_, {{lane.backend, {lane}, {}}}).points) {
    if (point.status == Status::not_run) last = point.variant;
  }
  return last;
}

Bench::Spun Bench::spin(const Lane& lane, const std::function<std::string(const std::string&)>& config,
                        const std::function<bool(const std::vector<Result>&)>& usable) {
  Spun spun{"clock", {}};
  for (const char* variant : {"clock", "loop"}) {
    if (usable(spun.points) || !has_variant(lane, "spin", variant)) continue;
    spun = {variant, measure(config(variant), lane)};
  }
  return spun;
}

std::string config_of(std::string_view check, std::string_view measure, std::string_view sweep) {
  return fmt::format("[experiment]\nname = \"selftest_{}\"\nroofs = \"none\"\n[measure]\n{}\n[[sweep]]\n{}",
                     check, measure, sweep);
}

double number_of(const Result& point, std::string_view name) {
  for (const auto* parameters : {&point.row.point.problem, &point.row.point.tunables}) {
    const auto found = parameters->find(name);
    if (found == parameters->end()) continue;
    if (const auto* integer = std::get_if<std::int64_t>(&found->second))
      return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&found->second)) return *real;
  }
  return -1;
}

bool is_settled(const Result& point) {
  return point.row.point.status == Status::ok && point.measurement.has_value();
}

const Result* find_point(const std::vector<Result>& points,
                         const std::function<bool(const Result&)>& condition) {
  const auto found = std::ranges::find_if(points, condition);
  return found == points.end() ? nullptr : &*found;
}

const Result* find_spin(const std::vector<Result>& points, int duration_us, Basis basis) {
  return find_point(points, [&](const Result& point) {
    return point.measurement && point.row.point.measure.basis == basis &&
           number_of(point, "duration_us") == duration_us;
  });
}

std::string why_not(const std::vector<Result>& points) {
  const Result* point = find_point(points, [](const Result& one) {
    return !is_settled(one) && one.row.point.status != Status::skipped;
  });
  if (point == nullptr) {
    point = find_point(points, [](const Result& one) { return !is_settled(one); });
  }
  if (point == nullptr) return points.empty() ? "no variant for this device" : "";
  return fmt::format("{}: {}: {}", point->row.point.label(), to_string(point->row.point.status),
                     point->row.point.reason);
}

}  // namespace benchctl::selftest
