#include "engine/reference_worker.hpp"

#include "engine/stopwatch.hpp"
#include "model/json.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

namespace benchctl {

using nlohmann::json;

namespace {

json problem_of(const Point& point, std::uint64_t seed) {
  return {{"workload", point.workload},
          {"parameters", to_json(point.problem)},
          {"layout", point.layout},
          {"seed", seed}};
}

}  // namespace

void ReferenceWorker::start() {
  channel_ = factory_.start({});
  channel_->call(Verb::define, {{"variants", json::array()}, {"workloads", workloads_.definitions()}},
                 std::chrono::duration<double>(timeout_seconds_));
}

double ReferenceWorker::ask(const json& problem, const std::filesystem::path& file) {
  const std::scoped_lock lock(asking_);
  json message = problem;
  message["file"] = file.string();
  const auto ask_once = [&] {
    try {
      if (channel_ == nullptr) start();
      const Stopwatch watch;
      channel_->call(Verb::reference, message, std::chrono::duration<double>(10 * timeout_seconds_));
      return watch.seconds();
    } catch (const WorkerLost&) {
      channel_.reset();
      throw;
    }
  };
  return retry(ask_once, [&](const WorkerLost&) { return !interrupted_(); });
}

double ReferenceWorker::compute(const Point& point, std::uint64_t seed, const std::filesystem::path& file) {
  const json problem = problem_of(point, seed);
  const auto begun = std::ranges::find(begun_, problem.dump(), &Begun::problem);
  if (begun == begun_.end()) return ask(problem, file);
  Begun taken = std::move(*begun);
  begun_.erase(begun);
  const double seconds = taken.seconds.get();
  if (taken.file != file) std::filesystem::rename(taken.file, file);
  return seconds;
}

void ReferenceWorker::begin(const Point& point, std::uint64_t seed, const std::filesystem::path& file) {
  const json problem = problem_of(point, seed);
  begun_.push_back({problem.dump(), file,
                    std::async(std::launch::async, [this, problem, file] { return ask(problem, file); })});
}

}  // namespace benchctl
