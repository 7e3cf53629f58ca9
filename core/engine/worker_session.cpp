#include "engine/worker_session.hpp"

#include "engine/host.hpp"
#include "engine/reference_file.hpp"
#include "engine/trial.hpp"
#include "model/json.hpp"
#include "observe/places.hpp"
#include "plugins/plugin_table.hpp"
#include "sweep/configurations.hpp"
#include "sweep/kernel_plan.hpp"
#include "workloads/declared.hpp"

#include "engine/stopwatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

namespace benchctl {

using nlohmann::json;

namespace {

const Workload& workload_named(const std::string& name) {
  const Workload* workload = find_workload(name);
  if (workload == nullptr) throw Failure(FailureKind::unsupported, fmt::format("no workload '{}'", name));
  return *workload;
}

ProblemSpec spec_of(const json& arguments) {
  return workload_named(arguments.at("workload").get<std::string>())
      .problem(parameters_from_json(arguments.at("parameters")), arguments.at("layout").get<std::string>());
}

SessionOptions options_of(const json& arguments) {
  return {arguments.at("cache_dir").get<std::string>(), arguments.at("device_debug").get<bool>()};
}

/// "dtype" stands for the problem's own element type.
std::string resolved_precision(const VariantInfo& variant, const ProblemSpec& spec) {
  if (variant.precision != "dtype") return variant.precision;
  const auto dtype = spec.parameters.find("dtype");
  return dtype != spec.parameters.end() ? std::get<std::string>(dtype->second) : "f32";
}

/// Outputs are compared after a block of samples if that takes no larger part of the block's time.
constexpr double round_check_share = 0.1;

/// How long one request of a pass is to last.
constexpr double pass_sample_ns = 20e6;

/// Does nothing but executions lie between the first sample of a request and the last?
bool only_executions(const SampleRequest& request, const ProblemBuffers& buffers) {
  return request.cache != CacheMode::cold && request.basis != Basis::end_to_end &&
         !in_place(buffers.spec());
}

}  // namespace

json WorkerSession::handle(Verb verb, const json& arguments) {
  switch (verb) {
    case Verb::describe:
      return describe();
    case Verb::watch:
      return watch(arguments);
    case Verb::probe:
      return probe(arguments);
    case Verb::open:
      return open(arguments);
    case Verb::define:
      return define(arguments);
    case Verb::problem:
      return problem(arguments);
    case Verb::prepare:
      return prepare(arguments);
    case Verb::check:
      return check(arguments);
    case Verb::sample:
      return sample(arguments);
    case Verb::audit:
      return audit(arguments);
    case Verb::observe:
      return observe(arguments);
    case Verb::drop:
      return drop(arguments);
    case Verb::reference:
      return reference(arguments);
    case Verb::compile:
      return compile(arguments);
  }
  throw std::logic_error("unknown verb");
}

Backend& WorkerSession::backend(const std::string& name) const {
  const LoadedPlugin* plugin = plugins_.find(name);
  if (plugin != nullptr && plugin->backend != nullptr) return *plugin->backend;
  for (const RefusedPlugin& refused : plugins_.refused()) {
    if (refused.name == name) throw Failure(FailureKind::launch_error, "plugin refused: " + refused.reason);
  }
  throw Failure(FailureKind::no_device, fmt::format("no plugin for backend '{}'", name));
}

json WorkerSession::describe() const {
  if (plugins_.plugins().empty()) {
    throw Failure(FailureKind::unsupported,
                  plugins_.refused().empty() ? "no plugin was loaded" : plugins_.refused().front().reason);
  }
  return to_json(benchctl::describe(plugins_.plugins().front()));
}

json WorkerSession::watch(const json& arguments) const {
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
  // Before the driver starts threads, which inherit it.
  Place place;
  if (arguments.contains("cores")) place.cores = arguments.at("cores").get<std::vector<int>>();
  if (arguments.contains("memory_node")) place.memory_node = arguments.at("memory_node").get<int>();
  const std::string refusal = bind_to(place);
  session_ = backend(arguments.at("backend").get<std::string>()).open(device.id, options_of(arguments));
  watch_ = std::make_unique<LaneWatch>(observers_of(plugins_), device);
  device_values_ = parameters_from_json(arguments.at("device_values"));
  return refusal.empty() ? json::object() : json{{"not_bound", refusal}};
}

json WorkerSession::define(const json& arguments) {
  for (const json& entry : arguments.at("variants")) {
    HeldVariant variant{variant_from_json(entry.at("variant")),
                        entry.at("kernel_directory").get<std::string>()};
    std::pair name(variant.info.workload, variant.info.name);
    variants_.insert_or_assign(std::move(name), std::move(variant));
  }
  for (const json& workload : arguments.at("workloads")) {
    const auto definition = workload.get<std::string>();
    std::unique_ptr<Workload> made = make_workload(std::string_view(definition));
    // In one process it is there already, and somebody may hold it.
    const Workload* known = find_workload(made->name());
    if (known == nullptr || known->definition() != definition) declare_workload(std::move(made));
  }
  return json::object();
}

json declared_workloads() {
  json definitions = json::array();
  for (const Workload* workload : all_workloads()) {
    if (std::string definition = workload->definition(); !definition.empty()) {
      definitions.push_back(std::move(definition));
    }
  }
  return definitions;
}

json WorkerSession::problem(const json& arguments) {
  if (session_ == nullptr) throw std::logic_error("problem before open");
  HeldProblem held;
  held.buffers = std::make_unique<ProblemBuffers>(
      *session_, workload_named(arguments.at("workload").get<std::string>()), spec_of(arguments),
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
    request.kernel = plan_kernel(*variant.info.kernel, values, buffers.spec(), variant.kernel_directory);
  }
  return buffers.device().prepare(request);
}

json WorkerSession::prepare(const json& arguments) {
  const auto problem_id = arguments.at("problem").get<std::uint64_t>();
  ProblemBuffers& buffers = *problems_.at(problem_id).buffers;
  const HeldVariant& variant =
      variants_.at({buffers.spec().workload, arguments.at("variant").get<std::string>()});
  const auto label = arguments.at("label").get<std::string>();
  HeldPrepared held;
  held.problem = problem_id;
  held.precision = resolved_precision(variant.info, buffers.spec());
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
          {to_text(Configuration{base.info.name, tunables}), [&buffers, &base, tunables, label, this] {
             return make_ready(buffers, base, tunables, label);
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
  json answer = {{"resources", resources}, {"notes", held.prepared->notes()}, {"picked", picked}};
  answer["notes"].update(trial);
  prepared_[arguments.at("id").get<std::uint64_t>()] = std::move(held);
  return answer;
}

WorkerSession::HeldPrepared& WorkerSession::held_prepared(const json& arguments) {
  return prepared_.at(arguments.at("prepared").get<std::uint64_t>());
}

json WorkerSession::check(const json& arguments) {
  HeldPrepared& held = held_prepared(arguments);
  ProblemBuffers& buffers = *problems_.at(held.problem).buffers;
  const bool execute = arguments.at("execute").get<bool>();
  std::vector<std::uint32_t> sets = held.used_sets;
  if (execute) {
    sets.resize(arguments.at("sets").get<std::uint32_t>());
    std::iota(sets.begin(), sets.end(), 0U);
  }
  double run_ns = 0;
  Verification outcome;
  json metrics = json::object();
  for (const std::uint32_t set : sets) {
    if (execute) {
      buffers.poison_outputs(set, nan_byte);  // for the reason's sake: what was never written is no number
      buffers.restore_inouts(set);
      run_ns = held.prepared->run(set);
    }
    outcome = verify(held, std::span(&set, 1));
    if (!outcome.ok) break;
    metrics = buffers.metrics(set);
  }
  return {{"verification", to_json(outcome)}, {"run_ns", run_ns}, {"metrics", metrics}};
}

const Reference& WorkerSession::HeldReference::load() {
  if (!values) values = load_reference(file);
  return *values;
}

Verification WorkerSession::verify(HeldPrepared& held, std::span<const std::uint32_t> sets) {
  HeldProblem& problem = problems_.at(held.problem);
  Verification outcome;
  for (const std::uint32_t set : sets) {
    const Reference& reference = problem.references.at(set % problem.references.size()).load();
    const Stopwatch watch;
    outcome = problem.buffers->verify(set, held.precision, reference);
    held.set_check_seconds = watch.seconds();
    if (!outcome.ok) break;
  }
  return outcome;
}

/// Samples as asked for, each on restored buffers where executions change their input.
SampleBlock WorkerSession::take(HeldPrepared& held, SampleRequest request) {
  ProblemBuffers& buffers = *problems_.at(held.problem).buffers;
  if (!in_place(buffers.spec())) return held.prepared->sample(request);
  SampleBlock block;
  const std::uint32_t first = request.set;
  const std::uint32_t count = request.count;
  request.count = 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    request.set = (first + i) % request.sets;
    buffers.restore_inouts(request.set);
    SampleBlock one = held.prepared->sample(request);
    one.ns.insert(one.ns.begin(), block.ns.begin(), block.ns.end());
    for (auto& [name, values] : one.readings) {
      const std::vector<double>& before = block.readings[name];
      values.insert(values.begin(), before.begin(), before.end());
    }
    block = std::move(one);
  }
  return block;
}

json WorkerSession::sample(const json& arguments) {
  HeldPrepared& held = held_prepared(arguments);
  ProblemBuffers& buffers = *problems_.at(held.problem).buffers;
  SampleRequest request = sample_request_from_json(arguments.at("request"));
  const bool discard_first = arguments.at("discard_first").get<bool>() && !in_place(buffers.spec());
  const std::uint32_t sets = request.sets;
  request.set = held.next_set % sets;
  request.count += discard_first ? 1 : 0;
  const std::uint64_t executions = std::uint64_t{request.count} * std::max(request.batch, 1U);
  held.used_sets.clear();
  for (std::uint32_t i = 0; i < std::min<std::uint64_t>(executions, sets); ++i) {
    held.used_sets.push_back(set_of(request, i));
    buffers.poison_outputs(held.used_sets.back());
  }
  held.next_set = set_of(request, executions);
  request.hook = watch_->hook();
  const auto choice = arguments.at("observe").get<ReadingChoice>();
  watch_->begin(choice);
  const Stopwatch sampling;
  SampleBlock block = take(held, request);
  const double sampling_seconds = sampling.seconds();
  Observed observed = watch_->end(block, only_executions(request, buffers));
  const auto& missing = watch_->missing(choice, ReadingKind::block);
  observed.absent.insert(missing.begin(), missing.end());
  if (discard_first && block.ns.size() > 1) {
    for (auto& [name, values] : block.readings) {
      if (values.size() == block.ns.size()) values.erase(values.begin());
    }
    block.ns.erase(block.ns.begin());
  }
  json answer = to_json(block);
  answer["absent"] = observed.absent;
  answer["redo"] = observed.redo;
  // What these samples left is compared where that is cheap, and at the point's end in any case.
  const double check_seconds = held.set_check_seconds * static_cast<double>(held.used_sets.size());
  if (check_seconds <= round_check_share * sampling_seconds) {
    answer["verification"] = to_json(verify(held, held.used_sets));
  }
  return answer;
}

/// Executes for so many seconds; 0: once. Gives what a window must know of it.
Window WorkerSession::execute_for(HeldPrepared& held, SampleRequest request, double execution_ns,
                                  double seconds) {
  ProblemBuffers& buffers = *problems_.at(held.problem).buffers;
  Window window;
  window.only_executions = only_executions(request, buffers);
  if (!window.only_executions || seconds == 0) {
    buffers.restore_inouts(request.set);
    window.busy_ns = held.prepared->run(request.set);
    window.executions = 1;
    return window;
  }
  // As dense as can be: waiting between samples is not what is asked about.
  const double fitting = std::max(1.0, std::floor(pass_sample_ns / execution_ns));
  const std::uint32_t most = std::max(1U, watch_->device().max_batch);
  request.batch = fitting < most ? static_cast<std::uint32_t>(fitting) : most;
  request.count = static_cast<std::uint32_t>(
      std::clamp(std::floor(pass_sample_ns / (execution_ns * request.batch)), 1.0, 1000.0));
  window.batch = request.batch;
  const auto start = std::chrono::steady_clock::now();
  do {
    const SampleBlock block = held.prepared->sample(request);
    window.executions += static_cast<double>(block.ns.size()) * block.batch;
    for (const double ns : block.ns) window.busy_ns += ns * block.batch;
  } while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds);
  return window;
}

json WorkerSession::observe(const json& arguments) {
  const auto choice = arguments.at("observe").get<ReadingChoice>();
  HeldPrepared& held = held_prepared(arguments);
  const SampleRequest request = sample_request_from_json(arguments.at("request"));
  const double execution_ns = std::max(1.0, arguments.at("execution_ns").get<double>());
  json answer = {{"metrics", json::object()}, {"absent", watch_->missing(choice, ReadingKind::pass)}};
  for (std::size_t pass = 0; pass < watch_->passes(choice); ++pass) {
    const double seconds = watch_->pass_seconds(choice, pass);
    watch_->begin_pass(choice, pass);
    const Window window = execute_for(held, request, execution_ns, seconds);
    Readings readings;
    const Observed observed = watch_->end(window, readings);
    for (const auto& [id, values] : readings.values) {
      if (!values.empty()) answer["metrics"][id] = values.front();
    }
    for (const auto& [id, reason] : observed.absent) answer["absent"][id] = reason;
  }
  return answer;
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
  save_reference(workload_named(spec.workload).reference(spec, arguments.at("seed").get<std::uint64_t>()),
                 file);
  return json::object();
}

json WorkerSession::compile(const json& arguments) {
  const CompileResult result =
      backend(arguments.at("backend").get<std::string>())
          .compile(kernel_plan_from_json(arguments.at("plan")),
                   arguments.at("architecture").get<std::string>(), options_of(arguments));
  return {{"resources", result.resources}, {"log", result.log}, {"cached", result.cached}};
}

}  // namespace benchctl
