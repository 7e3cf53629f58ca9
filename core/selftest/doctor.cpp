#include "selftest/doctor.hpp"

#include "report/format.hpp"
#include "report/table.hpp"
#include "store/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

namespace benchctl::selftest {

namespace {

/// Share of a datasheet's peak that a probe reaches at least on a healthy device. Memory spends some of its
/// time on refreshing and on turning round, arithmetic some on starting.
constexpr double usual_share_of_memory = 0.7;
constexpr double usual_share_of_arithmetic = 0.8;
/// A rate this much below the lowest of the known cards is low: cards differ.
constexpr double below_known_cards = 0.03;
/// Share of the highest clock: a device under load that stays below it is held back.
constexpr double usual_share_of_clock = 0.9;
/// From the 5 % to the 95 % quantile of one kernel's samples, as a share of their median.
constexpr double quiet_spread_of_device = 0.02;
constexpr double quiet_spread_of_processor = 0.05;
/// Share of the samples that may meet the power limit before it counts as a cause.
constexpr double capped_share = 0.2;
/// Runnable processes per processor.
constexpr double quiet_load = 0.25;

/// What speaks for one cause or another.
struct Evidence {
  double samples = 0;
  double throttled = no_number;     ///< samples; NaN: not read
  double power_capped = no_number;  ///< samples
  double clock_mhz = no_number;     ///< the highest under load
  double highest_clock_mhz = no_number;
  double spread = no_number;
  double stolen_ns = no_number;
  double switches = no_number;
};

void add_to(double& sum, double value) {
  if (!std::isnan(value)) sum = (std::isnan(sum) ? 0 : sum) + value;
}

Evidence evidence_of(const Lane& lane, std::span<const Result> rows) {
  Evidence evidence;
  const Result* steadiest = nullptr;  // arithmetic, which waits for no memory, else any
  for (const Result& row : rows) {
    if (!row.timed()) continue;
    evidence.samples += static_cast<double>(row.measurement->n_samples);
    add_to(evidence.throttled, row.metric("throttled_samples"));
    add_to(evidence.power_capped, row.metric("power_capped_samples"));
    add_to(evidence.stolen_ns, row.metric("steal_ns"));
    add_to(evidence.switches, row.metric("context_switches"));
    evidence.clock_mhz = std::fmax(evidence.clock_mhz, row.metric("sm_clock"));
    if (row.point().measure.basis != Basis::device) continue;
    if (steadiest == nullptr || (row.gflops() > 0 && !(steadiest->gflops() > 0))) steadiest = &row;
  }
  if (steadiest != nullptr) {
    const Measurement& m = *steadiest->measurement;
    evidence.spread = (m.p95_ns - m.p5_ns) / m.median_ns;
  }
  if (const auto clock = lane.device.properties.find("max_clock_mhz");
      clock != lane.device.properties.end()) {
    const double mhz = std::strtod(clock->second.c_str(), nullptr);
    if (mhz > 0) evidence.highest_clock_mhz = mhz;
  }
  return evidence;
}

double quiet_spread(const Lane& lane) {
  return lane.device.type == DeviceType::cpu ? quiet_spread_of_processor : quiet_spread_of_device;
}

/// Why a rate is low, by the strongest evidence first.
void explain_low(const Lane& lane, const Evidence& evidence, bool memory, Diagnosis& diagnosis) {
  if (evidence.throttled > 0) {
    diagnosis.cause = "heat slowed the device down";
    diagnosis.advice = "let it cool, see that air reaches it, and run doctor again";
  } else if (evidence.power_capped > capped_share * evidence.samples) {
    diagnosis.cause = "the device is at its power limit";
    diagnosis.advice = "raise the limit, or compare only with devices of the same limit";
  } else if (evidence.clock_mhz < usual_share_of_clock * evidence.highest_clock_mhz) {
    diagnosis.cause = "the device does not reach its highest clock";
    diagnosis.advice = "look for locked clocks and a power-saving mode in its driver's settings";
  } else if (evidence.spread > quiet_spread(lane)) {
    diagnosis.cause = "something else uses the device: times scatter";
    diagnosis.advice = "stop other programs on it and run doctor again";
  } else if (memory) {
    diagnosis.cause =
        "less memory bandwidth than expected: a part of a card, or memory that is not fully equipped";
    diagnosis.advice =
        "check whether the device is shared or partitioned; on a processor, whether all memory channels "
        "are in use";
  } else {
    diagnosis.cause =
        "less arithmetic than expected: a part of a card, or a lower clock than the datasheet's";
    diagnosis.advice = "check whether the device is shared or partitioned, and check its clocks";
  }
}

/// The peak that bounds a probe: of memory, or of its own compute path.
std::optional<double> peak_of(const std::string& probe, const DatasheetPeaks& peaks) {
  const auto found = peaks.find(probe.starts_with("dram") ? "dram" : probe);
  return found != peaks.end() ? std::optional(found->second) : std::nullopt;
}

void diagnose_rate(const Lane& lane, const RoofRow& roof, const DatasheetPeaks& peaks,
                   std::span<const KnownCards> known, const Evidence& evidence, Diagnosis& diagnosis) {
  const bool memory = roof.probe.starts_with("dram");
  const auto rate = [&](double per_second) {
    RoofRow other = roof;
    other.per_second = per_second;
    return roof_rate(other);
  };
  std::string beside;
  std::optional<double> least;
  if (const auto peak = peak_of(roof.probe, peaks)) {
    beside = fmt::format("{} of the datasheet's {}", format_percent(roof.per_second / *peak), rate(*peak));
    least = *peak * (memory ? usual_share_of_memory : usual_share_of_arithmetic);
    diagnosis.figures["datasheet_per_second"] = *peak;
  }
  for (const KnownCards& cards : known) {
    const auto range = cards.per_second.find(roof.probe);
    if (cards.backend != lane.backend || cards.device != lane.device.name ||
        range == cards.per_second.end())
      continue;
    const auto [low, high] = range->second;
    beside += fmt::format("{}{} of its kind: {}{}", beside.empty() ? "" : "; ", cards.cards, rate(low),
                          rate(low) == rate(high) ? "" : " to " + rate(high));
    least = low * (1 - below_known_cards);  // measured cards count more than a datasheet
    diagnosis.figures["known_low_per_second"] = low;
    diagnosis.figures["known_high_per_second"] = high;
  }
  diagnosis.expected = beside;
  if (!least) {
    diagnosis.cause = "no datasheet and no other device of its kind are known";
    diagnosis.advice = "store this result with --db and compare later ones with it";
    return;
  }
  diagnosis.verdict = roof.per_second < *least ? Verdict::low : Verdict::normal;
  if (diagnosis.verdict == Verdict::low) explain_low(lane, evidence, memory, diagnosis);
}

void add_throttling(const Lane& lane, const Evidence& evidence, std::vector<Diagnosis>& all) {
  if (std::isnan(evidence.throttled)) return;  // no observer knows the device
  Diagnosis heat{lane.name(), "throttling",
                 fmt::format("{:.0f} of {:.0f} samples", evidence.throttled, evidence.samples),
                 "none is normal"};
  heat.figures["throttled_samples"] = evidence.throttled;
  heat.figures["power_capped_samples"] = std::isnan(evidence.power_capped) ? 0 : evidence.power_capped;
  const bool capped = evidence.power_capped > capped_share * evidence.samples;
  if (capped) heat.found += fmt::format(", {:.0f} at the power limit", evidence.power_capped);
  heat.verdict = evidence.throttled > 0 || capped ? Verdict::low : Verdict::normal;
  if (heat.verdict == Verdict::low) explain_low(lane, evidence, false, heat);
  all.push_back(std::move(heat));
}

void add_noise(const Lane& lane, const Evidence& evidence, std::vector<Diagnosis>& all) {
  if (std::isnan(evidence.spread)) return;
  Diagnosis noise{lane.name(), "noise", fmt::format("{} from p5 to p95", format_percent(evidence.spread)),
                  fmt::format("up to {} is normal", format_percent(quiet_spread(lane)))};
  noise.figures["spread"] = evidence.spread;
  noise.verdict = evidence.spread > quiet_spread(lane) ? Verdict::noisy : Verdict::normal;
  if (noise.verdict == Verdict::noisy) {
    if (evidence.stolen_ns > 0) {
      noise.cause = fmt::format("the hypervisor took {} of the processors' time",
                                format_duration(evidence.stolen_ns));
      noise.advice = "measure on a machine without neighbours, or give points more time (max_seconds)";
    } else if (evidence.throttled > 0) {
      noise.cause = "heat changes the clock";
      noise.advice = "let the device cool and run doctor again";
    } else {
      noise.cause = evidence.switches > 0
                        ? fmt::format("other processes interrupted it {:.0f} times", evidence.switches)
                        : "other programs use the device, or its clock changes";
      noise.advice = "stop other programs, fix the clock, or give points more time (max_seconds)";
    }
  }
  all.push_back(std::move(noise));
}

/// The rate of a probe as roofs have it: `launch` counts launches.
RoofRow roof_of(const Result& row) {
  RoofRow roof;
  roof.probe = to_text(row.point().problem.at("probe"));
  const double units = !std::isnan(row.gflops()) ? row.gflops() : row.gbytes_per_s();
  roof.per_second = 1e9 * (std::isnan(units) ? 1 / median_of(row) : units);
  return roof;
}

}  // namespace

std::vector<KnownCards> parse_known_cards(const std::string& text) {
  std::vector<KnownCards> all;
  try {
    const auto document = nlohmann::json::parse(text);
    for (const auto& entry : document.at("known")) {
      KnownCards& cards = all.emplace_back();
      cards.backend = entry.at("backend").get<std::string>();
      cards.device = entry.at("device").get<std::string>();
      cards.cards = entry.at("cards").get<int>();
      for (const auto& [probe, range] : entry.at("per_second").items()) {
        cards.per_second[probe] = {range.at(0).get<double>(), range.at(1).get<double>()};
      }
    }
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(fmt::format("the list of known cards cannot be read: {}", error.what()));
  }
  return all;
}

std::vector<Diagnosis> diagnose_missing(const LaneTable& lanes, const PluginTable& plugins) {
  std::vector<Diagnosis> all;
  for (const BackendLanes& backend : lanes) {
    if (!backend.lanes.empty() || backend.unavailable.starts_with(only_software_words)) continue;
    all.push_back({backend.backend, "devices", "none", "", Verdict::missing,
                   first_line(backend.unavailable),
                   "install or start what the reason names; `benchctl list --devices` looks again"});
  }
  for (const RefusedPlugin& plugin : plugins.refused()) {
    all.push_back({plugin.name, "plugin", "refused", "", Verdict::missing, first_line(plugin.reason),
                   "do what the reason says; `benchctl list` shows which file it is"});
  }
  for (const LeftOutPlugin& plugin : plugins.left_out()) {
    all.push_back({plugin.name, "plugin", "not here", "", Verdict::missing, first_line(plugin.reason),
                   "do what the reason says; `benchctl list` looks again"});
  }
  return all;
}

std::vector<Diagnosis> diagnose_machine(const Environment& environment) {
  std::vector<Diagnosis> all;
  const auto known = [&](std::string_view key) {
    const std::string* text = environment.find(key);
    return text != nullptr && *text != unknown_value ? *text : std::string();
  };
  const double usable = std::strtod(known("cpu.usable").c_str(), nullptr);
  if (const std::string load = known("system.load"); !load.empty() && usable > 0) {
    const double processes = std::strtod(load.c_str(), nullptr);
    const bool busy = processes > quiet_load * usable;
    all.push_back({"", "load", fmt::format("{:.1f} on {:.0f} cores", processes, usable),
                   fmt::format("up to {:.1f} is normal", quiet_load * usable),
                   busy ? Verdict::noisy : Verdict::normal, "",
                   busy ? "stop other programs (top), then run doctor again" : ""});
    all.back().figures["load"] = processes;
  }
  if (const std::string quota = known("cpu.quota"); std::strtod(quota.c_str(), nullptr) > 0) {
    all.push_back(
        {"", "quota", quota, "none is normal", Verdict::low,
         "a control group holds processes back when they have used their share",
         "raise the quota (`cpu.max` of the group or of one above it), or measure outside of it"});
    all.back().figures["processors"] = std::strtod(quota.c_str(), nullptr);
  }
  if (const std::string governor = known("cpu.governor"); governor == "performance") {
    all.push_back({"", "governor", governor, "", Verdict::normal});
  } else if (!governor.empty()) {
    all.push_back({"", "governor", governor, "performance is normal", Verdict::low,
                   "the processors' clock follows the load",
                   "`cpupower frequency-set -g performance` keeps it high"});
  }
  return all;
}

std::vector<Diagnosis> diagnose_lane(const Lane& lane, std::span<const Result> points,
                                     const DatasheetPeaks& peaks, std::span<const KnownCards> known) {
  const Evidence evidence = evidence_of(lane, points);
  std::vector<RoofRow> roofs;  // the best of each probe, in the order of the points
  std::vector<Diagnosis> all;
  for (const Result& row : points) {
    if (row.timed()) {
      const RoofRow roof = roof_of(row);
      const auto same = std::ranges::find(roofs, roof.probe, &RoofRow::probe);
      if (same == roofs.end()) {
        roofs.push_back(roof);
      } else {
        same->per_second = std::max(same->per_second, roof.per_second);
      }
    } else if (info(row.point().status).status_class == StatusClass::failed) {
      all.push_back({lane.name(), to_text(row.point().problem.at("probe")),
                     std::string(to_string(row.point().status)), "", Verdict::failed,
                     gist_of(row.point().status, row.point().reason),
                     "`benchctl plugin check` tries everything that the backend must do"});
    }
  }
  for (const RoofRow& roof : roofs) {
    Diagnosis diagnosis{lane.name(), roof.probe, roof_rate(roof), ""};
    diagnosis.figures["per_second"] = roof.per_second;
    diagnose_rate(lane, roof, peaks, known, evidence, diagnosis);
    all.push_back(std::move(diagnosis));
  }
  add_throttling(lane, evidence, all);
  add_noise(lane, evidence, all);
  return all;
}

}  // namespace benchctl::selftest
