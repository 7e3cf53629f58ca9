#include "report/compare_side.hpp"

#include "config/digest.hpp"
#include "model/words.hpp"
#include "report/report.hpp"
#include "stats/ratio.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace benchctl {

FileDigests file_digests(const Store& store, RunId run) {
  FileDigests digests;
  for (const RunFile& file : store.files(run)) digests[file.name] = digest_text(file.contents);
  return digests;
}

std::vector<std::string> changed_files(const FileDigests& before, const FileDigests& after) {
  std::map<std::string, std::pair<std::string, std::string>> files;  // an empty digest: no such file
  for (const auto& [name, digest] : before) files[name].first = digest;
  for (const auto& [name, digest] : after) files[name].second = digest;
  std::vector<std::string> words;
  for (const auto& [name, digests] : files) {
    const auto& [old, now] = digests;
    if (old != now)
      words.push_back(visible(name) + (old.empty() ? " is new" : now.empty() ? " is gone" : " changed"));
  }
  return words;
}

CompareSide side_of(const Store& store, RunId run) {
  CompareSide side;
  side.label = fmt::format("run {} of {}", to_number(run), store.path().filename());
  side.run = existing_run(store, run);
  side.store = &store;
  side.files = file_digests(store, run);
  side.circumstances = {recorded_environment(store, side.run), store.lanes(run)};
  side.points = store.results(run);
  side.samples = [&store](PointId point) { return store.samples(point); };
  return side;
}

void name_apart(CompareSide& base, CompareSide& fresh) {
  const auto& one = base.store->path();
  const auto& other = fresh.store->path();
  if (one == other || one.filename() != other.filename()) return;
  for (CompareSide* side : {&base, &fresh})
    side->label = fmt::format("run {} of {}", to_number(side->run.id), side->store->path());
}

Rounds rounds_of(const CompareSide& side, const Result& point) {
  Rounds rounds;
  for (const SampleRow& row : side.samples(point.row.id)) {
    if (row.used && stats::have_ratios(row.block.ns))
      rounds[{row.replicate, row.round}] = stats::median(row.block.ns);
  }
  return rounds;
}

// The intervals that a comparison stands on.

namespace {

constexpr double confidence = 0.95;
/// Where a rule has looked at the samples to decide when to stop, intervals at this level hold in 95 of 100
/// cases (docs/statistics.md, "When sampling stops").
constexpr double confidence_after_looks = 0.96;

/// Times of a point's samples in use, by replicate.
std::vector<std::vector<double>> times_of(const CompareSide& side, const Result& point) {
  std::map<std::uint32_t, std::vector<SampleRow>> rows;
  for (SampleRow& row : side.samples(point.row.id)) rows[row.replicate].push_back(std::move(row));
  std::vector<std::vector<double>> times;
  for (const auto& [replicate, own] : rows) times.push_back(used_ns(own));
  std::erase_if(times, [](const std::vector<double>& series) { return series.empty(); });
  return times;
}

bool usable(const std::vector<std::vector<double>>& samples) {
  return !samples.empty() && std::ranges::all_of(samples, stats::have_ratios);
}

stats::MedianEstimate from_samples(const std::vector<std::vector<double>>& samples, bool looked,
                                   std::size_t comparisons) {
  const double level = stats::bonferroni_confidence(
      looked && samples.size() == 1 ? confidence_after_looks : confidence, comparisons);
  if (samples.size() == 1) {
    const std::vector<double>& series = samples.front();
    return {stats::median(series), stats::block_interval(series, level)};
  }
  std::vector<double> pooled;
  std::vector<double> medians;
  for (const std::vector<double>& series : samples) {
    pooled.insert(pooled.end(), series.begin(), series.end());
    medians.push_back(stats::median(series));
  }
  stats::MedianEstimate result{stats::median(pooled), stats::median_interval(pooled, level)};
  // An interval of one process does not contain differences between processes.
  const stats::RatioEstimate scatter = stats::mean_ratio(medians, level);
  result.interval.low =
      std::fmin(result.interval.low, result.median * scatter.interval.low / scatter.ratio);
  result.interval.high =
      std::fmax(result.interval.high, result.median * scatter.interval.high / scatter.ratio);
  return result;
}

/// How much wider an interval is at the joint level: Student's over processes, or over the blocks of one.
double widening(double values, std::size_t comparisons) {
  const double one = (1 + confidence) / 2;
  const double all = (1 + stats::bonferroni_confidence(confidence, comparisons)) / 2;
  const boost::math::students_t distribution(values - 1);
  return boost::math::quantile(distribution, all) / boost::math::quantile(distribution, one);
}

stats::MedianEstimate from_interval(const Result& point, std::size_t comparisons) {
  const Measurement& m = *point.measurement;
  stats::MedianEstimate result{m.median_ns, {m.ci_low_ns, m.ci_high_ns}};
  if (comparisons <= 1 || !result.interval.known()) return result;
  if (!(m.ci_low_ns > 0)) return {m.median_ns, {no_number, no_number}};
  const double processes = processes_of(point);
  const auto blocks =
      static_cast<double>(std::clamp<std::uint64_t>(m.n_samples, 2, stats::blocks_of_series));
  const double values = processes > 1 ? processes : blocks;
  const double factor = widening(values, comparisons);
  result.interval.low = m.median_ns * std::pow(m.ci_low_ns / m.median_ns, factor);
  result.interval.high = m.median_ns * std::pow(m.ci_high_ns / m.median_ns, factor);
  return result;
}

}  // namespace

stats::MedianEstimate median_estimate(const CompareSide& side, const Result& point,
                                      std::size_t comparisons) {
  // One alone: the interval that tables show.
  if (comparisons <= 1) return from_interval(point, 1);
  const std::vector<std::vector<double>> samples = times_of(side, point);
  if (!usable(samples)) return from_interval(point, comparisons);
  return from_samples(samples, point.measurement->stop != StopReason::fixed, comparisons);
}

std::vector<double> process_medians(const CompareSide& side, const Result& point) {
  std::vector<double> medians;
  for (const std::vector<double>& series : times_of(side, point)) {
    if (stats::have_ratios(series)) medians.push_back(stats::median(series));
  }
  return medians;
}

double processes_of(const Result& point) {
  // A store may hold any number.
  const double processes = point.metric("replicates");
  return processes >= 1 ? std::min(processes, 1e6) : 1;
}

}  // namespace benchctl
