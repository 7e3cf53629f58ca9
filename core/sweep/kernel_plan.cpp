#include "sweep/kernel_plan.hpp"

#include "config/expressions.hpp"
#include "expr/expression.hpp"
#include "model/point.hpp"
#include "model/values.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace benchctl {

namespace {

/// Evaluates one expression of the description and names its place when that fails: `owner` is a launch's
/// entry or a scratch buffer's name, `what` the part of it.
template <class Use>
auto evaluated(std::string_view kind, const std::string& owner, std::string_view what,
               const std::string& text, Use use) {
  try {
    return use(parsed_expression(text));
  } catch (const ExpressionError& error) {
    throw KernelPlanError(fmt::format("{} {}, {} = \"{}\": {}", kind, owner, what, text, error.what()));
  }
}

std::uint64_t count(const LaunchSpec& launch, std::string_view what, const std::string& text,
                    const Parameters& values) {
  return evaluated("kernel", launch.entry, what, text,
                   [&](const Expression& expression) { return expression.count(values); });
}

/// The text of a definition. A real stays one in every kernel language: `2.0`, where `1 / 2` would be 0.
/// Words become part of a source or of a command line, where a line's end or a backslash would begin
/// something else.
std::string definition(const Value& value, const LaunchSpec& launch, const std::string& macro) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "1" : "0";
  std::string text = literal(value);
  const auto harmless = [](char c) { return (c >= ' ' && c != '\\' && c != '\x7f'); };
  if (!std::ranges::all_of(text, harmless)) {
    throw KernelPlanError(fmt::format(
        "kernel {}, define {}: the word has a character that no definition can have (a line's end, a "
        "backslash, another control character)",
        launch.entry, macro));
  }
  return text;
}

/// May repetitions of the launch differ, but in their arguments?
bool differs(const LaunchSpec& launch) {
  std::vector<std::string> texts(launch.block.begin(), launch.block.end());
  texts.insert(texts.end(), launch.grid.begin(), launch.grid.end());
  texts.insert(texts.end(), {launch.shared_bytes, launch.local_bytes, launch.when});
  for (const ArgumentSpec& argument : launch.arguments) {
    if (argument.as == local_argument) texts.push_back(argument.text);
  }
  return std::ranges::any_of(texts, [](const std::string& text) {
    const auto& names = parsed_expression(text).names();
    return names.contains("step") || names.contains("substep");
  });
}

/// Goes through a sequence of launches with its repetitions.
class Sequence {
 public:
  Sequence(const KernelSpec& spec, const Parameters& values, bool of_each_shape,
           const std::function<void(const Occurrence&)>& use)
      : spec_(spec), given_(values), of_each_shape_(of_each_shape), use_(use) {
    repeats_ = !spec.repeat.empty() || std::ranges::any_of(spec.launches, [](const LaunchSpec& launch) {
      return !launch.repeat.empty();
    });
    if (repeats_) counted_ = values;
  }

  void visit() {
    for (const LaunchSpec& launch : spec_.launches) {
      if (launch.prepare) static_cast<void>(repetitions(launch, 0, false));
    }
    const std::uint64_t steps =
        spec_.repeat.empty() ? 1
                             : evaluated("sequence of", "launches", "repeat", spec_.repeat,
                                         [&](const Expression& text) { return text.count(values()); });
    if (steps > max_planned_launches) refuse();
    std::vector<bool> seen(spec_.launches.size());
    for (std::uint64_t step = 0; step < steps; ++step) {
      if (!spec_.repeat.empty()) counted_["step"] = static_cast<std::int64_t>(step);
      for (std::size_t i = 0; i < spec_.launches.size(); ++i) {
        const LaunchSpec& launch = spec_.launches[i];
        if (launch.prepare) continue;
        const bool any = repetitions(launch, step, seen[i]) > 0;
        seen[i] = seen[i] || (any && of_each_shape_ && repeats_ && !differs(launch));
      }
    }
  }

 private:
  [[nodiscard]] const Parameters& values() const { return repeats_ ? counted_ : given_; }

  [[noreturn]] static void refuse() {
    throw KernelPlanError(
        fmt::format("more than {} launches; a loop in the kernel needs only one", max_planned_launches));
  }

  /// How many there are; those of a launch that was seen are only counted.
  std::uint64_t repetitions(const LaunchSpec& launch, std::uint64_t step, bool seen) {
    const std::uint64_t times =
        launch.repeat.empty() ? 1 : count(launch, "repeat", launch.repeat, values());
    if (times > room_) refuse();
    room_ -= times;
    if (seen) return times;
    const std::uint64_t shapes = of_each_shape_ && times > 1 && !differs(launch) ? 1 : times;
    for (std::uint64_t substep = 0; substep < shapes; ++substep) {
      if (!launch.repeat.empty()) counted_["substep"] = static_cast<std::int64_t>(substep);
      const bool takes_place =
          evaluated("kernel", launch.entry, "when", launch.when,
                    [&](const Expression& expression) { return expression.holds(values()); });
      if (takes_place) use_({launch, values(), step % 2 == 1, substep % 2 == 1});
    }
    if (!launch.repeat.empty()) counted_.erase("substep");
    return times;
  }

  const KernelSpec& spec_;
  const Parameters& given_;
  bool of_each_shape_;
  const std::function<void(const Occurrence&)>& use_;
  bool repeats_ = false;
  Parameters counted_;
  std::uint64_t room_ = max_planned_launches;
};

}  // namespace

Parameters device_values(const DeviceInfo& device) {
  return {{"compute_units", std::int64_t{std::max(1U, device.compute_units)}},
          {"warp", std::int64_t{std::max(1U, device.memory.warp)}},
          {"last_level_cache", static_cast<std::int64_t>(device.last_level_cache_bytes)}};
}

Parameters kernel_values(const Parameters& problem, const std::string& layout, const Parameters& tunables,
                         const Parameters& device) {
  Parameters values = tunables;  // first: a problem of one size has those of another
  values.insert(problem.begin(), problem.end());
  if (!layout.empty()) values["layout"] = layout;
  values.insert(device.begin(), device.end());
  return values;
}

Parameters with_derived(const KernelSpec& spec, Parameters values) {
  try {
    derive(spec.derived, values);
  } catch (const ExpressionError& error) {
    throw KernelPlanError(error.what());
  }
  return values;
}

void visit_launches(const KernelSpec& spec, const Parameters& values, bool of_each_shape,
                    const std::function<void(const Occurrence&)>& use) {
  Sequence(spec, values, of_each_shape, use).visit();
}

LaunchShape launch_shape(const LaunchSpec& launch, const Parameters& values) {
  LaunchShape shape;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    shape.block[axis] = count(launch, "block", launch.block[axis], values);
    shape.grid[axis] = count(launch, "grid", launch.grid[axis], values);
    if (shape.block[axis] == 0 || shape.grid[axis] == 0) {
      throw KernelPlanError(
          fmt::format("kernel {}, block and grid must be at least 1 in every direction", launch.entry));
    }
  }
  shape.shared_bytes = count(launch, "shared_bytes", launch.shared_bytes, values);
  std::uint64_t local = 0;
  for (const ArgumentSpec& argument : launch.arguments) {
    if (argument.as == local_argument) local += count(launch, local_argument, argument.text, values);
  }
  shape.local_bytes = std::max(local, count(launch, "local_bytes", launch.local_bytes, values));
  return shape;
}

std::uint64_t scratch_count(const ScratchSpec& scratch, const Parameters& values) {
  return evaluated("scratch", scratch.name, "count", scratch.count,
                   [&](const Expression& expression) { return expression.count(values); });
}

namespace {

using Kind = PlannedArgument::Kind;

/// The arguments of one launch: finds what they name and evaluates the others, whose numbers are appended
/// to `plan.scalars`; `plan.scratch` is complete.
class Arguments {
 public:
  Arguments(const Occurrence& one, const KernelSpec& spec, const ProblemSpec& problem, KernelPlan& plan)
      : one_(one), spec_(spec), problem_(problem), plan_(plan) {
    check_swap(spec.swap);
    check_swap(one.launch.swap);
  }

  std::vector<PlannedArgument> make() {
    for (const ArgumentSpec& argument : one_.launch.arguments) {
      if (argument.as == local_argument) {
        add(Kind::local, integer(argument, evaluate(argument.text), DType::u32));
      } else if (!argument.as.empty()) {
        add_scalar(argument, type_of(argument.as), evaluate(argument.text));
      } else if (argument.text == all_arguments) {
        for (const BufferSpec& buffer : problem_.buffers) add_named(buffer.name);
        for (const ScalarSpec& scalar : problem_.scalars) add_named(scalar.name);
      } else {
        add_text(argument);
      }
    }
    return std::move(planned_);
  }

  /// The buffer or scratch buffer of that name; with `swap` the one in its place.
  PlannedArgument memory(const std::string& name) {
    if (add_named(name) && planned_.back().kind != Kind::scalar) return planned_.back();
    throw KernelPlanError(fmt::format("constants of kernel '{}': '{}' is not a buffer or scratch buffer",
                                      one_.launch.entry, name));
  }

 private:
  void add(Kind kind, std::int64_t index) { planned_.push_back({kind, static_cast<std::size_t>(index)}); }

  /// A name, or an expression that gives a name or a number.
  void add_text(const ArgumentSpec& argument) {
    std::string name = argument.text;
    if (!alternatives(name)) {
      const Value value = evaluate(name);
      const auto* word = std::get_if<std::string>(&value);
      if (word == nullptr) return add_number(argument, value);
      name = *word;
    }
    for (const std::string& one : alternatives(name).value_or(Names{name})) {
      if (add_named(one)) return;
    }
    if (const auto value = one_.values.find(name); value != one_.values.end())
      return add_number(argument, value->second);
    throw KernelPlanError(fmt::format(
        "argument '{}' of kernel '{}' is not a buffer, scratch buffer or scalar of workload '{}'", name,
        one_.launch.entry, problem_.workload));
  }

  void add_number(const ArgumentSpec& argument, const Value& value) {
    add_scalar(argument, std::holds_alternative<double>(value) ? DType::f32 : DType::i32, value);
  }

  bool add_named(const std::string& name) {
    const auto found = find(swapped(name));
    if (!found) return false;
    if (one_.launch.prepare && found->kind == Kind::buffer) {
      throw KernelPlanError(
          fmt::format("launch of kernel '{}' prepares, so it cannot take buffer '{}' of the workload: its "
                      "time would be missing",
                      one_.launch.entry, name));
    }
    if (one_.launch.prepare && found->kind == Kind::scratch && spec_.scratch[found->index].zeroed) {
      throw KernelPlanError(
          fmt::format("launch of kernel '{}' prepares scratch '{}', which is zeroed before every execution",
                      one_.launch.entry, name));
    }
    planned_.push_back(*found);
    return true;
  }

  [[nodiscard]] std::optional<PlannedArgument> find(std::string_view name) const {
    if (const auto index = problem_.buffer_index(name)) return PlannedArgument{Kind::buffer, *index};
    if (const auto index = problem_.scalar_index(name)) return PlannedArgument{Kind::scalar, *index};
    const auto scratch = std::ranges::find(spec_.scratch, name, &ScratchSpec::name);
    if (scratch == spec_.scratch.end()) return std::nullopt;
    return PlannedArgument{Kind::scratch, static_cast<std::size_t>(scratch - spec_.scratch.begin())};
  }

  /// Pairs of memory that kernels write, of one size: a kernel would run over the end of a smaller one.
  void check_swap(const std::vector<std::string>& pairs) const {
    const auto refuse = [&](const std::string& why) {
      throw KernelPlanError(fmt::format("swap of kernel '{}': {}", one_.launch.entry, why));
    };
    if (pairs.size() % 2 != 0) refuse("names come in pairs");
    for (std::size_t i = 0; i < pairs.size(); i += 2) {
      std::array<std::pair<DType, std::uint64_t>, 2> shapes;
      for (std::size_t side = 0; side < 2; ++side) {
        const std::string& name = pairs[i + side];
        const auto found = find(name);
        if (!found || found->kind == Kind::scalar) refuse(fmt::format("'{}' is not a buffer", name));
        if (found->kind == Kind::scratch) {
          const PlannedScratch& scratch = plan_.scratch.at(found->index);
          shapes[side] = {scratch.type, scratch.count};
          continue;
        }
        const BufferSpec& buffer = problem_.buffers[found->index];
        if (buffer.role == BufferRole::in)
          refuse(fmt::format("'{}' is an input of the workload, which no kernel may write", name));
        shapes[side] = {buffer.type, buffer.count};
      }
      if (shapes[0] != shapes[1])
        refuse(fmt::format("'{}' and '{}' differ in type or number of elements", pairs[i], pairs[i + 1]));
    }
  }

  [[nodiscard]] std::string swapped(std::string name) const {
    const auto exchange = [&](const std::vector<std::string>& pairs) {
      const auto found = std::ranges::find(pairs, name);
      if (found == pairs.end()) return;
      const auto at = static_cast<std::size_t>(found - pairs.begin());
      name = pairs[at % 2 == 0 ? at + 1 : at - 1];
    };
    if (one_.launch_swapped) exchange(one_.launch.swap);
    if (one_.sequence_swapped) exchange(spec_.swap);
    return name;
  }

  [[nodiscard]] Value evaluate(const std::string& text) const {
    return evaluated("kernel", one_.launch.entry, "argument", text,
                     [&](const Expression& expression) { return expression.evaluate(one_.values); });
  }

  [[nodiscard]] DType type_of(const std::string& word) const {
    const auto dtype = one_.values.find("dtype");
    const auto* problems = dtype == one_.values.end() ? nullptr : std::get_if<std::string>(&dtype->second);
    const auto type = parse_enum<DType>(word == "dtype" && problems != nullptr ? *problems : word);
    if (!type) {
      throw KernelPlanError(
          fmt::format("kernel {}: '{}' is not the type of an argument", one_.launch.entry, word));
    }
    return *type;
  }

  void add_scalar(const ArgumentSpec& argument, DType type, const Value& value) {
    ScalarSpec scalar{argument.text, type, value};
    if (is_whole(type)) {
      scalar.value = integer(argument, value, type);
    } else {
      scalar.value = number(argument, value);
    }
    add(Kind::scalar, static_cast<std::int64_t>(plan_.scalars.size()));
    plan_.scalars.push_back(std::move(scalar));
  }

  [[nodiscard]] double number(const ArgumentSpec& argument, const Value& value) const {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    throw KernelPlanError(fmt::format("kernel {}, argument \"{}\" gives {}, which is not a number",
                                      one_.launch.entry, argument.text, to_text(value)));
  }

  [[nodiscard]] std::int64_t integer(const ArgumentSpec& argument, const Value& value, DType type) const {
    if (const auto whole = whole_in(type, number(argument, value))) return *whole;
    throw KernelPlanError(fmt::format("kernel {}, argument \"{}\" gives {}, which {} cannot hold",
                                      one_.launch.entry, argument.text, to_text(value), to_string(type)));
  }

  const Occurrence& one_;
  const KernelSpec& spec_;
  const ProblemSpec& problem_;
  KernelPlan& plan_;
  std::vector<PlannedArgument> planned_;
};

/// Names in a template's arguments become their values; those of definitions stay.
std::string planned_entry(const Occurrence& one) {
  const std::string& text = one.launch.entry;
  const std::size_t at = std::min(text.find('<'), text.size());
  return text.substr(0, at) + with_words(text.substr(at), [&](std::size_t, const std::string& word) {
           const auto value = one.values.find(word);
           const bool stays = value == one.values.end() || one.launch.defines.contains(word);
           return stays ? word : definition(value->second, one.launch, word);
         });
}

/// An option is one word of a command line: no value may add another.
std::string planned_option(const Occurrence& one, const std::string& text) {
  const auto value_of = [&](const std::string& expression) {
    return definition(parsed_expression(expression).evaluate(one.values), one.launch, expression);
  };
  std::string option;
  try {
    option = with_values(text, value_of);
  } catch (const ExpressionError& error) {
    throw KernelPlanError(
        fmt::format("kernel {}, option \"{}\": {}", one.launch.entry, text, error.what()));
  }
  const auto harmless = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_=.+:").find(c) != std::string_view::npos;
  };
  if (option.starts_with('-') && std::ranges::all_of(option, harmless)) return option;
  throw KernelPlanError(fmt::format(
      "kernel {}, option \"{}\": an option begins with '-' and has letters, digits and - _ = . + : alone; "
      "it names no file: headers are found beside the kernel",
      one.launch.entry, option));
}

PlannedLaunch planned_launch(const Occurrence& one, const KernelSpec& spec, const ProblemSpec& problem,
                             const std::filesystem::path& kernel_directory, KernelPlan& plan) {
  const LaunchSpec& launch = one.launch;
  PlannedLaunch planned;
  planned.source = (kernel_directory / launch.source).lexically_normal().string();
  planned.entry = planned_entry(one);
  planned.prepare = launch.prepare;
  const auto text_of = [&](const std::string& what, const std::string& name, const std::string& text) {
    return evaluated("kernel", launch.entry, what + name, text, [&](const Expression& value) {
      return definition(value.evaluate(one.values), launch, name);
    });
  };
  for (const auto& [macro, text] : launch.defines) planned.defines[macro] = text_of("define ", macro, text);
  for (const auto& [name, text] : launch.extras) planned.extras[name] = text_of("extra ", name, text);
  const LaunchShape shape = launch_shape(launch, one.values);
  planned.block = shape.block;
  planned.grid = shape.grid;
  planned.shared_bytes = shape.shared_bytes;
  planned.local_bytes = shape.local_bytes;
  planned.arguments = Arguments(one, spec, problem, plan).make();
  for (const std::string& option : launch.options) planned.options.push_back(planned_option(one, option));
  for (const auto& [symbol, name] : launch.constants)
    planned.constants.emplace(symbol, Arguments(one, spec, problem, plan).memory(name));
  return planned;
}

}  // namespace

KernelPlan plan_kernel(const KernelSpec& spec, const Parameters& given, const ProblemSpec& problem,
                       const std::filesystem::path& kernel_directory) {
  const Parameters values = with_derived(spec, given);
  KernelPlan plan;
  for (const ScratchSpec& scratch : spec.scratch) {
    plan.scratch.push_back({scratch.name, scratch.type, scratch_count(scratch, values), scratch.zeroed});
  }
  plan.scalars = problem.scalars;
  bool timed = false;
  visit_launches(spec, values, false, [&](const Occurrence& one) {
    plan.launches.push_back(planned_launch(one, spec, problem, kernel_directory, plan));
    timed = timed || !one.launch.prepare;
  });
  if (!timed) throw KernelPlanError("no launch remains to be timed");
  return plan;
}

}  // namespace benchctl
