#include "sweep/validate.hpp"

#include "config/expressions.hpp"
#include "config/measure_settings.hpp"
#include "expr/expression.hpp"
#include "model/metrics.hpp"
#include "model/values.hpp"
#include "model/words.hpp"
#include "sweep/search.hpp"
#include "sweep/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace benchctl {

namespace {

std::string list(const Names& names) { return fmt::format("{}", fmt::join(names, ", ")); }

/// By Value::index.
constexpr std::array<const char*, 4> type_words{"true or false", "an integer", "a number", "a string"};

/// Can the value stand where the default does? An integer is as good as a real, not the reverse.
bool same_type(const Value& default_value, const Value& value) {
  if (default_value.index() == value.index()) return true;
  return std::holds_alternative<double>(default_value) && std::holds_alternative<std::int64_t>(value);
}

class SweepValidation {
 public:
  SweepValidation(const Sweep& sweep, const Workloads& workloads, const Catalogue& catalogue,
                  Reporter& reporter)
      : sweep_(sweep), workloads_(workloads), catalogue_(catalogue), reporter_(reporter) {}

  void run() {
    workload_ = workloads_.find(sweep_.workload.text);
    backends();
    if (workload_ == nullptr) {
      reporter_.unknown_name(sweep_.workload.position, sweep_.workload.text,
                             fmt::format("unknown workload '{}'", sweep_.workload.text),
                             names_of(workloads_.all(), &Workload::name));
      return;
    }
    variants();
    axes_ = axes_of(*workload_, variants_);
    for (const Axis& axis : sweep_.axes) check_axis(axis);
    for (const Override& over : sweep_.overrides) check_override(over);
    for (const Condition& condition : sweep_.where) check_condition(condition);
  }

 private:
  void unknown_backend(const Word& word) {
    reporter_.unknown_name(word.position, word.text, fmt::format("unknown backend '{}'", word.text),
                           catalogue_.backend_names());
  }

  /// Finds the selected backends and reports unknown ones.
  void backends() {
    absent_ = absent_backends(sweep_, catalogue_);
    if (!sweep_.backends) {
      for (const BackendEntry& entry : catalogue_.backends) selected_.push_back(&entry);
      return;
    }
    for (const Word& word : *sweep_.backends) {
      if (const BackendEntry* entry = catalogue_.find(word.text)) {
        selected_.push_back(entry);
      } else if (catalogue_.find_absent(word.text) == nullptr) {
        unknown_backend(word);
        has_unknown_backend_ = true;
      }
    }
  }

  /// The selected backends, for messages.
  [[nodiscard]] std::string selected_names() const {
    return list(names_of(selected_, &BackendEntry::name));
  }

  /// Takes the variants that the sweep means. All of the workload get into `available`.
  void take_variants(const std::vector<VariantInfo>& variants, Names& available) {
    for (const VariantInfo& variant : variants) {
      if (variant.workload != workload_->name()) continue;
      add_once(available, variant.name);
      const auto selects = [&](const Word& word) { return selects_variant(word.text, variant); };
      if (!sweep_.variants || std::ranges::any_of(*sweep_.variants, selects)) variants_.push_back(&variant);
    }
  }

  /// Finds the selected variants and reports those that no selected backend has.
  void variants() {
    Names available;
    for (const BackendEntry* entry : selected_) take_variants(entry->variants, available);
    for (const AbsentBackend* entry : absent_) take_variants(entry->variants, available);
    Names wanted = available;
    if (sweep_.variants) {
      wanted.clear();
      for (const Word& word : *sweep_.variants) {
        const auto matches = [&](const std::string& name) { return glob_match(word.text, name); };
        if (std::ranges::none_of(available, matches)) unknown_variant(word, available);
        add_once(wanted, word.text);
      }
      for (const VariantInfo* variant : variants_) add_once(wanted, variant->name);
    }
    for (const VariantExpectation& entry : sweep_.expectations) {
      if (contains(wanted, entry.variant.text)) continue;
      const std::string message =
          fmt::format("expect names '{}', which is not a variant of this sweep", entry.variant.text);
      if (sweep_.variants) {
        reporter_.unknown_name(entry.variant.position, entry.variant.text, message, wanted);
      } else {
        doubtful(entry.variant, message, wanted);
      }
    }
  }

  void unknown_variant(const Word& word, const Names& available) {
    Names elsewhere;
    for (const BackendEntry& entry : catalogue_.backends) {
      if (entry.find_variant(workload_->name(), word.text) != nullptr) elsewhere.push_back(entry.name);
    }
    if (!elsewhere.empty() && !is_in_doubt()) {
      reporter_.error(word.position,
                      fmt::format("no backend of this sweep ({}) has variant '{}' of workload '{}'; {} has",
                                  selected_names(), word.text, workload_->name(), list(elsewhere)));
      return;
    }
    doubtful(
        word,
        fmt::format("no backend{} has variant '{}' of workload '{}'",
                    sweep_.backends ? fmt::format(" of this sweep ({})", selected_names()) : std::string(),
                    word.text, workload_->name()),
        available);
  }

  /// Might a backend that is not there know a name that no other does?
  [[nodiscard]] bool is_in_doubt() const { return !absent_.empty() || has_unknown_backend_; }

  /// An error, unless a backend that is not there might know the name. Then it has a row with the reason
  /// (absent_rows()), and a name that is nearly another's is a warning if the sweep has variants that are
  /// there.
  void doubtful(const Word& word, const std::string& message, const Names& valid) {
    if (!is_in_doubt()) {
      reporter_.unknown_name(word.position, word.text, message, valid);
      return;
    }
    const auto nearest = nearest_name(word.text, valid);
    if (absent_.empty() || variants_.empty() || !nearest) return;
    reporter_
        .warning(word.position,
                 fmt::format("{}; '{}' might, but is not here", message, absent_.front()->name))
        .suggestion = *nearest;
  }

  void check_axis(const Axis& axis) {
    if (const ParameterInfo* parameter = find_by(workload_->parameters(), axis.name, &ParameterInfo::name))
      return check_problem_parameter(axis, *parameter);
    if (axis.name == "layout" && !workload_->layouts().empty()) {
      return check_words(axis, {workload_->layouts().begin(), workload_->layouts().end()});
    }
    const MeasureKeyInfo* key = find_measure_key(axis.name);
    if (key != nullptr && key->is_parameter()) return check_words(axis, key->choices);
    if (contains(axes_, axis.name)) return check_tunable(axis);
    unknown_axis(axis, key != nullptr);
  }

  void unknown_axis(const Axis& axis, bool is_measure_key) {
    if (is_measure_key || axis.name == "layout") {
      reporter_.error(axis.position,
                      is_measure_key ? fmt::format("'{}' is a measure setting, not an axis; it belongs in "
                                                   "[measure] or [sweep.measure]",
                                                   axis.name)
                                     : fmt::format("workload '{}' has one layout only", workload_->name()));
      return;
    }
    doubtful({axis.name, axis.position},
             fmt::format("'{}' is neither a parameter of workload '{}' nor a tunable of any variant of "
                         "this sweep",
                         axis.name, workload_->name()),
             axes_);
  }

  void bad_value(const Axis& axis, std::size_t index, const std::string& expected,
                 const Names& choices = {}) {
    const std::string text = to_text(axis.values[index]);
    reporter_
        .error(axis.value_positions[index], fmt::format("axis '{}' cannot be {}", axis.name, text),
               expected)
        .suggestion = nearest_name(text, choices).value_or("");
  }

  void check_words(const Axis& axis, const Names& choices) {
    for (std::size_t i = 0; i < axis.values.size(); ++i) {
      const auto* word = std::get_if<std::string>(&axis.values[i]);
      if (word != nullptr && contains(choices, *word)) continue;
      bad_value(axis, i, choices.size() == 1 ? choices.front() : "one of " + list(choices), choices);
    }
  }

  void check_problem_parameter(const Axis& axis, const ParameterInfo& parameter) {
    if (parameter.is_text) return check_words(axis, parameter.choices);
    for (std::size_t i = 0; i < axis.values.size(); ++i) {
      const Value& value = axis.values[i];
      const double number = as_number(value);
      const bool fits =
          parameter.is_integer ? std::holds_alternative<std::int64_t>(value) : is_number(value);
      if (fits && number >= parameter.minimum && number <= parameter.maximum) continue;
      bad_value(axis, i,
                fmt::format("{} from {} to {}", parameter.is_integer ? "an integer" : "a number",
                            parameter.minimum, parameter.maximum));
      // One diagnostic for a range, not one for each value.
      if (is_range(axis)) return;
    }
  }

  static bool is_range(const Axis& axis) {
    return axis.values.size() > 1 && axis.value_positions.front() == axis.value_positions.back();
  }

  /// A value is right when one variant can take it: variants may differ.
  void check_tunable(const Axis& axis) {
    std::vector<std::pair<const TunableInfo*, bool>> takers;  // Is there a kernel that defines the value?
    if (axis.name == twin_tunable().name) takers.emplace_back(&twin_tunable(), false);
    for (const VariantInfo* variant : variants_) {
      for (const TunableInfo& tunable : variant->tunables) {
        if (tunable.name == axis.name) takers.emplace_back(&tunable, variant->kernel.has_value());
      }
    }
    for (std::size_t i = 0; i < axis.values.size(); ++i) {
      Names reasons;
      const auto* word = std::get_if<std::string>(&axis.values[i]);
      const bool plain = word == nullptr || is_plain_word(*word);
      const bool taken = std::ranges::any_of(takers, [&](const auto& taker) {
        std::string reason = refusal(*taker.first, axis.values[i]);
        if (reason.empty() && taker.second && !plain) reason = plain_word_rule;
        if (!reason.empty()) add_once(reasons, reason);
        return reason.empty();
      });
      if (taken || is_in_doubt()) continue;
      bad_value(axis, i, fmt::format("{}", fmt::join(reasons, " or ")));
      if (is_range(axis)) return;
    }
  }

  /// What the tunable wants instead of the value, as far as that depends on nothing else.
  static std::string refusal(const TunableInfo& tunable, const Value& value) {
    if (!same_type(tunable.default_value, value)) return type_words.at(tunable.default_value.index());
    for (const std::string& text : tunable.require) {
      const Expression& expression = parsed_expression(text);
      if (expression.names().size() != 1 || !expression.names().contains(tunable.name)) continue;
      try {
        if (!expression.holds({{tunable.name, value}})) return text;
      } catch (const ExpressionError&) {
        return text;
      }
    }
    return {};
  }

  void check_override(const Override& over) {
    if (const auto& backend = over.match.backend) {
      if (catalogue_.find(backend->text) == nullptr && catalogue_.find_absent(backend->text) == nullptr) {
        unknown_backend(*backend);
      } else if (!sweep_.takes_backend(backend->text)) {
        reporter_.warning(
            backend->position,
            fmt::format("this override is for backend '{}', which the sweep does not use", backend->text));
      }
    }
    for (const Axis& axis : over.axes) check_axis(axis);
  }

  void check_condition(const Condition& condition) {
    Names valid = axes_;
    for (const char* more : {"backend", "device_type", "variant"}) add_once(valid, more);
    for (const std::string& name : condition.expression.names()) {
      if (contains(valid, name)) continue;
      const Position place = mention_position(reporter_, condition.position, condition.expression, name);
      doubtful({name, place}, fmt::format("where: no point of this sweep has '{}'", name), valid);
    }
  }

  const Sweep& sweep_;
  const Workloads& workloads_;
  const Catalogue& catalogue_;
  Reporter& reporter_;
  const Workload* workload_ = nullptr;
  std::vector<const BackendEntry*> selected_;
  std::vector<const VariantInfo*> variants_;
  Names axes_;                                // all that may be one
  std::vector<const AbsentBackend*> absent_;  // of those that the sweep means
  bool has_unknown_backend_ = false;          // reported already
};

/// Readings that a config asks for: known if some observer or the metric table knows them.
void check_observe(const MeasurePatch& patch, const Catalogue& catalogue, Reporter& reporter) {
  for (const MeasureEntry& entry : patch) {
    if (entry.key != "observe") continue;
    for (const Word& word : entry.words) {
      const MetricInfo* metric = find_metric(metric_of_reading(word.text));
      const bool observed = metric != nullptr && metric->observed && reading_of(*metric) == word.text;
      if (observed || word.text == "none" || catalogue.find_reading(word.text) != nullptr) continue;
      Names names;
      for (const MetricInfo& known : metric_table) {
        if (known.observed) names.emplace_back(reading_of(known));
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

/// Names that a published series mentions, as far as they can be wrong on every machine.
void check_published(const PublishedEntry& entry, const Workloads& known, Reporter& reporter) {
  const Published& published = entry.figures;
  if (find_metric(published.metric) == nullptr) {
    reporter.unknown_name(entry.position, published.metric,
                          fmt::format("[[published]]: unknown metric '{}'", published.metric),
                          names_of(metric_table, &MetricInfo::id));
  }
  const auto* name = std::get_if<std::string>(&published.match.at("workload"));
  if (name == nullptr || known.find(*name) == nullptr) {
    reporter.unknown_name(entry.match_position, to_text(published.match.at("workload")),
                          "[[published]]: unknown workload in 'match'",
                          names_of(known.all(), &Workload::name));
  }
}

/// Names of the table `baseline`: those of core/model/point.hpp.
void check_baseline(const Config& config, const Catalogue& catalogue, Reporter& reporter) {
  std::vector<const VariantInfo*> variants;
  for (const BackendEntry& backend : catalogue.backends) {
    for (const VariantInfo& variant : backend.variants) variants.push_back(&variant);
  }
  std::set<std::string> known{"workload", "variant", "backend", "device", "device_type", "layout"};
  for (const Workload* workload : config.workloads.all()) {
    const Names axes = axes_of(*workload, variants);
    known.insert(axes.begin(), axes.end());
  }
  const bool is_in_doubt = std::ranges::any_of(
      config.sweeps, [&](const Sweep& sweep) { return !absent_backends(sweep, catalogue).empty(); });
  for (const auto& [name, value] : config.compare.baseline) {
    if (known.contains(name) || is_in_doubt) continue;
    reporter.unknown_name(config.baseline_position, name,
                          fmt::format("[compare]: unknown name '{}' in 'baseline'", name),
                          {known.begin(), known.end()});
  }
}

}  // namespace

std::vector<Diagnostic> validate(const Config& config, const Catalogue& catalogue) {
  Reporter reporter = config.reporter();
  check_observe(config.measure_entries, catalogue, reporter);
  check_search(config.search, reporter);
  for (const Sweep& sweep : config.sweeps) {
    SweepValidation(sweep, config.workloads, catalogue, reporter).run();
    check_observe(sweep.measure, catalogue, reporter);
    if (sweep.search) check_search(*sweep.search, reporter);
    for (const Override& over : sweep.overrides) check_observe(over.measure, catalogue, reporter);
  }
  for (const PublishedEntry& entry : config.published) check_published(entry, config.workloads, reporter);
  check_baseline(config, catalogue, reporter);
  return reporter.take();
}

}  // namespace benchctl
