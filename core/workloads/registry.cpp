#include <benchctl/types.hpp>

#include "expr/parsed.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

std::vector<std::unique_ptr<Workload>>& registry() {
  static std::vector<std::unique_ptr<Workload>> workloads;
  return workloads;
}

/// Those that configs declare, newest last. Replaced ones are kept: somebody may still hold them.
std::vector<std::unique_ptr<Workload>>& declared() {
  static std::vector<std::unique_ptr<Workload>> workloads;
  return workloads;
}

const Workload* find_in(const std::vector<std::unique_ptr<Workload>>& workloads, std::string_view name) {
  for (auto workload = workloads.rbegin(); workload != workloads.rend(); ++workload) {
    if ((*workload)->name() == name) return workload->get();
  }
  return nullptr;
}

double as_real(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return 0;
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
  if (!std::holds_alternative<std::int64_t>(value) && !std::holds_alternative<double>(value)) {
    throw ProblemError(
        fmt::format("parameter '{}' of workload '{}' must be a number", parameter.name, workload.name()));
  }
  const double number = as_real(value);
  if (!(number >= parameter.minimum && number <= parameter.maximum)) {
    throw ProblemError(fmt::format("parameter '{}' of workload '{}' is {}, but must lie between {} and {}",
                                   parameter.name, workload.name(), number, parameter.minimum,
                                   parameter.maximum));
  }
}

}  // namespace

WorkloadRegistration::WorkloadRegistration(std::unique_ptr<Workload> workload) {
  registry().push_back(std::move(workload));
}

const Workload* find_workload(std::string_view name) {
  const Workload* own = find_in(registry(), name);
  return own != nullptr ? own : find_in(declared(), name);
}

const Workload& roof_workload() {
  for (const auto& workload : registry()) {
    if (workload->measures_roofs()) return *workload;
  }
  throw std::logic_error("no workload of this program measures roofs");
}

void declare_workload(std::unique_ptr<Workload> workload) {
  if (find_in(registry(), workload->name()) != nullptr) {
    throw std::invalid_argument(
        fmt::format("a workload '{}' exists already; use another name", workload->name()));
  }
  declared().push_back(std::move(workload));
}

std::vector<const Workload*> all_workloads() {
  std::vector<const Workload*> workloads;
  for (const auto& workload : registry()) workloads.push_back(workload.get());
  for (const auto& workload : declared()) {
    if (find_workload(workload->name()) == workload.get()) workloads.push_back(workload.get());
  }
  std::ranges::sort(workloads, {}, &Workload::name);
  return workloads;
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
