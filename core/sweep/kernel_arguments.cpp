#include "sweep/kernel_arguments.hpp"

#include "expr/expression.hpp"
#include "model/point.hpp"
#include "model/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace benchctl {

namespace {

using Kind = PlannedArgument::Kind;

/// A name or alternatives ("y|x"), not an expression.
bool is_name(std::string_view text) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '|'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::ranges::all_of(text, fits);
}

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
    if (!is_name(name)) {
      const Value value = evaluate(name);
      const auto* word = std::get_if<std::string>(&value);
      if (word == nullptr) return add_number(argument, value);
      name = *word;
    }
    for (std::size_t begin = 0; begin <= name.size();) {
      const std::size_t end = std::min(name.find('|', begin), name.size());
      if (add_named(name.substr(begin, end - begin))) return;
      begin = end + 1;
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
    try {
      return parsed_expression(text).evaluate(one_.values);
    } catch (const ExpressionError& error) {
      throw KernelPlanError(
          fmt::format("kernel {}, argument = \"{}\": {}", one_.launch.entry, text, error.what()));
    }
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

}  // namespace

std::vector<PlannedArgument> planned_arguments(const Occurrence& one, const KernelSpec& spec,
                                               const ProblemSpec& problem, KernelPlan& plan) {
  return Arguments(one, spec, problem, plan).make();
}

PlannedArgument planned_memory(const Occurrence& one, const KernelSpec& spec, const ProblemSpec& problem,
                               KernelPlan& plan, const std::string& name) {
  return Arguments(one, spec, problem, plan).memory(name);
}

}  // namespace benchctl
