#include <benchctl/types.hpp>

#include "expr/expression.hpp"
#include "model/values.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

/// Those of the program, by name.
std::map<std::string_view, std::unique_ptr<Workload>>& registry() {
  static std::map<std::string_view, std::unique_ptr<Workload>> workloads;
  return workloads;
}

void check_value(const Workload& workload, const ParameterInfo& parameter, const Value& value) {
  if (parameter.is_text) {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr || std::ranges::find(parameter.choices, *text) == parameter.choices.end()) {
      throw ProblemError(fmt::format("parameter '{}' of workload '{}' must be one of {}", parameter.name,
                                     workload.name(), fmt::join(parameter.choices, ", ")));
    }
    return;
  }
  if (!is_number(value)) {
    throw ProblemError(
        fmt::format("parameter '{}' of workload '{}' must be a number", parameter.name, workload.name()));
  }
  const double number = as_number(value);
  if (!(number >= parameter.minimum && number <= parameter.maximum)) {
    throw ProblemError(fmt::format("parameter '{}' of workload '{}' is {}, but must lie between {} and {}",
                                   parameter.name, workload.name(), number, parameter.minimum,
                                   parameter.maximum));
  }
}

}  // namespace

WorkloadRegistration::WorkloadRegistration(std::unique_ptr<Workload> workload) {
  const std::string_view name = workload->name();
  registry().emplace(name, std::move(workload));
}

const Workloads& Workloads::built_in() {
  static const Workloads none_declared{};
  return none_declared;
}

const Workload* Workloads::find(std::string_view name) const {
  if (const auto declared = declared_.find(name); declared != declared_.end())
    return declared->second.get();
  const auto own = registry().find(name);
  return own != registry().end() ? own->second.get() : nullptr;
}

std::vector<const Workload*> Workloads::all() const {
  std::vector<const Workload*> workloads;
  for (const auto& [name, workload] : registry()) workloads.push_back(workload.get());
  for (const auto& [name, workload] : declared_) workloads.push_back(workload.get());
  std::ranges::sort(workloads, {}, &Workload::name);
  return workloads;
}

std::map<std::string, std::string> Workloads::definitions() const {
  std::map<std::string, std::string> definitions;
  for (const auto& [name, workload] : declared_) definitions.emplace(name, workload->definition());
  return definitions;
}

Workloads Workloads::with(std::shared_ptr<const Workload> workload) const {
  std::string name(workload->name());
  if (registry().contains(name))
    throw std::invalid_argument(fmt::format("a workload '{}' exists already; use another name", name));
  Workloads more = *this;
  more.declared_.insert_or_assign(std::move(name), std::move(workload));
  return more;
}

const Workload& roof_workload() {
  for (const auto& [name, workload] : registry()) {
    if (workload->measures_roofs()) return *workload;
  }
  throw std::logic_error("no workload of this program measures roofs");
}

Parameters complete_parameters(const Workload& workload, const Parameters& given) {
  Parameters complete;
  for (const ParameterInfo& parameter : workload.parameters()) {
    const auto found = given.find(parameter.name);
    Value value;
    if (found != given.end()) {
      value = found->second;
    } else if (parameter.is_text) {
      value = parameter.default_value;
    } else {
      value = parsed_expression(parameter.default_value).evaluate(complete);
    }
    check_value(workload, parameter, value);
    complete.emplace(parameter.name, std::move(value));
  }
  return complete;
}

SharedParameters problem_values(const Workload& workload, SharedParameters problem,
                                const Parameters& tunables) {
  for (const std::string& name : workload.size_tunables()) {
    if (const auto found = tunables.find(name); found != tunables.end()) problem.set(name, found->second);
  }
  return problem;
}

std::optional<ProblemSpec> default_problem(const Workload& workload) {
  try {
    const auto layouts = workload.layouts();
    return workload.problem(complete_parameters(workload, {}),
                            layouts.empty() ? std::string() : layouts.front());
  } catch (const ProblemError&) {
    return std::nullopt;
  }
}

}  // namespace benchctl
