#include "engine/compile_pool.hpp"

#include "model/json.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

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

CompilePool::CompilePool(ChannelFactory& factory, std::size_t workers, SessionOptions options,
                         double timeout_seconds)
    : factory_(factory),
      workers_(workers),
      options_(std::move(options)),
      timeout_seconds_(timeout_seconds) {}

std::vector<std::optional<CompileOutcome>> CompilePool::compile(const std::vector<CompileJob>& jobs,
                                                                const std::function<bool()>& stopped) {
  std::vector<std::string> keys;
  std::map<std::string, json> fresh;
  for (const CompileJob& job : jobs) {
    json message = {{"backend", job.backend},
                    {"architecture", job.architecture},
                    {"plan", to_json(job.plan)},
                    {"cache_dir", options_.cache_dir},
                    {"device_debug", options_.device_debug}};
    // Grid and scratch do not reach the compiler: a plan that differs in them alone is the same code.
    message["plan"].erase("scratch");
    for (json& launch : message["plan"]["launches"]) launch.erase("grid");
    keys.push_back(message.dump());
    message["plan"] = to_json(job.plan);
    if (!done_.contains(keys.back())) fresh.emplace(keys.back(), std::move(message));
  }
  const std::vector<std::pair<std::string, json>> todo(fresh.begin(), fresh.end());
  // A worker that dies takes one job with it; the rest is done by its successor. Channels are started by
  // this thread, since a worker process dies with the thread that started it.
  std::vector<std::optional<CompileOutcome>> outcomes(todo.size());
  std::mutex asking;
  const auto goes_on = [&] {
    const std::scoped_lock lock(asking);
    return !stopped();
  };
  while (goes_on() && std::ranges::any_of(outcomes, [](const auto& outcome) { return !outcome; })) {
    const std::size_t used = std::min(workers_, todo.size());
    while (channels_.size() < used) channels_.push_back(factory_.start());
    std::atomic<std::size_t> next = 0;
    {
      std::vector<std::jthread> threads;
      for (std::size_t worker = 0; worker < used; ++worker) {
        threads.emplace_back([&, worker] {
          for (std::size_t i = next++; i < todo.size() && channels_[worker] != nullptr && goes_on();
               i = next++) {
            if (!outcomes[i]) outcomes[i] = run(channels_[worker], todo[i].second);
          }
        });
      }
    }
    std::erase(channels_, nullptr);
  }
  for (std::size_t i = 0; i < todo.size(); ++i) {
    if (outcomes[i]) done_[todo[i].first] = *outcomes[i];
  }
  std::vector<std::optional<CompileOutcome>> result;
  for (const std::string& key : keys) {
    const auto found = done_.find(key);
    result.push_back(found == done_.end() ? std::nullopt : std::optional(found->second));
  }
  return result;
}

CompileOutcome CompilePool::run(std::unique_ptr<Channel>& channel, const json& job) const {
  try {
    static_cast<void>(channel->call(Verb::compile, job, std::chrono::duration<double>(timeout_seconds_)));
    return {};
  } catch (const Failure& failure) {
    return {status_of(failure), failure.what()};
  } catch (const WorkerLost& lost) {
    channel.reset();
    return {lost.status(), lost.what()};
  }
}

}  // namespace benchctl
