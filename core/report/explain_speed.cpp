// Why a point is as fast as it is: resources, accesses, roofs, prediction, rank.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/keys.hpp"
#include "model/metrics.hpp"
#include "model/words.hpp"
#include "report/explain.hpp"
#include "report/format.hpp"
#include "report/table.hpp"
#include "store/rank.hpp"
#include "store/records.hpp"

namespace benchctl {

namespace {

/// Within this the measured time is called as predicted.
constexpr double as_predicted = 1.25;
/// A resource that differs by this factor from that of the fastest variant is worth naming.
constexpr double notable_factor = 1.25;

/// Sentences of one topic, with the metrics that they speak of.
class Account {
 public:
  Account(std::string topic, const Result& row) : finding_{std::move(topic), ""}, row_(row) {}

  /// The metric, noted among the figures; nothing if the point has none of that id.
  std::optional<double> take(std::string_view id) {
    const double value = row_.metric(id);
    if (std::isnan(value)) return std::nullopt;
    finding_.figures.emplace(id, value);
    return value;
  }
  void say(const std::string& sentence) { finding_.text += (finding_.text.empty() ? "" : " ") + sentence; }
  void figure(const std::string& name, double value) {
    if (std::isfinite(value)) finding_.figures[name] = value;
  }
  void add_to(std::vector<Finding>& findings) && {
    if (!finding_.text.empty()) findings.push_back(std::move(finding_));
  }

 private:
  Finding finding_;
  const Result& row_;
};

/// A property of a device as a number; nothing if there is none above 0.
std::optional<double> property(const Lane* lane, const char* key) {
  if (lane == nullptr) return std::nullopt;
  const auto found = lane->device.properties.find(key);
  if (found == lane->device.properties.end()) return std::nullopt;
  const auto value = number_from<double>(found->second);
  return value > 0.0 ? value : std::nullopt;
}

/// Whole numbers whole.
std::string plain(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                              : format_significant(value, 4);
}

void add_registers(Account& account, const Lane* lane) {
  const auto registers = account.take("registers");
  if (registers) account.say(fmt::format("{} registers per thread.", plain(*registers)));
  const auto all = property(lane, "registers_per_sm");
  const auto most = property(lane, "max_threads_per_sm");
  if (registers && all && most && *registers * *most > *all) {
    account.say(fmt::format("They let at most {} of {} threads reside on a multiprocessor.",
                            plain(std::floor(*all / *registers)), plain(*most)));
  }
  if (const auto spills = account.take("spill_bytes"); spills && *spills > 0) {
    account.say(
        fmt::format("{} bytes per thread are spilled to memory for want of registers: a smaller tile or "
                    "block avoids that traffic.",
                    plain(*spills)));
  }
  if (const auto local = account.take("local_bytes"); local && *local > 0) {
    account.say(fmt::format("{} bytes per thread live in memory instead of registers.", plain(*local)));
  }
}

void add_shared_memory(Account& account, const Lane* lane) {
  double bytes = 0;
  for (const char* id : {"static_shared_bytes", "dynamic_shared_bytes", "local_memory_bytes"}) {
    bytes += account.take(id).value_or(0);
  }
  if (!(bytes > 0)) return;
  std::string text = fmt::format("{} bytes of shared (local) memory per block", plain(bytes));
  if (lane != nullptr && lane->device.limits.local_memory_bytes > 0) {
    text += fmt::format(" of {} that a block may use", lane->device.limits.local_memory_bytes);
  }
  if (const auto all = property(lane, "shared_bytes_per_sm")) {
    text += fmt::format(", so that {} blocks fit a multiprocessor", plain(std::floor(*all / bytes)));
  }
  account.say(text + '.');
}

void add_resources(std::vector<Finding>& findings, const Result& row, const Lane* lane) {
  Account account("resources", row);
  add_registers(account, lane);
  add_shared_memory(account, lane);
  if (const auto occupancy = account.take("occupancy")) {
    account.say(fmt::format(
        "Occupancy {}: that share of the threads that a multiprocessor holds can be resident{}",
        format_percent(*occupancy),
        *occupancy < 0.5 ? "; few threads leave little to hide the latency of memory with." : "."));
  }
  if (const auto threads = account.take("max_block_threads")) {
    account.say(fmt::format("Blocks of up to {} threads could be launched.", plain(*threads)));
  }
  std::move(account).add_to(findings);
}

void add_accesses(std::vector<Finding>& findings, const Result& row) {
  Account account("accesses", row);
  if (const auto share = account.take("sector_efficiency")) {
    account.say(fmt::format("{} of each fetched memory sector is used{}", format_percent(*share),
                            *share < 0.9 ? ": neighbouring threads access places that lie apart." : "."));
  }
  if (const auto lines = account.take("line_efficiency"); lines && *lines < 0.9) {
    account.say(fmt::format("The share of whole cache lines is {}.", format_percent(*lines)));
  }
  const Cost& cost = row.row.cost;
  if (const auto asked = account.take("requested_bytes"); asked && cost.bytes() > 0) {
    account.say(fmt::format("Its threads request {} GB, {} times what the workload has to move.",
                            format_significant(*asked / 1e9, 3),
                            format_significant(*asked / cost.bytes(), 3)));
  }
  if (const auto degree = account.take("conflict_degree"); degree && *degree > 1) {
    account.say(
        fmt::format("Accesses to shared memory conflict {} ways: each is carried out that many times.",
                    format_significant(*degree, 3)));
  }
  std::move(account).add_to(findings);
}

std::string roof_list(const std::vector<RoofRow>& roofs) {
  std::string text;
  for (const RoofRow& roof : roofs) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", roof.probe, roof_rate(roof));
    if (const double width = roof_half_width(roof); !std::isnan(width)) {
      text += fmt::format(" ± {}", format_percent(width));
    }
    if (roof.clock_mhz > 0) text += fmt::format(" at {:.0f} MHz", roof.clock_mhz);
  }
  return text;
}

void add_roof(std::vector<Finding>& findings, const PointStory& story) {
  const Result& row = story.choice.row();
  Account account("roof", row);
  if (const auto share = account.take("roof_fraction")) {
    account.say(
        fmt::format("It reaches {} of what the measured roofs of its device allow for the bytes and "
                    "operations of the workload.",
                    format_percent(*share)));
    if (*share > 1.02) {
      account.say("Above 100 %: part of the data stays in a cache, which the roof does not model.");
    }
  } else if (story.roofs.empty() && row.note("roof_missing").empty()) {
    account.say(
        "No roofs of its device were known to the run: measure the workload `peaks`, or set roofs = "
        "\"run\".");
  }
  if (!story.roofs.empty()) account.say(fmt::format("Roofs: {}.", roof_list(story.roofs)));
  std::string rates;
  for (const auto& [id, value] :
       {std::pair{"gflops", row.gflops()}, std::pair{"gbytes_per_s", row.gbytes_per_s()},
        std::pair{"ns_per_access", row.ns_per_access()}}) {
    if (std::isnan(value)) continue;
    rates += fmt::format("{}{} {}", rates.empty() ? "" : ", ", format_significant(value),
                         find_metric(id)->label);
    account.figure(id, value);
  }
  if (!rates.empty()) account.say(fmt::format("Its rates: {}.", rates));
  std::move(account).add_to(findings);
}

/// What may take the time that the prediction does not explain.
std::string suspects(const Result& row) {
  std::vector<std::string> list;
  if (row.metric("occupancy") < 0.5) list.emplace_back("too few resident threads to hide latency");
  if (row.metric("spill_bytes") > 0) list.emplace_back("spilled registers");
  if (const Measurement& m = *row.measurement; m.median_ns < 20'000) {
    list.emplace_back("launching, which such a short time consists of in good part");
  }
  list.emplace_back("latency of dependent steps, barriers, or instructions that are not counted");
  return fmt::format("{}", fmt::join(list, "; "));
}

void add_prediction(std::vector<Finding>& findings, const Result& row) {
  Account account("prediction", row);
  const std::string by = row.note("predicted_by");
  if (const auto predicted = account.take("predicted_ns")) {
    const double ratio = row.measurement->median_ns / *predicted;
    account.figure("versus_predicted", ratio);
    account.say(fmt::format("Predicted {} from counted traffic and operations{}; measured {}× that.",
                            format_duration(*predicted),
                            by.empty() ? "" : fmt::format(", bounded by {}", by),
                            format_significant(ratio, 3)));
    if (ratio > as_predicted) {
      account.say(fmt::format("The rest is not in the count. Suspects: {}.", suspects(row)));
    } else if (ratio < 1 / as_predicted) {
      account.say("Faster than counted: caches serve accesses that the count takes for traffic to memory.");
    } else {
      account.say("The bound explains the time.");
    }
  }
  if (const std::string missing = row.note("roof_missing"); !missing.empty()) {
    account.say(
        fmt::format("There is no share of the roof and no prediction, since {} {} not measured: which roof "
                    "binds is unknown.",
                    missing, missing.find(' ') == std::string::npos ? "was" : "were"));
  }
  if (const std::string fault = row.note("prediction"); !fault.empty()) account.say(fault);
  std::move(account).add_to(findings);
}

std::string named(const Result& row) {
  return fmt::format("{} ({}, {})", row.point().label(), point_name(row.row),
                     format_duration(median_of(row)));
}

/// What says nothing of how long an execution takes: only again that it is slow, or how it was made.
constexpr std::array<std::string_view, 8> beside_the_execution{
    "roof_fraction", "error_norm",       "compile_ns", "prepare_ns",
    "page_faults",   "context_switches", "steal_ns",   "peak_host_bytes"};

/// Resources that tell two points of one device apart: `registers 40 against 128`.
std::string contrasts(const Result& row, const Result& best) {
  std::vector<std::string> list;
  for (const auto& [id, value] : row.resources) {
    const double other = best.metric(id);
    const MetricInfo* metric = find_metric(id);
    if (metric == nullptr || metric->basis_dependent || metric->better == Better::neither) continue;
    if (std::isnan(value) || std::isnan(other)) continue;
    if (std::ranges::find(beside_the_execution, id) != beside_the_execution.end()) continue;
    const double larger = std::max(value, other);
    const double smaller = std::min(value, other);
    if (larger <= smaller * notable_factor || larger <= 0) continue;
    const std::string unit = metric->unit.empty() ? "" : fmt::format(" {}", metric->unit);
    list.push_back(fmt::format("{} {} against {}{}", metric->label, plain(value), plain(other), unit));
  }
  return fmt::format("{}", fmt::join(list, ", "));
}

/// More points are counted.
constexpr std::size_t most_named = 20;

void add_rank(std::vector<Finding>& findings, const PointStory& story) {
  const Result& row = story.choice.row();
  Account account("rank", row);
  std::vector<const Result*> rivals;
  for (const Result& other : story.choice.rows) {
    if (other.timed() && RivalKey(other.point()) == RivalKey(row.point())) rivals.push_back(&other);
  }
  const std::vector<Rank> ranks = rank(rivals);
  const Rank& own = ranks[static_cast<std::size_t>(std::ranges::find(rivals, &row) - rivals.begin())];
  std::size_t competing = 0;
  const Result* best = nullptr;
  const Rank* next = nullptr;
  const Rank* elsewhere = nullptr;
  const auto named_by = [&](const Rank* one) {
    return named(*rivals[static_cast<std::size_t>(one - ranks.data())]);
  };
  std::vector<std::string> ties;
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    if (rivals[i]->point().device != row.point().device) {
      const bool faster = elsewhere == nullptr || ranks[i].versus_devices < elsewhere->versus_devices;
      if (ranks[i].best && faster) elsewhere = &ranks[i];
      continue;
    }
    competing += ranks[i].competes ? 1 : 0;
    if (ranks[i].best) best = rivals[i];
    if (ranks[i].ties) ties.push_back(named(*rivals[i]));
    if (ranks[i].place > 1 && (next == nullptr || ranks[i].versus_best < next->versus_best))
      next = &ranks[i];
  }
  if (own.competes) account.figure("place", static_cast<double>(own.place));
  account.figure("of", static_cast<double>(competing));
  account.figure("versus_best", own.versus_best);
  if (!own.competes) {
    if (row.point().expect == Expect::wrong) return;
    account.say(is_above_roof(row)
                    ? "It cannot win: its time is above the measured roof. The roof was measured too low, "
                      "or the kernel leaves work out; measure roofs again (`benchctl run peaks`)."
                    : "It cannot win: its audit could not decide whether its time is real.");
  } else if (competing == 1) {
    account.say("It is the only point of this problem that was timed on its device.");
  } else if (own.best) {
    account.say(fmt::format("Fastest of {} points of this problem on its device.", competing));
    if (!ties.empty()) account.say(fmt::format("Not shown slower: {}.", few_of(ties, most_named, "; ")));
    if (next != nullptr) {
      account.say(fmt::format("The next, at {}× its time, is {}.", format_significant(next->versus_best, 3),
                              named_by(next)));
    }
  } else {
    account.say(
        own.ties
            ? fmt::format("It ties with the fastest of {} points of this problem on its device, {}: it is "
                          "not shown slower.",
                          competing, named(*best))
            : fmt::format(
                  "Number {} of {} points of this problem on its device: {}× the time of the fastest, {}.",
                  own.place, competing, format_significant(own.versus_best, 3), named(*best)));
    if (!own.together) {
      account.say(
          "The two have no common round (another run, or one sample): only the difference between "
          "processes tells.");
    }
    if (own.own.best) account.say("It is the fastest that is not a vendor library.");
    if (const std::string what = contrasts(row, *best); !own.ties && !what.empty()) {
      account.say(fmt::format("What differs: {}.", what));
    }
  }
  if (elsewhere != nullptr) {
    account.say(fmt::format("The fastest on other devices: {}.", named_by(elsewhere)));
    account.figure("versus_other_devices", own.versus_devices / elsewhere->versus_devices);
  }
  std::move(account).add_to(findings);
}

/// What the plugin says of the choice that it made: libraries, compilers, kernels. Not again what the
/// reason says.
void add_notes(std::vector<Finding>& findings, const Result& row) {
  std::string text;
  for (const auto& [key, note] : row.notes) {
    if (key == "predicted_by" || key == "prediction" || key == "compute_path" || key == "roof_missing" ||
        note == row.point().reason)
      continue;
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", key, note);
  }
  if (!text.empty()) findings.push_back({"notes", text + '.'});
}

}  // namespace

std::vector<Finding> explain_speed(const PointStory& story) {
  const Result& row = story.choice.row();
  std::vector<Finding> findings;
  add_resources(findings, row, story.choice.lane());
  add_accesses(findings, row);
  if (row.timed()) {
    add_roof(findings, story);
    add_prediction(findings, row);
    add_rank(findings, story);
  }
  add_notes(findings, row);
  return findings;
}

}  // namespace benchctl
