#include "measure/execution.hpp"

#include "gpu/sampling.hpp"

#include "measure/graph_capture.hpp"
#include "measure/limits.hpp"

namespace benchctl::cuda {

PreparedExecution::~PreparedExecution() { context().make_current_quietly(); }

double PreparedExecution::run(std::uint32_t set) {
  context().make_current();
  const auto start = gpu::Clock::now();
  enqueue(set);
  context().synchronize("running " + title());
  return gpu::since(start);
}

SampleBlock PreparedExecution::sample(const SampleRequest& request) {
  context().make_current();
  gpu::check_request(request, problem_.sets());
  const std::uint32_t batch = request.batch;
  if (request.cache == CacheMode::cold) static_cast<void>(context().evictor());
  SampleBlock block =
      request.basis == Basis::device ? sample_device(request, batch) : sample_host(request, batch);
  block.batch = batch;
  return block;
}

CUgraphExec PreparedExecution::graph(const SampleRequest& request, std::uint64_t first,
                                     std::uint32_t executions) {
  const std::uint32_t set = set_of(request, first);
  GraphExec& entry = graphs_[{set, executions, request.sets}];
  if (!entry) {
    entry = capture_graph(context().driver(), context().stream(), [&] {
      for (std::uint32_t i = 0; i < executions; ++i) enqueue(set_of(request, first + i));
    });
  }
  return entry.get();
}

void PreparedExecution::enqueue_batch(const SampleRequest& request, std::uint64_t first,
                                      std::uint32_t executions) {
  if (request.launch == LaunchMode::graph) {
    const DriverApi& driver = context().driver();
    driver.check(driver.graph_launch(graph(request, first, executions), context().stream()),
                 "launching a graph of " + title());
    return;
  }
  for (std::uint32_t i = 0; i < executions; ++i) enqueue(set_of(request, first + i));
}

void PreparedExecution::capture_graphs(const SampleRequest& request, std::uint32_t executions) {
  if (request.launch != LaunchMode::graph) return;
  const std::uint64_t total = std::uint64_t{request.count} * request.batch;
  for (std::uint64_t first = 0; first < total; first += executions) {
    static_cast<void>(graph(request, first, executions));
    if (first / executions >= request.sets) break;  // from here on the same ones come again
  }
}

std::string PreparedExecution::gate_objection(const SampleRequest& request, std::uint32_t batch) {
  if (std::string objection = own_gate_objection(); !objection.empty()) return objection;
  // A graph is one operation of the stream, however many nodes it has.
  const std::uint64_t queued =
      request.launch == LaunchMode::graph ? 1 : std::uint64_t{batch} * operations();
  if (request.launch == LaunchMode::stream && (batch > max_gated_batch || queued > max_gated_operations)) {
    return std::to_string(batch) + " executions of " + std::to_string(operations()) +
           " operations are too many to queue behind a gate";
  }
  return context().gate().objection();
}

SampleBlock PreparedExecution::sample_device(const SampleRequest& request, std::uint32_t batch) {
  if (!start_) start_ = make_event(context().driver());
  if (!stop_) stop_ = make_event(context().driver());
  capture_graphs(request, batch);
  SampleBlock block;
  std::string objection = gate_objection(request, batch);
  if (objection.empty()) {
    block.ns = take_device_samples(request, batch, true);
    objection = context().gate().objection();
  }
  // One block is of one kind: what was taken before the gate failed is dropped.
  block.gated = objection.empty();
  if (!block.gated) {
    block.ns = take_device_samples(request, batch, false);
    block.note = "not gated: " + objection;
  }
  return block;
}

std::vector<double> PreparedExecution::take_device_samples(const SampleRequest& request,
                                                           std::uint32_t batch, bool gated) {
  const DriverApi& driver = context().driver();
  const CUstream stream = context().stream();
  StreamGate& gate = context().gate();
  std::vector<double> samples;
  samples.reserve(request.count);
  for (std::uint32_t i = 0; i < request.count; ++i) {
    // Before the gate: it runs while the rest is being queued.
    if (request.cache == CacheMode::cold) context().evictor().enqueue();
    if (gated && !gate.close()) return {};
    {
      const GateOpener opener(gate);
      driver.check(driver.event_record(start_.get(), stream), "recording the start event");
      enqueue_batch(request, std::uint64_t{i} * batch, batch);
      driver.check(driver.event_record(stop_.get(), stream), "recording the stop event");
    }
    driver.check(driver.event_synchronize(stop_.get()), "running " + title());
    if (gated && !gate.objection().empty()) return {};
    float milliseconds = 0;
    driver.check(driver.event_elapsed_time(&milliseconds, start_.get(), stop_.get()),
                 "reading the event times");
    samples.push_back(static_cast<double>(milliseconds) * 1e6 / batch);
  }
  return samples;
}

SampleBlock PreparedExecution::sample_host(const SampleRequest& request, std::uint32_t batch) {
  const bool end_to_end = request.basis == Basis::end_to_end;
  HostMirror* mirror = end_to_end ? &problem_.mirror(request.set) : nullptr;
  const std::string doing = "running " + title();
  // Each execution is waited for by itself; a graph is one launch of the whole batch, unless copies
  // surround every execution.
  const bool whole_batch = request.launch == LaunchMode::graph && !end_to_end;
  const std::uint32_t rounds = whole_batch ? 1 : batch;
  const std::uint32_t executions = whole_batch ? batch : 1;
  capture_graphs(request, executions);
  const auto prepare = [&](std::uint64_t) {
    if (request.cache != CacheMode::cold) return;
    context().evictor().enqueue();
    context().synchronize("emptying the L2 cache");
  };
  return gpu::timed_by_host(request, prepare, [&](std::uint64_t first) {
    for (std::uint32_t round = 0; round < rounds; ++round) {
      if (mirror != nullptr) mirror->enqueue_upload();
      enqueue_batch(request, first + std::uint64_t{round} * executions, executions);
      if (mirror != nullptr) mirror->enqueue_download();
      context().synchronize(doing);
    }
  });
}

}  // namespace benchctl::cuda
