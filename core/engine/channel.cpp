#include "engine/channel.hpp"

#include "engine/frames.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <csignal>

#include <fmt/format.h>

#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/io.hpp>
#include <boost/process/posix.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

namespace benchctl {

namespace fs = std::filesystem;
namespace process = boost::process;
using nlohmann::json;

namespace {

constexpr int worker_socket = 3;
constexpr std::size_t tail_bytes = 2000;

/// Runs between fork and exec of a worker.
struct LiveWithCoordinator : process::extend::handler {
  template <class Executor>
  void on_exec_setup(Executor&) const {
    // A worker must not outlive a coordinator that was killed, whatever it is doing.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Ctrl-C, `timeout` and batch systems signal the whole process group; what that means is the
    // coordinator's to decide, and a verb in flight must not look like a crash.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_IGN);
  }
};

std::string tail_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return {};
  in.seekg(0, std::ios::end);
  const auto size = static_cast<std::size_t>(in.tellg());
  const std::size_t length = std::min(size, tail_bytes);
  in.seekg(static_cast<std::streamoff>(size - length));
  std::string text(length, '\0');
  in.read(text.data(), static_cast<std::streamsize>(length));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

class ProcessChannel : public Channel {
 public:
  ProcessChannel(const fs::path& program, const std::vector<fs::path>& plugin_path, fs::path stderr_file)
      : stderr_file_(std::move(stderr_file)) {
    int ends[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
      throw std::runtime_error("cannot make a socket pair for a worker");
    }
    socket_ = ends[0];
    std::vector<std::string> arguments;
    for (const fs::path& folder : plugin_path) {
      arguments.emplace_back("--plugin-path");
      arguments.push_back(folder.string());
    }
    arguments.emplace_back("worker");
    try {
      child_ = process::child(process::exe = program.string(), process::args = arguments,
                              process::std_in<process::null, process::std_out> process::null,
                              process::std_err > stderr_file_.string(),
                              process::posix::fd.bind(worker_socket, ends[1]), LiveWithCoordinator{});
    } catch (...) {
      close(ends[0]);
      close(ends[1]);
      throw;
    }
    close(ends[1]);
  }

  ~ProcessChannel() override {
    close(socket_);  // the worker's loop ends at the end of its input
    std::error_code ignored;
    if (child_.valid() && !child_.wait_for(std::chrono::seconds(2), ignored)) kill_child();
    fs::remove(stderr_file_, ignored);
  }

  json call(Verb verb, const json& arguments, std::chrono::duration<double> timeout) override {
    const std::string name(to_string(verb));
    std::optional<json> answer;
    try {
      write_frame(socket_, {{"verb", name}, {"arguments", arguments}});
      const auto deadline = std::chrono::steady_clock::now() +
                            std::chrono::duration_cast<std::chrono::steady_clock::duration>(timeout);
      answer = read_frame(socket_, deadline);
    } catch (const ConnectionLost&) {
      throw WorkerLost(Status::crashed,
                       fmt::format("the worker died during '{}': {}{}", name, ending(), spoken()));
    }
    if (!answer) {
      kill_child();
      throw WorkerLost(Status::timeout,
                       fmt::format("'{}' did not end within {:g} s; the worker was stopped{}", name,
                                   timeout.count(), spoken()));
    }
    if (answer->contains("answer")) return answer->at("answer");
    const json& failure = answer->at("failure");
    throw Failure(parse_enum<FailureKind>(failure.at("kind").get<std::string>()).value(),
                  failure.at("text").get<std::string>(), failure.at("sticky").get<bool>());
  }

 private:
  void kill_child() {
    std::error_code ignored;
    child_.terminate(ignored);
    child_.wait(ignored);
  }

  /// How the child ended, in words.
  std::string ending() {
    std::error_code ignored;
    if (!child_.wait_for(std::chrono::seconds(2), ignored)) {
      kill_child();
      return "it closed its connection";
    }
    const int status = child_.native_exit_code();
    if (WIFSIGNALED(status)) {
      const int signal = WTERMSIG(status);
      return fmt::format("signal {} ({})", signal, strsignal(signal));
    }
    return fmt::format("exit code {}", WEXITSTATUS(status));
  }

  [[nodiscard]] std::string spoken() const {
    const std::string tail = tail_of(stderr_file_);
    return tail.empty() ? "" : "; it last wrote: " + tail;
  }

  fs::path stderr_file_;
  int socket_ = -1;
  process::child child_;
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
