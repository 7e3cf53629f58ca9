#include "worker/session.hpp"

#include "observe/machine_observers.hpp"
#include "sweep/configurations.hpp"
#include "worker/reference_file.hpp"
#include "worker/stopwatch.hpp"
#include "worker/trial.hpp"
#include "workloads/blas.hpp"
#include "workloads/declared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace benchctl {

using nlohmann::json;

namespace {

/// The observers of all loaded plugins, then those of core. If two read the same of one device, the first
/// is asked.
std::vector<Observer*> observers_of(const PluginHost& plugins) {
  std::vector<Observer*> observers;
  for (const LoadedPlugin& plugin : plugins.plugins()) {
    if (plugin.observer != nullptr) observers.push_back(plugin.observer);
  }
  for (Observer* observer : machine_observers()) observers.push_back(observer);
  return observers;
}

/// What a method of the plugin returned.
template <class Object>
std::unique_ptr<Object> not_null(std::unique_ptr<Object> object, const char* method) {
  if (object != nullptr) return object;
  throw Failure(FailureKind::launch_error,
                fmt::format("{} returned null; throw a Failure that says why", method));
}

}  // namespace

template <class... Requests>
json WorkerSession::dispatch(Verb verb, const json& arguments) {
  json reply;
  const auto matches = [&]<class Request>(const Request* /*type*/) {
    if (verb != Request::verb) return false;
    reply = encode(carry_out(decode<Request>(arguments)));
    return true;
  };
  if (!(matches(static_cast<const Requests*>(nullptr)) || ...))
    throw std::invalid_argument(fmt::format("unknown verb '{}'", verb));
  return reply;
}

json WorkerSession::handle(Verb verb, const json& arguments) {
  json reply =
      dispatch<verbs::Describe, verbs::Blas, verbs::Watch, verbs::Probe, verbs::Open, verbs::Problem,
               verbs::Prepare, verbs::Check, verbs::Sample, verbs::Audit, verbs::Observe, verbs::Drop,
               verbs::Reference, verbs::Outputs, verbs::Compile>(verb, arguments);
  if (processor_.is_spoilt()) reply["spoilt"] = true;
  return reply;
}

BlasReply WorkerSession::carry_out(const verbs::Blas& /*request*/) { return {blas_build()}; }

Backend& WorkerSession::backend(const std::string& name) const {
  const LoadedPlugin* plugin = plugins_.find(name);
  if (plugin != nullptr && plugin->backend != nullptr) return *plugin->backend;
  for (const RefusedPlugin& refused : plugins_.refused()) {
    if (refused.name == name) throw Failure(FailureKind::launch_error, "plugin refused: " + refused.reason);
  }
  throw Failure(FailureKind::no_device, fmt::format("no plugin for backend '{}'", name));
}

const Workload& WorkerSession::workload(const verbs::StatedProblem& stated) {
  if (!stated.definition.empty()) {
    std::unique_ptr<Workload>& made = declared_[stated.definition];
    if (made == nullptr) made = make_workload(std::string_view(stated.definition));
    return *made;
  }
  if (const Workload* found = Workloads::built_in().find(stated.workload)) return *found;
  throw Failure(FailureKind::unsupported, fmt::format("no workload '{}'", stated.workload));
}

const VariantInfo& WorkerSession::variant(const std::string& workload, const std::string& name) {
  for (const VariantInfo& own : backend_->variants()) {
    if (own.workload == workload && own.name == name) return own;
  }
  VariantInfo& kernel = kernels_[{workload, name}];
  kernel.workload = workload;
  kernel.name = name;
  return kernel;
}

PluginEntry WorkerSession::carry_out(const verbs::Describe& /*request*/) {
  if (plugins_.plugins().empty()) {
    throw Failure(FailureKind::unsupported,
                  plugins_.refused().empty() ? "no plugin was loaded" : plugins_.refused().front().reason);
  }
  return describe(plugins_.plugins().front());
}

Done WorkerSession::carry_out(const verbs::Watch& request) {
  for (const LoadedPlugin& plugin : plugins_.plugins()) {
    if (plugin.observer == nullptr) continue;
    for (const DeviceInfo& device : request.devices) {
      LaneWatch watch({plugin.observer}, device);
      Readings readings;
      watch.begin({});
      static_cast<void>(watch.end(Window{}, readings));
    }
  }
  return {};
}

DeviceList WorkerSession::carry_out(const verbs::Probe& request) {
  return backend(request.backend).devices();
}

Done WorkerSession::carry_out(const verbs::Open& request) {
  prepared_.clear();
  problems_.clear();
  backend_ = &backend(request.backend);
  session_ = not_null(backend_->open(request.device.id, request.options), "Backend::open");
  watch_ = std::make_unique<LaneWatch>(observers_of(plugins_), request.device);
  return {};
}

ProblemReply WorkerSession::carry_out(const verbs::Problem& request) {
  if (session_ == nullptr) throw std::logic_error("problem before open");
  const Workload& asked = workload(request.stated);
  HeldProblem held;
  held.buffers = std::make_unique<ProblemBuffers>(
      *session_, asked, asked.problem(request.stated.parameters, request.stated.layout), request.seeds,
      request.sets, request.spare);
  for (const std::filesystem::path& file : request.references) held.references.push_back({file, {}});
  const std::uint64_t bytes = held.buffers->allocated_bytes();
  problems_[request.id] = std::move(held);
  return {bytes};
}

std::unique_ptr<Prepared> WorkerSession::make_ready(ProblemBuffers& buffers, const Candidate& one,
                                                    const std::string& label) {
  const VariantInfo& info = variant(buffers.spec().workload, one.variant);
  return not_null(buffers.device().prepare({&info, one.tunables, one.plan, label}), "Problem::prepare");
}

PrepareReply WorkerSession::carry_out(const verbs::Prepare& request) {
  HeldProblem& problem = problems_.at(request.problem);
  ProblemBuffers& buffers = *problem.buffers;
  const Stopwatch stopwatch;
  std::vector<Contender> contenders;
  for (const Candidate& one : request.candidates) {
    contenders.push_back(
        {to_text(Configuration{one.variant, one.tunables}),
         [&] { return make_ready(buffers, one, request.label); },
         [&](Prepared& prepared) {
           buffers.poison_outputs(0, nan_byte);
           buffers.restore_inouts(0);
           prepared.run(0);
           return problem.references.empty() ||
                  buffers.verify(0, request.precision, problem.references.front().load()).ok;
         }});
  }
  if (contenders.empty()) throw Failure(FailureKind::unsupported, "there is no configuration to try");
  TrialOutcome outcome = quickest(contenders);
  HeldPrepared held;
  held.problem = request.problem;
  held.precision = request.precision;
  held.prepared = std::move(outcome.prepared);
  PrepareReply reply{.picked = outcome.picked};
  if (!outcome.times.empty()) reply.notes["trial"] = outcome.times;
  reply.resources = held.prepared->resources();
  reply.resources["device_bytes"] = static_cast<double>(buffers.allocated_bytes());
  reply.resources["prepare_ns"] = stopwatch.seconds() * 1e9;
  reply.notes.merge(held.prepared->notes());
  prepared_[request.id] = std::move(held);
  return reply;
}

Done WorkerSession::carry_out(const verbs::Drop& request) {
  std::erase_if(prepared_, [&](const auto& entry) { return entry.second.problem == request.problem; });
  problems_.erase(request.problem);
  return {};
}

Done WorkerSession::carry_out(const verbs::Reference& request) {
  const Workload& asked = workload(request.stated);
  save_reference(
      asked.reference(asked.problem(request.stated.parameters, request.stated.layout), request.seed),
      request.file);
  return {};
}

Done WorkerSession::carry_out(const verbs::Outputs& request) {
  HeldPrepared& held = prepared_.at(request.prepared);
  ProblemBuffers& buffers = *problems_.at(held.problem).buffers;
  save_reference(buffers.outputs_as_reference(0, [&] { held.prepared->run(0); }), request.file);
  return {};
}

CompileReply WorkerSession::carry_out(const verbs::Compile& request) {
  const Stopwatch stopwatch;
  CompileResult result =
      backend(request.backend).compile(request.plan, request.architecture, request.options);
  const double ns = result.cached ? 0 : stopwatch.seconds() * 1e9;
  return {std::move(result.resources), std::move(result.log), ns};
}

}  // namespace benchctl
