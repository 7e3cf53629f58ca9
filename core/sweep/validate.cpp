#include "sweep/validate.hpp"

#include "model/metrics.hpp"
#include "model/names.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/strategy.hpp"
#include "sweep/targets.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace benchctl {

namespace {

/// Readings that a config asks for: known if some observer or the metric table knows them.
void check_observe(const MeasurePatch& patch, const Catalogue& catalogue, Reporter& reporter) {
  for (const MeasureEntry& entry : patch) {
    if (entry.key != "observe") continue;
    for (const Word& word : entry.words) {
      constexpr std::string_view prefix = "measured_";  // a figure's name, not a reading's
      const MetricInfo* metric = find_metric(metric_of_reading(word.text));
      const bool observed = metric != nullptr && metric->observed && !word.text.starts_with(prefix);
      if (observed || word.text == "none" || catalogue.find_reading(word.text) != nullptr) continue;
      Names names;
      for (const MetricInfo& known : metric_table) {
        if (!known.observed) continue;
        names.emplace_back(known.id.starts_with(prefix) ? known.id.substr(prefix.size()) : known.id);
      }
      for (const ReadingInfo& reading : catalogue.readings) add_once(names, reading.id);
      reporter.unknown_name(
          word.position, word.text,
          fmt::format("observe: {} '{}'",
                      metric != nullptr ? "nothing reads the metric" : "unknown reading", word.text),
          names);
    }
  }
}

void check_strategy(const SearchSettings& search, Reporter& reporter) {
  if (find_strategy(search.strategy.text) != nullptr) return;
  Names names;
  for (const StrategyInfo& strategy : strategies()) names.emplace_back(strategy.name);
  reporter.unknown_name(search.strategy.position, search.strategy.text,
                        fmt::format("unknown search strategy '{}'", search.strategy.text), names);
}

/// Names that a published series mentions, as far as they can be wrong on every machine.
void check_published(const PublishedEntry& entry, const Workloads& known, Reporter& reporter) {
  const Published& published = entry.figures;
  if (find_metric(published.metric) == nullptr) {
    Names metrics;
    for (const MetricInfo& metric : metric_table) metrics.emplace_back(metric.id);
    reporter.unknown_name(entry.position, published.metric,
                          fmt::format("[[reference]]: unknown metric '{}'", published.metric), metrics);
  }
  const auto* name = std::get_if<std::string>(&published.match.at("workload"));
  if (name == nullptr || known.find(*name) == nullptr) {
    Names workloads;
    for (const Workload* workload : known.all()) workloads.emplace_back(workload->name());
    reporter.unknown_name(entry.match_position, to_text(published.match.at("workload")),
                          "[[reference]]: unknown workload in 'match'", workloads);
  }
}

/// Names of the table `baseline`: those of core/model/point_match.hpp.
void check_baseline(const Config& config, const Catalogue& catalogue, Reporter& reporter) {
  Names known = {"workload", "variant", "backend", "device", "device_type",
                 "layout",   "cache",   "launch",  "basis",  twin_tunable().name};
  for (const Workload* workload : config.workloads.all()) {
    for (const ParameterInfo& parameter : workload->parameters()) known.push_back(parameter.name);
  }
  for (const BackendEntry& backend : catalogue.backends) {
    for (const VariantInfo& variant : backend.variants) {
      for (const TunableInfo& tunable : variant.tunables) known.push_back(tunable.name);
    }
  }
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  const bool is_in_doubt = std::ranges::any_of(
      config.sweeps, [&](const Sweep& sweep) { return !absent_backends(sweep, catalogue).empty(); });
  for (const auto& [name, value] : config.compare.baseline) {
    if (contains(known, name) || is_in_doubt) continue;
    reporter.unknown_name(config.baseline_position, name,
                          fmt::format("[compare]: unknown name '{}' in 'baseline'", name), known);
  }
}

}  // namespace

std::vector<Diagnostic> validate(const Config& config, const Catalogue& catalogue) {
  Reporter reporter = config.reporter();
  check_observe(config.measure_entries, catalogue, reporter);
  check_strategy(config.search, reporter);
  for (const Sweep& sweep : config.sweeps) {
    validate_sweep(sweep, config.workloads, catalogue, reporter);
    check_observe(sweep.measure, catalogue, reporter);
    if (sweep.search) check_strategy(*sweep.search, reporter);
    for (const Override& over : sweep.overrides) check_observe(over.measure, catalogue, reporter);
  }
  for (const PublishedEntry& entry : config.published) check_published(entry, config.workloads, reporter);
  check_baseline(config, catalogue, reporter);
  std::vector<Diagnostic> diagnostics = reporter.take();
  std::ranges::stable_sort(diagnostics, {}, [](const Diagnostic& diagnostic) {
    return std::tuple(diagnostic.position.source, diagnostic.position.line, diagnostic.position.column);
  });
  return diagnostics;
}

}  // namespace benchctl
