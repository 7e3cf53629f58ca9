#include "model/key_text.hpp"
#include "model/names.hpp"
#include "model/value_order.hpp"
#include "report/format.hpp"
#include "report/headline_parts.hpp"
#include "report/point_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace benchctl {

namespace {

using RowNumbers = std::vector<std::size_t>;
using Kind = Question::Kind;

constexpr std::size_t devices_told = 6;
constexpr std::size_t charted_variants = 12;

/// Tells of one workload.
class Teller {
 public:
  Teller(const std::string& title, std::span<const HeadlineRow> rows, std::span<const std::string> labels,
         RowNumbers places)
      : rows_(rows), labels_(labels), places_(std::move(places)) {
    for (const std::size_t place : places_) words_.add(point(place));
    telling_ = telling_parameters(rows_, places_);
    question_ = question_of(title, rows_, places_);
    keep_one_measure();
    headline_.title = title;
    headline_.workload = point(places_.front()).workload;
    headline_.axis = question_.axis;
  }

  Headline tell() {
    std::set<std::size_t> platforms;
    for (const std::size_t place : places_) platforms.insert(rows_[place].platform);
    std::vector<std::string> clauses;
    std::vector<std::string> unresolved;
    for (const std::size_t platform : platforms) {
      RowNumbers own;
      std::ranges::copy_if(places_, std::back_inserter(own),
                           [&](std::size_t place) { return rows_[place].platform == platform; });
      first_ = clauses.empty();
      std::string clause = question_.kind == Kind::course ? course(platform, own) : contest(platform, own);
      if (!clause.empty()) {
        clauses.push_back(std::move(clause));
      } else if (std::string why = why_none(own); !why.empty()) {
        unresolved.push_back(fmt::format("on {} not resolved ({})", device(platform), why));
      }
    }
    std::ranges::move(unresolved, std::back_inserter(clauses));
    const std::size_t count = clauses.size();
    if (count > devices_told) {
      clauses.resize(devices_told);
      clauses.push_back(fmt::format("{} more devices below", count - devices_told));
    }
    headline_.text = fmt::format("{}", fmt::join(clauses, "; "));
    if (!headline_.text.empty()) headline_.text = capitalised(headline_.text) + '.';
    return std::move(headline_);
  }

 private:
  [[nodiscard]] const ResultRow& row(std::size_t place) const { return *rows_[place].row; }
  [[nodiscard]] const Point& point(std::size_t place) const { return row(place).point(); }
  [[nodiscard]] bool heads(std::size_t place) const { return rows_[place].standing == Standing::heads; }
  [[nodiscard]] bool vendor(std::size_t place) const { return row(place).stored.row.vendor; }
  [[nodiscard]] std::string device(std::size_t platform) const { return first_line(labels_[platform]); }
  [[nodiscard]] double median(std::size_t place) const { return median_of(row(place)); }

  /// Times of several ways of measuring never meet: those of the commonest stay, all along the axis.
  void keep_one_measure() {
    const auto key = [&](std::size_t place) {
      const MeasureSettings& measure = point(place).measure;
      return std::tuple(question_.axis == "cache" ? CacheMode{} : measure.cache,
                        question_.axis == "launch" ? LaunchMode{} : measure.launch, measure.basis);
    };
    std::map<decltype(key(0)), std::size_t> counts;
    for (const std::size_t place : places_) ++counts[key(place)];
    const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
    std::erase_if(places_, [&](std::size_t place) { return key(place) != most->first; });
  }

  /// ` at n = 4096`; nothing where the last clause said the same.
  std::string where(std::size_t place, const std::string& without = {}) {
    std::vector<std::string> parts;
    for (const std::string& name : telling_) {
      if (const auto value = value_on(point(place), name); value && name != without) {
        parts.push_back(first_line(fmt::format("{} = {}", name, to_text(*value))));
      }
    }
    const MeasureSettings& measure = point(place).measure;
    const MeasureSettings plain;
    if (measure.basis != plain.basis) parts.push_back(fmt::format("basis {}", to_string(measure.basis)));
    if (measure.cache != plain.cache && without != "cache") {
      parts.push_back(fmt::format("cache {}", to_string(measure.cache)));
    }
    if (measure.launch != plain.launch && without != "launch") {
      parts.push_back(fmt::format("launch {}", to_string(measure.launch)));
    }
    const std::string text = parts.empty() ? "" : fmt::format(" at {}", fmt::join(parts, ", "));
    return std::exchange(said_, text) == text ? "" : text;
  }

  [[nodiscard]] std::string name_of(std::size_t place) const {
    const std::string library = vendor(place) ? library_of(row(place)) : "";
    return words_.variant(point(place)) + (library.empty() ? "" : fmt::format(" ({})", library));
  }

  [[nodiscard]] std::string value_text(std::size_t place) const {
    return first_line(to_text(*value_on(point(place), question_.axis)));
  }

  [[nodiscard]] std::string why_none(const RowNumbers& places) const {
    std::vector<Standing> standings;
    for (const std::size_t place : places) {
      if (question_.axis.empty() || value_on(point(place), question_.axis)) {
        standings.push_back(rows_[place].standing);
      }
    }
    return why_none_heads(standings);
  }

  [[nodiscard]] std::optional<std::size_t> fastest(const RowNumbers& places) const {
    const auto best =
        std::ranges::min_element(places, {}, [&](std::size_t place) { return median(place); });
    return best != places.end() ? std::optional(*best) : std::nullopt;
  }

  /// The rows that may head of the device's largest problem; with most rows of several as large.
  [[nodiscard]] RowNumbers largest_problem(const RowNumbers& places) const {
    std::map<Parameters, RowNumbers> problems;
    for (const std::size_t place : places) {
      if (heads(place)) problems[point(place).problem].push_back(place);
    }
    const auto size = [&](const auto& entry) {
      const auto on_axis =
          std::ranges::count_if(entry.second, [&](std::size_t place) { return competes(place); });
      const Cost& cost = row(entry.second.front()).stored.row.cost;
      return std::tuple(on_axis > 0, cost.flops, cost.bytes_read + cost.bytes_written, on_axis);
    };
    const auto largest = std::ranges::max_element(problems, {}, size);
    return largest != problems.end() ? largest->second : RowNumbers{};
  }

  /// May it be the answer?
  [[nodiscard]] bool competes(std::size_t place) const {
    return question_.axis.empty() || (!vendor(place) && value_on(point(place), question_.axis));
  }

  /// `6.2× slower than cuBLAS`.
  [[nodiscard]] std::string against(std::size_t place, std::size_t other) const {
    const std::string library = vendor(other) ? library_of(row(other)) : "";
    const std::string name = library.empty() ? words_.variant(point(other)) : library;
    const double ratio = median(place) / median(other);
    if (same_time(row(place), row(other))) return "as fast as " + name;
    return ratio > 1 ? fmt::format("{} slower than {}", times_text(ratio), name)
                     : fmt::format("{} faster than {}", times_text(1 / ratio), name);
  }

  /// What the best is measured against: a vendor's library, or the fastest of another variant.
  [[nodiscard]] std::optional<std::size_t> yardstick(std::size_t best, const RowNumbers& ties,
                                                     const RowNumbers& rivals) const {
    const auto of = [&](auto wanted) {
      RowNumbers kept;
      std::ranges::copy_if(rivals, std::back_inserter(kept), [&](std::size_t place) {
        return std::ranges::find(ties, place) == ties.end() && wanted(place);
      });
      return fastest(kept);
    };
    if (const auto other = of([&](std::size_t place) { return vendor(place) != vendor(best); })) {
      return other;
    }
    const auto other = of([&](std::size_t place) { return point(place).variant != point(best).variant; });
    // Beside an axis only what beats its best is worth a word.
    if (other && !question_.axis.empty() && median(*other) > median(best)) return std::nullopt;
    return other;
  }

  /// The values of the axis, or the variants, that cannot be told apart from the best.
  [[nodiscard]] std::vector<std::string> winners(std::size_t best, const RowNumbers& ties) const {
    if (question_.axis.empty()) {
      std::vector<std::string> names{name_of(best)};
      for (const std::size_t place : ties) add_once(names, name_of(place));
      return names;
    }
    std::set<Value, ValueOrder> values{*value_on(point(best), question_.axis)};
    for (const std::size_t place : ties) values.insert(*value_on(point(place), question_.axis));
    std::vector<std::string> names;
    for (const Value& value : values) names.push_back(first_line(to_text(value)));
    return names;
  }

  std::string contest(std::size_t platform, const RowNumbers& places) {
    const RowNumbers rivals = largest_problem(places);
    RowNumbers pool;
    std::ranges::copy_if(rivals, std::back_inserter(pool),
                         [&](std::size_t place) { return competes(place); });
    const auto best = fastest(pool);
    if (!best) return {};
    RowNumbers ties;
    std::ranges::copy_if(pool, std::back_inserter(ties), [&](std::size_t place) {
      return place != *best && same_time(row(place), row(*best));
    });
    const auto other = yardstick(*best, ties, rivals);
    chart(pool, other);
    const std::string at = where(*best);
    std::string figure = format_duration(median(*best));
    if (other) figure += ", " + against(*best, *other);
    const std::vector<std::string> names = winners(*best, ties);
    if (question_.kind == Kind::single) {
      return fmt::format("on {}{} {} takes {}", device(platform), at, name_of(*best), figure);
    }
    if (question_.axis.empty()) {
      return fmt::format("{} {}{}: {}{}, {}", first_ ? "fastest on" : "on", device(platform), at,
                         and_list(names), names.size() > 1 ? " (a tie)" : "", figure);
    }
    return axis_clause(device(platform), at, names, values_of(pool), figure);
  }

  [[nodiscard]] std::string axis_clause(const std::string& device, const std::string& at,
                                        const std::vector<std::string>& names, std::size_t values,
                                        const std::string& figure) const {
    const std::string axis = first_line(question_.axis);
    if (names.size() > 1 && names.size() == values) {
      return first_ ? fmt::format("no {} is fastest on {}{}: {} tie, {}", axis, device, at, and_list(names),
                                  figure)
                    : fmt::format("on {}{} {} {} tie: {}", device, at, axis, and_list(names), figure);
    }
    const std::string_view verb = names.size() > 1 ? "tie as fastest" : "is fastest";
    if (first_) {
      return fmt::format("{} {} {} on {}{}: {}", axis, and_list(names), verb, device, at, figure);
    }
    return fmt::format("on {}{} {} {}{}: {}", device, at, axis, and_list(names),
                       names.size() > 1 ? " tie" : "", figure);
  }

  [[nodiscard]] std::size_t values_of(const RowNumbers& places) const {
    std::set<Value, ValueOrder> values;
    for (const std::size_t place : places) values.insert(*value_on(point(place), question_.axis));
    return values.size();
  }

  /// The fastest of each value of the axis, or of each variant; and the yardstick.
  void chart(const RowNumbers& pool, std::optional<std::size_t> other) {
    std::map<std::string, std::size_t> kept;
    for (const std::size_t place : pool) {
      const std::string key = question_.axis.empty() ? point(place).variant : value_text(place);
      const auto [known, fresh] = kept.try_emplace(key, place);
      if (!fresh && median(place) < median(known->second)) known->second = place;
    }
    RowNumbers rows;
    for (const auto& [key, place] : kept) rows.push_back(place);
    std::ranges::sort(rows, {}, [&](std::size_t place) { return median(place); });
    if (question_.axis.empty() && rows.size() > charted_variants) rows.resize(charted_variants);
    std::ranges::copy(rows, std::back_inserter(headline_.rows));
    if (!question_.axis.empty() && other) headline_.beside.push_back(*other);
  }

  /// The rows of one variant and configuration with most values of the axis, in the order of the values.
  [[nodiscard]] RowNumbers longest_series(const RowNumbers& places) const {
    std::map<std::string, std::map<Value, std::size_t, ValueOrder>> series;
    std::vector<std::string> order;
    for (const std::size_t place : places) {
      const auto value = value_on(point(place), question_.axis);
      if (!value || !heads(place)) continue;
      KeyText key;
      key.add(point(place).variant).add(point(place).layout).add(point(place).tunables);
      for (const std::string& name : telling_) {
        if (name == question_.axis) continue;
        if (const auto own = value_on(point(place), name)) key.add(name).add(to_text(*own));
      }
      const std::string text = key.take();
      if (!series.contains(text)) order.push_back(text);
      const auto [known, fresh] = series[text].try_emplace(*value, place);
      if (!fresh && median(place) < median(known->second)) known->second = place;
    }
    RowNumbers best;
    for (const std::string& text : order) {
      const auto& own = series.at(text);
      const bool more = own.size() > best.size();
      const bool ours = own.size() == best.size() && vendor(best.front()) && !vendor(own.begin()->second);
      if (!more && !ours) continue;
      best.clear();
      for (const auto& [value, place] : own) best.push_back(place);
    }
    return best;
  }

  /// Which figure tells how times go along a series: of equal work the time.
  [[nodiscard]] std::string quantity_of(const RowNumbers& series) const {
    const Cost& first = row(series.front()).stored.row.cost;
    const auto all = [&](auto holds) {
      return std::ranges::all_of(series,
                                 [&](std::size_t place) { return holds(row(place).stored.row.cost); });
    };
    if (all([](const Cost& cost) { return cost.accesses > 0; })) return "access";
    if (all([&](const Cost& cost) {
          return cost.flops == first.flops && cost.bytes_read == first.bytes_read &&
                 cost.bytes_written == first.bytes_written;
        })) {
      return "time";
    }
    if (all([](const Cost& cost) { return cost.flops > 0; })) return "gflops";
    if (all([](const Cost& cost) { return cost.bytes_read + cost.bytes_written > 0; })) return "gbytes";
    return "time";
  }

  [[nodiscard]] std::string figure(std::size_t place, const std::string& quantity) const {
    if (quantity == "access") return format_duration(row(place).ns_per_access) + " per access";
    if (quantity == "gflops") return format_significant(row(place).gflops) + " GFLOP/s";
    if (quantity == "gbytes") return format_significant(row(place).gbytes_per_s) + " GB/s";
    return format_duration(median(place));
  }

  std::string course(std::size_t platform, const RowNumbers& places) {
    const RowNumbers series = longest_series(places);
    if (series.size() < 2) return {};
    const std::string quantity = quantity_of(series);
    if (first_) headline_.quantity = quantity;
    if (quantity == headline_.quantity) std::ranges::copy(series, std::back_inserter(headline_.rows));
    const std::string axis = first_line(question_.axis);
    const std::string at = where(series.front(), axis);
    const std::string variant = words_.variant(point(series.front()));
    if (quantity != "time") {
      return fmt::format("on {}{} {}: {} at {} = {}, {} at {}", device(platform), at, variant,
                         figure(series.front(), quantity), axis, value_text(series.front()),
                         figure(series.back(), quantity), value_text(series.back()));
    }
    const std::string who = fmt::format("{} on {}{}", variant, device(platform), at);
    const std::size_t best = *fastest(series);
    const std::size_t worst =
        *std::ranges::max_element(series, {}, [&](std::size_t place) { return median(place); });
    if (same_time(row(best), row(worst))) {
      return fmt::format("{} makes no difference to {}: {}", axis, who, format_duration(median(best)));
    }
    return fmt::format("{} {} is fastest for {}: {}, {} {} takes {} as long", axis, value_text(best), who,
                       format_duration(median(best)), axis, value_text(worst),
                       times_text(median(worst) / median(best)));
  }

  std::span<const HeadlineRow> rows_;
  std::span<const std::string> labels_;
  RowNumbers places_;
  PointWords words_;
  std::vector<std::string> telling_;
  Question question_;
  Headline headline_;
  bool first_ = true;
  std::string said_;  ///< what the last clause said of its problem
};

}  // namespace

Headline tell(const std::string& title, std::span<const HeadlineRow> rows,
              std::span<const std::string> labels, std::vector<std::size_t> places) {
  return Teller(title, rows, labels, std::move(places)).tell();
}

}  // namespace benchctl
