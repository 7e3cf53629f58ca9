#include "worker/channel.hpp"

#include "worker/frames.hpp"
#include "worker/session.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace benchctl {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// The reply in a message. Throws the Failure that it tells of instead, or json::exception if it is
/// neither.
json unpack(json message) {
  if (message.contains("reply")) return with_valid_text(std::move(message.at("reply")));
  const json& failure = message.at("failure");
  const auto kind = parse_enum<FailureKind>(failure.at("kind").get<std::string>());
  throw Failure(kind.value_or(FailureKind::launch_error),
                with_valid_text(failure.at("text")).get<std::string>(), failure.at("sticky").get<bool>());
}

class ProcessChannel : public Channel {
 public:
  ProcessChannel(const fs::path& program, const std::vector<std::string>& arguments)
      : process_(program, arguments) {}

  json call(Verb verb, const json& arguments, std::chrono::duration<double> timeout) override {
    const std::string name(verb);
    std::optional<json> reply;
    try {
      Deadline deadline(timeout);
      if (write_frame(process_.socket(), {{"verb", name}, {"arguments", arguments}}, deadline)) {
        reply = read_frame(process_.socket(), deadline);
      }
    } catch (const ConnectionLost& lost) {
      throw WorkerLost(Status::crashed, fmt::format("the worker died during '{}': {}{}", name,
                                                    process_.ending(lost.what()), process_.last_output()));
    }
    if (!reply) {
      process_.kill();
      throw WorkerLost(Status::timeout,
                       fmt::format("'{}' did not end within {:g} s; the worker was stopped{}", name,
                                   timeout.count(), process_.last_output()));
    }
    try {
      return unpack(std::move(*reply));
    } catch (const json::exception&) {
      process_.kill();
      throw WorkerLost(Status::crashed,
                       fmt::format("malformed reply from the worker to '{}'; it was killed{}", name,
                                   process_.last_output()));
    }
  }

  std::string end(double seconds) override {
    if (process_.ends_well(seconds)) return {};
    return process_.ending("it did not end") + process_.last_output();
  }

 private:
  WorkerProcess process_;
};

json failure_message(FailureKind kind, const std::string& text, bool sticky) {
  return {{"failure", {{"kind", std::string(to_string(kind))}, {"text", text}, {"sticky", sticky}}}};
}

json serve_one(const Service& service, const json& request) {
  try {
    return {{"reply", service(request.at("verb").get<std::string>(), request.at("arguments"))}};
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
                           "the plugin threw something that is not a std::exception", true);
  }
}

class LocalChannel : public Channel {
 public:
  explicit LocalChannel(const PluginHost& plugins) : session(plugins) {}
  json call(Verb verb, const json& arguments, std::chrono::duration<double>) override {
    const auto service = [&](Verb asked, const json& with) { return session.handle(asked, with); };
    return unpack(serve_one(service, {{"verb", verb}, {"arguments", arguments}}));
  }

  WorkerSession session;
};

}  // namespace

std::unique_ptr<Channel> ProcessChannelFactory::start(const std::vector<fs::path>& libraries) {
  std::vector<std::string> arguments{service_};
  for (const fs::path& library : libraries) arguments.push_back(library.string());
  if (preload_.empty()) return std::make_unique<ProcessChannel>(program_, arguments);
  arguments.insert(arguments.begin(), {"LD_PRELOAD=" + preload_.string(), program_.string()});
  return std::make_unique<ProcessChannel>("/usr/bin/env", arguments);
}

std::unique_ptr<Channel> LocalChannelFactory::start(const std::vector<fs::path>& /*libraries*/) {
  auto channel = std::make_unique<LocalChannel>(plugins_);
  session_ = &channel->session;
  return channel;
}

void serve(const Service& service, int socket) {
  Deadline no_deadline;
  try {
    while (true) {
      const std::optional<json> request = read_frame(socket, no_deadline);
      static_cast<void>(write_frame(socket, serve_one(service, *request), no_deadline));
    }
  } catch (const ConnectionLost&) {
    // The coordinator is done with this worker, or dead.
  }
}

}  // namespace benchctl
