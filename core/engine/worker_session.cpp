#include "engine/worker_session.hpp"

#include "engine/host.hpp"
#include "engine/interrupt.hpp"
#include "engine/references.hpp"
#include "engine/trial.hpp"
#include "model/json.hpp"
#include "plugins/plugin_table.hpp"
#include "sweep/configurations.hpp"
#include "sweep/kernel_plan.hpp"
#include "workloads/blas.hpp"
#include "workloads/declared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace benchctl {

using nlohmann::json;

namespace {

SessionOptions options_of(const json& arguments) {
  return {arguments.at("cache_dir").get<std::string>(), arguments.at("device_debug").get<bool>()};
}

}  // namespace

json WorkerSession::handle(Verb verb, const json& arguments) {
  json answer = carry_out(verb, arguments);
  if (processor_.is_spoilt()) answer["spoilt"] = true;
  return answer;
}

/// By Verb.
json WorkerSession::carry_out(Verb verb, const json& arguments) {
  using Self = WorkerSession;
  static constexpr std::array<json (Self::*)(const json&), detail::Spellings<Verb>::table.size()> verbs{
      &Self::describe, &Self::blas,    &Self::watch,   &Self::probe,     &Self::open,
      &Self::define,   &Self::problem, &Self::prepare, &Self::check,     &Self::sample,
      &Self::audit,    &Self::observe, &Self::drop,    &Self::reference, &Self::compile};
  return (this->*verbs.at(static_cast<std::size_t>(verb)))(arguments);
}

json WorkerSession::blas(const json& /*arguments*/) { return {{"build", blas_build()}}; }

Backend& WorkerSession::backend(const std::string& name) const {
  const LoadedPlugin* plugin = plugins_.find(name);
  if (plugin != nullptr && plugin->backend != nullptr) return *plugin->backend;
  for (const RefusedPlugin& refused : plugins_.refused()) {
    if (refused.name == name) throw Failure(FailureKind::launch_error, "plugin refused: " + refused.reason);
  }
  throw Failure(FailureKind::no_device, fmt::format("no plugin for backend '{}'", name));
}

const Workload& WorkerSession::workload(const std::string& name) const {
  const Workload* workload = workloads_.find(name);
  if (workload == nullptr) throw Failure(FailureKind::unsupported, fmt::format("no workload '{}'", name));
  return *workload;
}

ProblemSpec WorkerSession::spec_of(const json& arguments) const {
  return workload(arguments.at("workload").get<std::string>())
      .problem(parameters_from_json(arguments.at("parameters")), arguments.at("layout").get<std::string>());
}

json WorkerSession::describe(const json& /*arguments*/) {
  if (plugins_.plugins().empty()) {
    throw Failure(FailureKind::unsupported,
                  plugins_.refused().empty() ? "no plugin was loaded" : plugins_.refused().front().reason);
  }
  return to_json(benchctl::describe(plugins_.plugins().front()));
}

json WorkerSession::watch(const json& arguments) {
  for (const LoadedPlugin& plugin : plugins_.plugins()) {
    if (plugin.observer == nullptr) continue;
    for (const json& device : arguments.at("devices")) {
      LaneWatch watch({plugin.observer}, device_from_json(device));
      Readings readings;
      watch.begin({});
      static_cast<void>(watch.end(Window{}, readings));
    }
  }
  return json::object();
}

json WorkerSession::probe(const json& arguments) {
  const DeviceList list = backend(arguments.at("backend").get<std::string>()).devices();
  json devices = json::array();
  for (const DeviceInfo& device : list.devices) devices.push_back(to_json(device));
  return {{"devices", devices}, {"unavailable", list.unavailable}};
}

json WorkerSession::open(const json& arguments) {
  prepared_.clear();
  problems_.clear();
  const DeviceInfo device = device_from_json(arguments.at("device"));
  session_ = backend(arguments.at("backend").get<std::string>()).open(device.id, options_of(arguments));
  watch_ = std::make_unique<LaneWatch>(observers_of(plugins_), device);
  device_values_ = parameters_from_json(arguments.at("device_values"));
  return json::object();
}

json WorkerSession::define(const json& arguments) {
  for (const json& entry : arguments.at("variants")) {
    HeldVariant variant{variant_from_json(entry.at("variant")),
                        entry.at("kernel_directory").get<std::string>()};
    std::pair name(variant.info.workload, variant.info.name);
    variants_.insert_or_assign(std::move(name), std::move(variant));
  }
  for (const json& definition : arguments.at("workloads"))
    workloads_ = workloads_.with(make_workload(std::string_view(definition.get<std::string>())));
  return json::object();
}

json WorkerSession::problem(const json& arguments) {
  if (session_ == nullptr) throw std::logic_error("problem before open");
  HeldProblem held;
  held.buffers = std::make_unique<ProblemBuffers>(
      *session_, workload(arguments.at("workload").get<std::string>()), spec_of(arguments),
      arguments.at("seeds").get<std::vector<std::uint64_t>>(), arguments.at("sets").get<std::uint32_t>(),
      arguments.at("spare").get<bool>());
  for (const json& file : arguments.at("references"))
    held.references.push_back({file.get<std::string>(), {}});
  const std::uint64_t bytes = held.buffers->allocated_bytes();
  problems_[arguments.at("id").get<std::uint64_t>()] = std::move(held);
  return {{"bytes", bytes}};
}

std::unique_ptr<Prepared> WorkerSession::make_ready(ProblemBuffers& buffers, const HeldVariant& variant,
                                                    const Parameters& tunables,
                                                    const std::string& label) const {
  PrepareRequest request;
  request.variant = &variant.info;
  request.tunables = tunables;
  request.label = label;
  if (variant.info.kernel) {
    const Parameters values =
        kernel_values(buffers.spec().parameters, buffers.spec().layout, tunables, device_values_);
    try {
      request.kernel = plan_kernel(*variant.info.kernel, values, buffers.spec(), variant.kernel_directory);
    } catch (const KernelPlanError& error) {
      throw Failure(FailureKind::unsupported, error.what());
    }
  }
  return buffers.device().prepare(request);
}

json WorkerSession::prepare(const json& arguments) {
  const auto problem_id = arguments.at("problem").get<std::uint64_t>();
  HeldProblem& problem = problems_.at(problem_id);
  ProblemBuffers& buffers = *problem.buffers;
  const HeldVariant& variant =
      variants_.at({buffers.spec().workload, arguments.at("variant").get<std::string>()});
  const auto label = arguments.at("label").get<std::string>();
  const Stopwatch stopwatch;
  HeldPrepared held;
  held.problem = problem_id;
  held.precision = declared_precision(variant.info, buffers.spec());
  json trial = json::object();
  std::size_t picked = 0;
  if (variant.info.among.empty()) {
    held.prepared = make_ready(buffers, variant, parameters_from_json(arguments.at("tunables")), label);
  } else {
    std::vector<Contender> contenders;
    for (const json& one : arguments.at("configurations")) {
      const HeldVariant& base =
          variants_.at({buffers.spec().workload, one.at("variant").get<std::string>()});
      const Parameters tunables = parameters_from_json(one.at("tunables"));
      contenders.push_back(
          {to_text(Configuration{base.info.name, tunables}),
           [&buffers, &base, tunables, label, this] { return make_ready(buffers, base, tunables, label); },
           [&, precision = held.precision](Prepared& one) {
             buffers.poison_outputs(0, nan_byte);
             buffers.restore_inouts(0);
             one.run(0);
             return problem.references.empty() ||
                    buffers.verify(0, precision, problem.references.front().load()).ok;
           }});
    }
    if (contenders.empty()) throw Failure(FailureKind::unsupported, "there is no configuration to try");
    TrialOutcome outcome = quickest(contenders);
    held.prepared = std::move(outcome.prepared);
    picked = outcome.picked;
    if (!outcome.times.empty()) trial["trial"] = outcome.times;
  }
  Resources resources = held.prepared->resources();
  resources["device_bytes"] = static_cast<double>(buffers.allocated_bytes());
  resources["prepare_ns"] = stopwatch.seconds() * 1e9;
  json answer = {{"resources", resources}, {"notes", held.prepared->notes()}, {"picked", picked}};
  answer["notes"].update(trial);
  prepared_[arguments.at("id").get<std::uint64_t>()] = std::move(held);
  return answer;
}

WorkerSession::HeldPrepared& WorkerSession::held_prepared(const json& arguments) {
  return prepared_.at(arguments.at("prepared").get<std::uint64_t>());
}

json WorkerSession::drop(const json& arguments) {
  if (arguments.contains("prepared")) {
    prepared_.erase(arguments.at("prepared").get<std::uint64_t>());
  } else {
    const auto id = arguments.at("problem").get<std::uint64_t>();
    std::erase_if(prepared_, [&](const auto& entry) { return entry.second.problem == id; });
    problems_.erase(id);
  }
  return json::object();
}

json WorkerSession::reference(const json& arguments) {
  const auto file = arguments.at("file").get<std::string>();
  if (arguments.contains("prepared")) {
    // A kernel that is trusted says what is right.
    HeldPrepared& held = held_prepared(arguments);
    ProblemBuffers& buffers = *problems_.at(held.problem).buffers;
    save_reference(buffers.outputs_as_reference(0, [&] { held.prepared->run(0); }), file);
    return json::object();
  }
  const ProblemSpec spec = spec_of(arguments);
  save_reference(workload(spec.workload).reference(spec, arguments.at("seed").get<std::uint64_t>()), file);
  return json::object();
}

json WorkerSession::compile(const json& arguments) {
  const Stopwatch stopwatch;
  const CompileResult result =
      backend(arguments.at("backend").get<std::string>())
          .compile(kernel_plan_from_json(arguments.at("plan")),
                   arguments.at("architecture").get<std::string>(), options_of(arguments));
  return {{"resources", result.resources},
          {"log", result.log},
          {"compile_ns", result.cached ? 0 : stopwatch.seconds() * 1e9}};
}

}  // namespace benchctl
