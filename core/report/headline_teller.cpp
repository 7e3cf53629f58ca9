// The words around the rows of a headline.
#include "model/names.hpp"
#include "model/value_order.hpp"
#include "report/format.hpp"
#include "report/headline_parts.hpp"
#include "report/point_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

namespace benchctl {

namespace {

using Kind = Question::Kind;

constexpr std::size_t devices_told = 6;
constexpr std::size_t charted_variants = 12;

/// Tells of one workload.
class Teller {
 public:
  Teller(const std::string& title, std::span<const HeadlineRow> rows, std::span<const std::string> labels,
         const RowNumbers& places)
      : rows_(title, rows, places), labels_(labels) {
    for (const std::size_t place : places) words_.add(rows[place].row->point());
    headline_.title = title;
    headline_.workload = rows[places.front()].row->point().workload;
    headline_.axis = rows_.question().axis;
  }

  Headline tell() {
    std::set<std::size_t> platforms;
    for (const std::size_t place : rows_.places()) platforms.insert(rows_.at(place).platform);
    std::vector<std::string> clauses;
    std::vector<std::string> unresolved;
    for (const std::size_t platform : platforms) {
      RowNumbers own;
      std::ranges::copy_if(rows_.places(), std::back_inserter(own),
                           [&](std::size_t place) { return rows_.at(place).platform == platform; });
      first_ = clauses.empty();
      std::string clause =
          rows_.question().kind == Kind::course ? course(platform, own) : contest(platform, own);
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
  [[nodiscard]] std::string device(std::size_t platform) const { return first_line(labels_[platform]); }

  /// ` at n = 4096`; nothing where the last clause said the same.
  std::string where(std::size_t place, const std::string& without = {}) {
    std::vector<std::string> parts;
    for (const std::string& name : rows_.telling()) {
      if (const auto value = value_on(rows_.point(place), name); value && name != without) {
        parts.push_back(first_line(fmt::format("{} = {}", name, to_text(*value))));
      }
    }
    const MeasureSettings& measure = rows_.point(place).measure;
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
    const std::string library = rows_.vendor(place) ? library_of(rows_.row(place)) : "";
    return words_.variant(rows_.point(place)) + (library.empty() ? "" : fmt::format(" ({})", library));
  }

  [[nodiscard]] std::string why_none(const RowNumbers& places) const {
    std::vector<Standing> standings;
    for (const std::size_t place : places) {
      if (rows_.question().axis.empty() || value_on(rows_.point(place), rows_.question().axis)) {
        standings.push_back(rows_.at(place).standing);
      }
    }
    return why_none_heads(standings);
  }

  /// `6.2× slower than cuBLAS`, `36× slower than OpenBLAS (16 threads against 1 thread)`.
  [[nodiscard]] std::string against(std::size_t place, std::size_t other) const {
    const std::string library = rows_.vendor(other) ? library_of(rows_.row(other)) : "";
    std::string name = library.empty() ? words_.variant(rows_.point(other)) : library;
    const std::string ours = rows_.row(place).threads();
    const std::string theirs = rows_.row(other).threads();
    if (ours != theirs && !ours.empty() && !theirs.empty()) {
      name += fmt::format(" ({} against {})", theirs, ours);
    }
    const double ratio = rows_.median(place) / rows_.median(other);
    if (same_time(rows_.row(place), rows_.row(other))) return "as fast as " + name;
    return ratio > 1 ? fmt::format("{} slower than {}", times_text(ratio), name)
                     : fmt::format("{} faster than {}", times_text(1 / ratio), name);
  }

  /// The values of the axis, or the variants, that cannot be told apart from the best.
  [[nodiscard]] std::vector<std::string> winners(std::size_t best, const RowNumbers& ties) const {
    if (rows_.question().axis.empty()) {
      std::vector<std::string> names{name_of(best)};
      for (const std::size_t place : ties) add_once(names, name_of(place));
      return names;
    }
    std::set<Value, ValueOrder> values{*value_on(rows_.point(best), rows_.question().axis)};
    for (const std::size_t place : ties)
      values.insert(*value_on(rows_.point(place), rows_.question().axis));
    std::vector<std::string> names;
    for (const Value& value : values) names.push_back(first_line(to_text(value)));
    return names;
  }

  std::string contest(std::size_t platform, const RowNumbers& places) {
    const RowNumbers rivals = rows_.largest_problem(places);
    RowNumbers pool;
    std::ranges::copy_if(rivals, std::back_inserter(pool),
                         [&](std::size_t place) { return rows_.competes(place); });
    const auto best = rows_.fastest(pool);
    if (!best) return {};
    RowNumbers ties;
    std::ranges::copy_if(pool, std::back_inserter(ties), [&](std::size_t place) {
      return place != *best && same_time(rows_.row(place), rows_.row(*best));
    });
    const auto other = rows_.yardstick(*best, ties, rivals);
    chart(rows_.fastest_of_each(pool), other);
    const std::string at = where(*best);
    std::string figure = format_duration(rows_.median(*best));
    if (other) figure += ", " + against(*best, *other);
    const std::vector<std::string> names = winners(*best, ties);
    if (rows_.question().kind == Kind::single) {
      return fmt::format("on {}{} {} takes {}", device(platform), at, name_of(*best), figure);
    }
    if (rows_.question().axis.empty()) {
      return fmt::format("{} {}{}: {}{}, {}", first_ ? "fastest on" : "on", device(platform), at,
                         and_list(names), names.size() > 1 ? " (a tie)" : "", figure);
    }
    return axis_clause(device(platform), at, names, rows_.values_of(pool), figure);
  }

  [[nodiscard]] std::string axis_clause(const std::string& device, const std::string& at,
                                        const std::vector<std::string>& names, std::size_t values,
                                        const std::string& figure) const {
    const std::string axis = first_line(rows_.question().axis);
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

  [[nodiscard]] std::string figure(std::size_t place, const std::string& quantity) const {
    if (quantity == "access") return format_duration(rows_.row(place).ns_per_access) + " per access";
    if (quantity == "gflops") return format_significant(rows_.row(place).gflops) + " GFLOP/s";
    if (quantity == "gbytes") return format_significant(rows_.row(place).gbytes_per_s) + " GB/s";
    return format_duration(rows_.median(place));
  }

  void chart(RowNumbers rows, std::optional<std::size_t> other) {
    const bool on_axis = !rows_.question().axis.empty();
    if (!on_axis && rows.size() > charted_variants) rows.resize(charted_variants);
    std::ranges::move(rows, std::back_inserter(headline_.rows));
    if (on_axis && other) headline_.beside.push_back(*other);
  }

  std::string course(std::size_t platform, const RowNumbers& places) {
    const RowNumbers series = rows_.longest_series(places);
    if (series.size() < 2) return {};
    const std::string quantity = rows_.quantity_of(series);
    if (first_) headline_.quantity = quantity;
    if (quantity == headline_.quantity) std::ranges::copy(series, std::back_inserter(headline_.rows));
    const std::string axis = first_line(rows_.question().axis);
    const std::string at = where(series.front(), axis);
    const std::string variant = words_.variant(rows_.point(series.front()));
    if (quantity != "time") {
      return fmt::format("on {}{} {}: {} at {} = {}, {} at {}", device(platform), at, variant,
                         figure(series.front(), quantity), axis, rows_.value_text(series.front()),
                         figure(series.back(), quantity), rows_.value_text(series.back()));
    }
    const std::string who = fmt::format("{} on {}{}", variant, device(platform), at);
    const std::size_t best = *rows_.fastest(series);
    const std::size_t worst =
        *std::ranges::max_element(series, {}, [&](std::size_t place) { return rows_.median(place); });
    if (same_time(rows_.row(best), rows_.row(worst))) {
      return fmt::format("{} makes no difference to {}: {}", axis, who,
                         format_duration(rows_.median(best)));
    }
    return fmt::format("{} {} is fastest for {}: {}, {} {} takes {} as long", axis, rows_.value_text(best),
                       who, format_duration(rows_.median(best)), axis, rows_.value_text(worst),
                       times_text(rows_.median(worst) / rows_.median(best)));
  }

  WorkloadRows rows_;
  std::span<const std::string> labels_;
  PointWords words_;
  Headline headline_;
  bool first_ = true;
  std::string said_;  ///< what the last clause said of its problem
};

}  // namespace

Headline tell(const std::string& title, std::span<const HeadlineRow> rows,
              std::span<const std::string> labels, const RowNumbers& places) {
  return Teller(title, rows, labels, places).tell();
}

}  // namespace benchctl
