// Axes of a sweep: lists of values, ranges, and the axes that `zip` ties.
#include "config/read.hpp"
#include "model/values.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace benchctl {

namespace {

/// Expressions do not distinguish integers beyond it.
constexpr std::int64_t max_integer = std::int64_t{1} << 53;

/// Is this a value that a parameter may have? Reports it otherwise.
bool check_value(Reporter& reporter, const Node& node, const std::string& axis) {
  switch (node.kind) {
    case Node::Kind::boolean:
      return true;
    case Node::Kind::text:
      if (!std::get<std::string>(node.value).empty()) return true;
      reporter.error(node.position, fmt::format("axis '{}' has an empty string", axis));
      return false;
    case Node::Kind::integer:
      // Compared as integers: as reals the first one beyond would look equal.
      if (const auto integer = std::get<std::int64_t>(node.value);
          integer >= -max_integer && integer <= max_integer) {
        return true;
      }
      reporter.error(node.position, fmt::format("axis '{}': {} is too large", axis, node.raw),
                     "an integer from -2^53 to 2^53");
      return false;
    case Node::Kind::real:
      if (std::isfinite(as_number(node.value))) return true;
      reporter.error(node.position, fmt::format("axis '{}': {} is not a finite number", axis, node.raw),
                     "a finite number");
      return false;
    default:
      wrong_kind(reporter, node, fmt::format("a value of axis '{}'", axis),
                 "a number, a string or a truth value");
      return false;
  }
}

/// Reports an axis that is longer than `max_axis_values`, or than all axes together may still be.
bool check_length(Reporter& reporter, const Node& node, double length) {
  if (length > static_cast<double>(max_axis_values)) {
    reporter.error(node.position, fmt::format("axis '{}' has {:.0f} values", node.key, length),
                   fmt::format("at most {}", max_axis_values));
    return false;
  }
  std::size_t& left = reporter.room().axis_values;
  if (length > static_cast<double>(left)) {
    reporter.error(node.position,
                   fmt::format("the axes of this config have more than {} values together",
                               Reporter::Room{}.axis_values),
                   "shorter axes, or several configs");
    return false;
  }
  left -= static_cast<std::size_t>(length);
  return true;
}

/// The number that people mean: 0.1 + 2 · 0.1 misses 0.3 by a rounding error, less than the fifteenth digit
/// of what was added up, `scale`.
double as_written(double real, double scale) {
  const int places = std::max(0, 14 - static_cast<int>(std::floor(std::log10(scale))));
  return number_from<double>(fmt::format("{:.{}f}", real, places)).value_or(real) + 0.0;  // never -0
}

/// `{ from, to, step }` or `{ from, to, times }`.
class Range {
 public:
  Range(Reporter& reporter, const Node& node) : reporter_(reporter), node_(node) {}

  std::vector<Value> values() {
    const std::size_t errors = reporter_.diagnostics().size();
    const TableReader table(reporter_, node_, fmt::format("the range of axis '{}'", node_.key),
                            "range of an axis");
    from_ = number(table.find("from"));
    to_ = number(table.find("to"));
    const Node* step = number(table.find("step"));
    const Node* times = number(table.find("times"));
    if ((table.find("step") == nullptr) == (table.find("times") == nullptr)) {
      reporter_.error(node_.position,
                      fmt::format("the range of axis '{}' has {}", node_.key,
                                  table.find("step") == nullptr ? "neither 'step' nor 'times'"
                                                                : "both 'step' and 'times'"),
                      "exactly one of step, times");
    }
    if (reporter_.diagnostics().size() != errors) return {};
    return step != nullptr ? by_step(*step) : by_factor(*times);
  }

 private:
  const Node* number(const Node* node) {
    if (node == nullptr) return nullptr;
    const std::string what = fmt::format("'{}' of axis '{}'", node->key, node_.key);
    if (!is_numeric(*node)) {
      wrong_kind(reporter_, *node, what, "a number");
      return nullptr;
    }
    return check_value(reporter_, *node, node_.key) ? node : nullptr;
  }

  [[nodiscard]] bool integers(const Node& third) const {
    return from_->kind == Node::Kind::integer && to_->kind == Node::Kind::integer &&
           third.kind == Node::Kind::integer;
  }

  /// No values: one of the numbers is reported.
  std::vector<Value> refuse(const Node& number, const std::string& why, const std::string& expected) {
    reporter_.error(number.position,
                    fmt::format("'{}' of axis '{}' is {}{}", number.key, node_.key, number.raw, why),
                    expected);
    return {};
  }

  std::vector<Value> by_step(const Node& step) {
    const double distance = as_number(to_->value) - as_number(from_->value);
    const double width = as_number(step.value);
    if (width == 0 || (distance != 0 && (distance > 0) != (width > 0))) {
      return refuse(step, fmt::format(", which does not lead from {} to {}", from_->raw, to_->raw),
                    distance < 0 ? "a negative number" : "a positive number");
    }
    std::vector<Value> values;
    if (integers(step)) {
      const auto first = std::get<std::int64_t>(from_->value);
      const auto stride = std::get<std::int64_t>(step.value);
      const std::int64_t steps = (std::get<std::int64_t>(to_->value) - first) / stride;
      if (!check_length(reporter_, node_, static_cast<double>(steps) + 1)) return {};
      for (std::int64_t i = 0; i <= steps; ++i) values.emplace_back(first + i * stride);
    } else {
      // The last one is meant, even if it misses `to` by a rounding error.
      const double first = as_number(from_->value);
      const double scale = std::max(std::abs(first), std::abs(as_number(to_->value)));
      const double steps = std::floor(distance / width + 1e-9);
      if (!check_length(reporter_, node_, steps + 1)) return {};
      values.emplace_back(first);
      for (double i = 1; i <= steps; ++i) values.emplace_back(as_written(first + i * width, scale));
    }
    return values;
  }

  std::vector<Value> by_factor(const Node& times) {
    const double factor = as_number(times.value);
    if (factor < 2) return refuse(times, "", "a number of at least 2");
    if (as_number(from_->value) <= 0)
      return refuse(*from_, ", which does not grow when multiplied", "a positive number");
    if (as_number(to_->value) < as_number(from_->value))
      return refuse(*to_, ", less than 'from'", fmt::format("at least {}", from_->raw));
    std::vector<Value> values;
    const double end = as_number(to_->value) * (integers(times) ? 1 : 1 + 1e-9);
    // `end` may be infinity: then the last value is the last that a real can have.
    for (double value = as_number(from_->value); value <= end && std::isfinite(value); value *= factor) {
      if (integers(times)) {
        values.emplace_back(static_cast<std::int64_t>(value));
      } else {
        values.emplace_back(values.empty() ? value : as_written(value, value));
      }
    }
    if (!check_length(reporter_, node_, static_cast<double>(values.size()))) return {};
    return values;
  }

  Reporter& reporter_;
  const Node& node_;
  const Node* from_ = nullptr;
  const Node* to_ = nullptr;
};

void read_list(Reporter& reporter, const Node& node, Axis& axis) {
  if (!check_length(reporter, node, static_cast<double>(node.children.size()))) return;
  std::set<Value, ValueOrder> seen;
  for (const Node& element : node.children) {
    if (!check_value(reporter, element, node.key)) continue;
    const bool same_type = element.kind == node.children.front().kind ||
                           (is_numeric(element) && is_numeric(node.children.front()));
    if (!same_type) {
      reporter.error(element.position,
                     fmt::format("axis '{}' mixes {} with {}", node.key, describe(element.kind),
                                 describe(node.children.front().kind)),
                     "values of one type");
      continue;
    }
    if (!seen.insert(element.value).second) axis.repeats.push_back({element.raw, element.position});
    axis.values.push_back(element.value);
    axis.value_positions.push_back(element.position);
  }
}

}  // namespace

std::string unequal_lengths(const std::vector<const Axis*>& axes) {
  const auto length = [](const Axis* axis) { return axis->values.size(); };
  std::vector<std::string> lengths;
  for (const Axis* axis : axes) lengths.push_back(fmt::format("{} has {}", axis->name, length(axis)));
  const bool equal =
      std::ranges::all_of(axes, [&](const Axis* axis) { return length(axis) == length(axes[0]); });
  return equal ? std::string() : fmt::format("{}", fmt::join(lengths, ", "));
}

std::optional<Axis> read_axis(Reporter& reporter, const Node& node) {
  const std::size_t errors = reporter.diagnostics().size();
  Axis axis;
  axis.name = node.key;
  axis.position = node.key_position;
  if (node.kind == Node::Kind::array) {
    if (node.children.empty()) {
      reporter.error(node.position, fmt::format("axis '{}' is empty", node.key), "at least one value");
    }
    read_list(reporter, node, axis);
  } else if (node.kind == Node::Kind::table) {
    axis.values = Range(reporter, node).values();
    axis.value_positions.assign(axis.values.size(), node.position);
  } else if (check_value(reporter, node, node.key)) {
    axis.values.push_back(node.value);
    axis.value_positions.push_back(node.position);
  }
  if (reporter.diagnostics().size() != errors) return std::nullopt;
  return axis;
}

std::vector<Axis> read_axes(Reporter& reporter, const Node& node, const std::string& place) {
  std::vector<Axis> axes;
  for (const Node& member : children_of(reporter, node, Node::Kind::table,
                                        fmt::format("'parameters' in {}", place), "a table")) {
    if (auto axis = read_axis(reporter, member)) axes.push_back(std::move(*axis));
  }
  return axes;
}

void refuse_repeats(Reporter& reporter, const Axis& axis) {
  for (const Word& repeat : axis.repeats) {
    reporter.error(repeat.position,
                   fmt::format("axis '{}' has the value {} twice", axis.name, repeat.text));
  }
}

void check_repeats(Reporter& reporter, const Sweep& sweep) {
  const auto check = [&](const std::vector<Axis>& axes) {
    for (const Axis& axis : axes) {
      const bool tied = std::ranges::any_of(sweep.zips, [&](const ZipGroup& zip) {
        return find_by(zip.names, axis.name, &Word::text) != nullptr;
      });
      if (!tied) refuse_repeats(reporter, axis);
    }
  };
  check(sweep.axes);
  for (const Override& over : sweep.overrides) check(over.axes);
}

/// Tied axes may repeat values, but not all of them together.
void check_tuples(Reporter& reporter, const std::vector<const Axis*>& axes) {
  // Beside an axis whose values all differ nothing comes again, however long they are.
  if (std::ranges::any_of(axes, [](const Axis* axis) { return axis->repeats.empty(); })) return;
  std::set<std::size_t, TupleOrder> seen(TupleOrder{axes});
  for (std::size_t i = 0; i < axes.front()->values.size(); ++i) {
    if (seen.insert(i).second) continue;
    std::vector<std::string> values;
    for (const Axis* axis : axes) values.push_back(axis->name + " = " + to_text(axis->values[i]));
    reporter.error(axes.front()->value_positions[i],
                   fmt::format("zip ties {} twice", fmt::join(values, ", ")));
  }
}

void check_zips(Reporter& reporter, const Sweep& sweep) {
  const auto check = [&](const ZipGroup& zip, const Override* over) {
    std::vector<const Axis*> axes;
    for (const Word& name : zip.names) {
      const Axis* axis = over == nullptr ? nullptr : find_by(over->axes, name.text, &Axis::name);
      if (axis == nullptr) axis = find_by(sweep.axes, name.text, &Axis::name);
      if (axis == nullptr) return;
      axes.push_back(axis);
    }
    const std::string lengths = unequal_lengths(axes);
    if (lengths.empty()) {
      if (!axes.empty()) check_tuples(reporter, axes);
      return;
    }
    reporter.error(over == nullptr ? zip.position : over->position,
                   fmt::format("{}: {}",
                               over == nullptr ? "zip ties axes of different lengths"
                                               : "this override leaves tied axes of different lengths",
                               lengths),
                   "as many values in each");
  };
  for (const ZipGroup& zip : sweep.zips) {
    check(zip, nullptr);
    for (const Override& over : sweep.overrides) {
      const bool touches = std::ranges::any_of(zip.names, [&](const Word& name) {
        return find_by(over.axes, name.text, &Axis::name) != nullptr;
      });
      if (touches) check(zip, &over);
    }
  }
}

}  // namespace benchctl
