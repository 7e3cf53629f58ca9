#include "engine/channel.hpp"

#include "engine/frames.hpp"
#include "engine/worker_process.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace benchctl {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

class ProcessChannel : public Channel {
 public:
  ProcessChannel(const fs::path& program, const std::vector<fs::path>& plugin_path, fs::path stderr_file)
      : process_(program, arguments(plugin_path), std::move(stderr_file)) {}

  json call(Verb verb, const json& arguments, std::chrono::duration<double> timeout) override {
    const std::string name(to_string(verb));
    std::optional<json> answer;
    try {
      write_frame(process_.socket(), {{"verb", name}, {"arguments", arguments}});
      const auto deadline = std::chrono::steady_clock::now() +
                            std::chrono::duration_cast<std::chrono::steady_clock::duration>(timeout);
      answer = read_frame(process_.socket(), deadline);
    } catch (const ConnectionLost&) {
      throw WorkerLost(Status::crashed, fmt::format("the worker died during '{}': {}{}", name,
                                                    process_.ending(), process_.spoken()));
    }
    if (!answer) {
      process_.kill();
      throw WorkerLost(Status::timeout,
                       fmt::format("'{}' did not end within {:g} s; the worker was stopped{}", name,
                                   timeout.count(), process_.spoken()));
    }
    if (answer->contains("answer")) return answer->at("answer");
    const json& failure = answer->at("failure");
    throw Failure(parse_enum<FailureKind>(failure.at("kind").get<std::string>()).value(),
                  failure.at("text").get<std::string>(), failure.at("sticky").get<bool>());
  }

 private:
  static std::vector<std::string> arguments(const std::vector<fs::path>& plugin_path) {
    std::vector<std::string> all;
    for (const fs::path& folder : plugin_path) {
      if (!fs::is_directory(folder)) continue;  // the program's own folders need not be there
      all.emplace_back("--plugin-path");
      all.push_back(folder.string());
    }
    all.emplace_back("worker");
    return all;
  }

  WorkerProcess process_;
};

class LocalChannel : public Channel {
 public:
  explicit LocalChannel(const PluginHost& plugins) : session_(plugins) {}
  json call(Verb verb, const json& arguments, std::chrono::duration<double>) override {
    try {
      return session_.handle(verb, arguments);
    } catch (const Failure&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw Failure(FailureKind::out_of_memory, "the host ran out of memory");
    } catch (const ProblemError& error) {
      throw Failure(FailureKind::launch_error, error.what());
    } catch (const std::exception& error) {
      throw Failure(FailureKind::launch_error, fmt::format("the plugin failed: {}", error.what()));
    }
  }

 private:
  WorkerSession session_;
};

json failure_message(FailureKind kind, const std::string& text, bool sticky) {
  return {{"failure", {{"kind", std::string(to_string(kind))}, {"text", text}, {"sticky", sticky}}}};
}

json serve_one(WorkerSession& session, const json& request) {
  try {
    const auto verb = parse_enum<Verb>(request.at("verb").get<std::string>());
    if (!verb) throw std::invalid_argument("unknown verb " + request.at("verb").dump());
    return {{"answer", session.handle(*verb, request.at("arguments"))}};
  } catch (const Failure& failure) {
    return failure_message(failure.kind(), failure.what(), failure.sticky());
  } catch (const std::bad_alloc&) {
    return failure_message(FailureKind::out_of_memory, "the host ran out of memory", false);
  } catch (const ProblemError& error) {  // of a workload, no fault of the plugin
    return failure_message(FailureKind::launch_error, error.what(), false);
  } catch (const std::exception& error) {
    return failure_message(FailureKind::launch_error, fmt::format("the plugin failed: {}", error.what()),
                           true);
  } catch (...) {
    return failure_message(FailureKind::launch_error,
                           "the plugin threw something that is no std::exception", true);
  }
}

}  // namespace

ProcessChannelFactory::ProcessChannelFactory(fs::path program, std::vector<fs::path> plugin_path,
                                             fs::path folder)
    : program_(std::move(program)), plugin_path_(std::move(plugin_path)), folder_(std::move(folder)) {}

std::unique_ptr<Channel> ProcessChannelFactory::start() {
  return std::make_unique<ProcessChannel>(program_, plugin_path_,
                                          folder_ / fmt::format("worker-{}.log", ++started_));
}

std::unique_ptr<Channel> LocalChannelFactory::start() { return std::make_unique<LocalChannel>(plugins_); }

void serve(WorkerSession& session, int socket) {
  try {
    while (true) {
      const std::optional<json> request = read_frame(socket, std::nullopt);
      write_frame(socket, serve_one(session, *request));
    }
  } catch (const ConnectionLost&) {
    // The coordinator is done with this worker, or dead.
  }
}

}  // namespace benchctl
