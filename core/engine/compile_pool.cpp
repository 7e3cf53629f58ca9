#include "engine/compile_pool.hpp"

#include <benchctl/digest.hpp>

#include <algorithm>
#include <atomic>
#include <future>
#include <nlohmann/json.hpp>

namespace benchctl {

CompilePool::CompilePool(ChannelFactory& factory, std::size_t workers, SessionOptions options,
                         double timeout_seconds)
    : factory_(factory),
      workers_(workers),
      options_(std::move(options)),
      timeout_seconds_(timeout_seconds) {}

std::string CompilePool::key_of(const CompileJob& job) {
  // Grid, scratch, scalars, extras and constants do not reach the compiler: a plan that differs in them
  // alone is the same code.
  verbs::Compile code{job.backend, job.architecture, job.plan, {}};
  code.plan.scratch.clear();
  code.plan.scalars.clear();
  for (PlannedLaunch& launch : code.plan.launches) {
    launch.grid = {};
    launch.extras.clear();
    launch.constants.clear();
  }
  return digest_text(encode(code).dump());
}

std::vector<std::optional<CompileOutcome>> CompilePool::compile(const std::vector<CompileJob>& jobs,
                                                                const std::function<bool()>& stopped) {
  std::vector<std::string> keys;
  std::map<std::string, std::map<std::string, Task>> fresh;  // by backend and key
  for (const CompileJob& job : jobs) {
    keys.push_back(key_of(job));
    if (!done_.contains(keys.back())) fresh[job.backend].emplace(keys.back(), Task{&job});
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
  auto& clients = clients_[tasks.front().job->backend];
  const std::size_t used = std::min(workers_, tasks.size());
  while (clients.size() < used) clients.emplace_back(factory_, tasks.front().job->libraries);
  std::atomic<std::size_t> next = 0;
  std::vector<std::future<void>> workers;
  for (std::size_t worker = 0; worker < used; ++worker) {
    workers.push_back(std::async(std::launch::async, [&, worker] {
      for (std::size_t i = next++; i < tasks.size() && keep_going(); i = next++) {
        tasks[i].outcome = run(clients[worker], *tasks[i].job, keep_going);
      }
    }));
  }
  for (const auto& worker : workers) worker.wait();
  for (auto& worker : workers) worker.get();
}

std::optional<CompileOutcome> CompilePool::run(Client& client, const CompileJob& job,
                                               const std::function<bool()>& keep_going) {
  bool stopped = false;
  const auto compile_once = [&] {
    {
      const std::scoped_lock lock(starting_);
      client.start();
    }
    CompileReply reply =
        client.ask(verbs::Compile{job.backend, job.architecture, job.plan, options_}, timeout_seconds_);
    if (!keeps_logs_) reply.log.clear();
    return CompileOutcome{Status::ok, "", reply.compile_ns, std::move(reply.resources),
                          std::move(reply.log)};
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
