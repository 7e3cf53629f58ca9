#include "engine/worker_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/io.hpp>
#include <boost/process/posix.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

namespace benchctl {

namespace fs = std::filesystem;
namespace process = boost::process;

namespace {

constexpr int worker_socket = 3;
constexpr std::size_t tail_bytes = 2000;
/// What a process that has nothing more to do gets to end by itself.
constexpr double patience_seconds = 2;

/// Runs between fork and exec of a worker.
struct LiveWithCoordinator : process::extend::handler {
  template <class Executor>
  void on_exec_setup(Executor&) const {
    // A worker must not outlive a coordinator that was killed, whatever it is doing.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // A group of its own, with all that its plugin starts: to be killed together.
    setpgid(0, 0);
    // What Ctrl-C, `timeout` and batch systems mean is the coordinator's to decide, and a verb in flight
    // must not look like a crash.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_IGN);
  }
};

void end_group(pid_t leader) {
  // Anything below is not a group of a worker but every process, or our own group.
  if (leader > 1) kill(-leader, SIGKILL);
}

/// The worker processes that there are, so that others can be told from them. Processes that a plugin
/// started become children of this one when their worker ends.
class Family {
 public:
  static Family& of_this_process() {
    static Family family;
    return family;
  }

  /// Makes a process with `start` and takes it in.
  void take_in(const std::function<pid_t()>& start) {
    const std::scoped_lock lock(mutex_);
    workers_.insert(start());
  }

  /// A worker has ended: ends what it has left behind.
  void bury(pid_t worker) {
    const std::scoped_lock lock(mutex_);
    workers_.erase(worker);
    end_group(worker);
    // Those that left its group. Their own children come to light when they are gone.
    constexpr int generations = 100;
    for (int i = 0; i < generations && end_strangers(); ++i) {
    }
  }

 private:
  Family() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

  /// False if there are none.
  bool end_strangers() const {
    bool any = false;
    std::error_code ignored;
    for (const auto& thread : fs::directory_iterator("/proc/self/task", ignored)) {
      std::ifstream children(thread.path() / "children");
      for (pid_t child = 0; children >> child;) {
        if (workers_.contains(child)) continue;
        kill(child, SIGKILL);
        any = waitpid(child, nullptr, 0) == child || any;
      }
    }
    return any;
  }

  std::mutex mutex_;
  std::set<pid_t> workers_;
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

}  // namespace

struct WorkerProcess::Child {
  process::child process;

  /// Waits up to `seconds` for its end. Looks again and again: Boost's own wait with a limit sleeps through
  /// all of it when the process ended just before.
  [[nodiscard]] bool ends_within(double seconds) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    std::error_code ignored;
    auto pause = std::chrono::microseconds(100);
    while (process.running(ignored)) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, std::chrono::microseconds(10'000));
    }
    return true;
  }
};

WorkerProcess::WorkerProcess(const fs::path& program, const std::vector<std::string>& arguments,
                             fs::path stderr_file)
    : stderr_file_(std::move(stderr_file)), child_(std::make_unique<Child>()) {
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw WorkerNotStarted(fmt::format("cannot start a worker: {}", std::strerror(errno)));
  }
  socket_ = ends[0];
  try {
    // Boost tells nothing of a file that it cannot make.
    const int log = open(stderr_file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (log < 0) throw std::runtime_error(stderr_file_.string() + ": " + std::strerror(errno));
    close(log);
    Family::of_this_process().take_in([&] {
      child_->process =
          process::child(process::exe = program.string(), process::args = arguments,
                         process::std_in<process::null, process::std_out> process::null,
                         process::std_err > stderr_file_.string(),
                         process::posix::fd.bind(worker_socket, ends[1]), LiveWithCoordinator{});
      return child_->process.id();
    });
  } catch (const std::exception& error) {
    close(ends[0]);
    close(ends[1]);
    throw WorkerNotStarted(fmt::format("cannot start a worker: {}", error.what()));
  }
  close(ends[1]);
}

WorkerProcess::~WorkerProcess() {
  close(socket_);  // the worker's loop ends at the end of its input
  std::error_code ignored;
  if (child_->process.valid() && !child_->ends_within(patience_seconds)) kill();
  Family::of_this_process().bury(child_->process.id());
  fs::remove(stderr_file_, ignored);
}

void WorkerProcess::kill() {
  std::error_code ignored;
  end_group(child_->process.id());
  child_->process.terminate(ignored);
  child_->process.wait(ignored);
}

bool WorkerProcess::ends_well(double seconds) {
  return child_->ends_within(seconds) && child_->process.native_exit_code() == 0;
}

std::string WorkerProcess::ending(const std::string& why_stopped) {
  if (!child_->ends_within(patience_seconds)) {
    kill();
    return why_stopped + "; it was stopped";
  }
  const int status = child_->process.native_exit_code();
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return fmt::format("signal {} ({})", signal, strsignal(signal));
  }
  return fmt::format("exit code {}", WEXITSTATUS(status));
}

std::string WorkerProcess::spoken() const {
  const std::string tail = tail_of(stderr_file_);
  return tail.empty() ? "" : "; it last wrote: " + tail;
}

}  // namespace benchctl
