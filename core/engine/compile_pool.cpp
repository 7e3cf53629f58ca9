#include "engine/compile_pool.hpp"

#include "model/json.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <future>
#include <nlohmann/json.hpp>

namespace benchctl {

using nlohmann::json;

Status status_of(const Failure& failure) {
  switch (failure.kind()) {
    case FailureKind::unsupported:
    case FailureKind::no_device:
      return Status::skipped;
    case FailureKind::compile_error:
      return Status::compile_error;
    case FailureKind::launch_error:
      return Status::launch_error;
    case FailureKind::out_of_memory:
      return Status::out_of_memory;
  }
  return Status::launch_error;
}

namespace {

/// 0 where a worker tells no time.
double compile_time(const json& reply) {
  const auto told = reply.find("compile_ns");
  if (told == reply.end() || !told->is_number()) return 0;
  const auto time = told->get<double>();
  return std::isfinite(time) && time > 0 ? time : 0;
}

/// Figures alone: a plugin may say anything.
Resources resources_in(const json& reply) {
  Resources resources;
  const auto told = reply.find("resources");
  if (told == reply.end() || !told->is_object()) return resources;
  for (const auto& [id, value] : told->items()) {
    if (value.is_number() && std::isfinite(value.get<double>())) resources[id] = value.get<double>();
  }
  return resources;
}

std::string log_in(const json& reply) {
  const auto told = reply.find("log");
  return told != reply.end() && told->is_string() ? told->get<std::string>() : "";
}

}  // namespace

CompilePool::CompilePool(ChannelFactory& factory, std::size_t workers, SessionOptions options,
                         double timeout_seconds)
    : factory_(factory),
      workers_(workers),
      options_(std::move(options)),
      timeout_seconds_(timeout_seconds) {}

std::vector<std::optional<CompileOutcome>> CompilePool::compile(const std::vector<CompileJob>& jobs,
                                                                const std::function<bool()>& stopped) {
  std::vector<std::string> keys;
  std::map<std::string, std::map<std::string, Task>> fresh;  // by backend and key
  for (const CompileJob& job : jobs) {
    json message = {{"backend", job.backend},
                    {"architecture", job.architecture},
                    {"plan", to_json(job.plan)},
                    {"cache_dir", options_.cache_dir},
                    {"device_debug", options_.device_debug}};
    // Grid, scratch and scalars do not reach the compiler: a plan that differs in them alone is the same
    // code.
    message["plan"].erase("scratch");
    message["plan"].erase("scalars");
    for (json& launch : message["plan"]["launches"]) launch.erase("grid");
    keys.push_back(message.dump());
    message["plan"] = to_json(job.plan);
    if (!done_.contains(keys.back())) {
      fresh[job.backend].emplace(keys.back(), Task{.job = &job, .message = std::move(message)});
    }
  }
  std::mutex asking;
  const auto keep_going = [&] {
    const std::scoped_lock lock(asking);
    return !stopped();
  };
  for (auto& [backend, todo] : fresh) {
    std::vector<Task> tasks;
    for (auto& [key, task] : todo) tasks.push_back(std::move(task));
    work_on(tasks, keep_going);
    auto task = tasks.begin();
    for (const auto& [key, moved] : todo) {
      if (task->outcome) done_[key] = *task->outcome;
      ++task;
    }
  }
  std::vector<std::optional<CompileOutcome>> result;
  for (const std::string& key : keys) {
    const auto found = done_.find(key);
    result.push_back(found == done_.end() ? std::nullopt : std::optional(found->second));
  }
  return result;
}

void CompilePool::work_on(std::vector<Task>& tasks, const std::function<bool()>& keep_going) {
  auto& channels = channels_[tasks.front().job->backend];
  const std::size_t used = std::min(workers_, tasks.size());
  if (channels.size() < used) channels.resize(used);
  std::atomic<std::size_t> next = 0;
  std::vector<std::future<void>> workers;
  for (std::size_t worker = 0; worker < used; ++worker) {
    workers.push_back(std::async(std::launch::async, [&, worker] {
      for (std::size_t i = next++; i < tasks.size() && keep_going(); i = next++) {
        tasks[i].outcome = run(channels[worker], tasks[i], keep_going);
      }
    }));
  }
  for (const auto& worker : workers) worker.wait();
  for (auto& worker : workers) worker.get();
}

std::optional<CompileOutcome> CompilePool::run(std::unique_ptr<Channel>& channel, const Task& task,
                                               const std::function<bool()>& keep_going) {
  bool stopped = false;
  const auto compile_once = [&] {
    try {
      if (channel == nullptr) {
        const std::scoped_lock lock(starting_);
        channel = factory_.start(task.job->libraries);
      }
      const json reply =
          channel->call(Verb::compile, task.message, std::chrono::duration<double>(timeout_seconds_));
      return CompileOutcome{Status::ok, "", compile_time(reply), resources_in(reply),
                            keeps_logs_ ? log_in(reply) : ""};
    } catch (const WorkerLost&) {
      channel.reset();
      throw;
    }
  };
  try {
    return retry(compile_once, [&](const WorkerLost&) {
      stopped = !keep_going();
      return !stopped;
    });
  } catch (const Failure& failure) {
    return CompileOutcome{status_of(failure), failure.what()};
  } catch (const WorkerLost& lost) {
    if (stopped) return std::nullopt;
    return CompileOutcome{lost.status(), lost.what()};
  }
}

}  // namespace benchctl
