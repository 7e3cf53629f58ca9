#include "worker/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/io.hpp>
#include <boost/process/posix.hpp>
#include <boost/process/start_dir.hpp>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <future>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

namespace benchctl {

namespace fs = std::filesystem;
namespace process = boost::process;

namespace {

constexpr int worker_socket = 3;
constexpr std::size_t tail_bytes = 2000;
/// What a process that has nothing more to do gets to end by itself.
constexpr double exit_seconds = 2;

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

/// The worker processes that are running. Processes that a plugin started become children of this process
/// when their worker ends: those are orphans.
class WorkerRegistry {
 public:
  static WorkerRegistry& instance() {
    static WorkerRegistry registry;
    return registry;
  }

  /// Starts a process with `start` and registers it. One thread starts all of them, which lives as long as
  /// this process: the kernel ends a worker with the thread that made it.
  void spawn(const std::function<pid_t()>& start) {
    std::packaged_task<void()> task([&] {
      const std::scoped_lock lock(mutex_);
      workers_.insert(start());
    });
    std::future<void> done = task.get_future();
    {
      const std::scoped_lock lock(tasks_mutex_);
      tasks_.push_back(std::move(task));
    }
    task_added_.notify_one();
    done.get();
  }

  /// After the end of a worker: kills what it has left behind.
  void reap(pid_t worker) {
    const std::scoped_lock lock(mutex_);
    workers_.erase(worker);
    end_group(worker);
    // Those that left its group. Their children become ours when they are gone.
    constexpr int generations = 100;
    for (int i = 0; i < generations && kill_orphans(); ++i) {
    }
  }

 private:
  WorkerRegistry() : starter_([this](const std::stop_token& stop) { run_tasks(stop); }) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
  }

  void run_tasks(const std::stop_token& stop) {
    std::unique_lock lock(tasks_mutex_);
    while (task_added_.wait(lock, stop, [this] { return !tasks_.empty(); })) {
      std::packaged_task<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  /// False if there are none.
  bool kill_orphans() const {
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
  std::mutex tasks_mutex_;
  std::condition_variable_any task_added_;
  std::deque<std::packaged_task<void()>> tasks_;
  std::jthread starter_;  ///< the last member: it uses the others
};

}  // namespace

/// Tail of a process's standard error, which a thread reads as it comes, so that the process never waits.
class WorkerProcess::ErrorOutput {
 public:
  ErrorOutput() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "pipe");
    fcntl(ends_[0], F_SETFL, O_NONBLOCK);
    try {
      reader_ = std::jthread([this](const std::stop_token& stop) { read_all_output(stop); });
    } catch (...) {
      close_ends();
      throw;
    }
  }
  ErrorOutput(const ErrorOutput&) = delete;
  ErrorOutput& operator=(const ErrorOutput&) = delete;
  ~ErrorOutput() {
    reader_.request_stop();
    close_write_end();
    reader_.join();
    close_ends();
  }

  /// What becomes the process's standard error.
  [[nodiscard]] int write_end() const { return ends_[1]; }
  /// From now on only the process, and what it starts, has it.
  void close_write_end() {
    if (ends_[1] >= 0) close(std::exchange(ends_[1], -1));
  }

  /// Everything up to now that fits.
  [[nodiscard]] std::string tail() {
    const std::scoped_lock lock(mutex_);
    static_cast<void>(take());
    const std::size_t length = std::min(received_, tail_bytes);
    std::string text;
    for (std::size_t i = received_ - length; i < received_; ++i) text += ring_[i % tail_bytes];
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text;
  }

 private:
  void read_all_output(const std::stop_token& stop) {
    constexpr int slice_ms = 100;
    while (!stop.stop_requested()) {
      pollfd entry{ends_[0], POLLIN, 0};
      if (poll(&entry, 1, slice_ms) <= 0) continue;
      const std::scoped_lock lock(mutex_);
      if (!take()) return;
    }
  }

  /// Reads what is available. False: the other end is closed.
  bool take() {
    std::array<char, 4096> bytes;
    while (true) {
      const ssize_t got = ::read(ends_[0], bytes.data(), bytes.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return got < 0 && errno == EAGAIN;
      for (ssize_t i = 0; i < got; ++i)
        ring_[received_++ % tail_bytes] = bytes[static_cast<std::size_t>(i)];
    }
  }

  void close_ends() {
    close_write_end();
    close(ends_[0]);
  }

  std::array<int, 2> ends_{-1, -1};
  std::mutex mutex_;
  std::array<char, tail_bytes> ring_{};
  std::size_t received_ = 0;
  std::jthread reader_;
};

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
                             const fs::path& input, const fs::path& folder)
    : child_(std::make_unique<Child>()) {
  int ends[2] = {-1, -1};
  try {
    error_output_ = std::make_unique<ErrorOutput>();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
      throw std::system_error(errno, std::generic_category(), "socketpair");
    }
    WorkerRegistry::instance().spawn([&] {
      child_->process = process::child(
          process::exe = program.string(), process::args = arguments, process::start_dir = folder.string(),
          process::std_in<input.string(), process::std_out> process::null,
          process::posix::fd.bind(STDERR_FILENO, error_output_->write_end()),
          process::posix::fd.bind(worker_socket, ends[1]), LiveWithCoordinator{});
      return child_->process.id();
    });
  } catch (const std::exception& error) {
    for (const int end : ends) {
      if (end >= 0) close(end);
    }
    throw WorkerNotStarted(fmt::format("cannot start a worker: {}", error.what()));
  }
  error_output_->close_write_end();
  socket_ = ends[0];
  close(ends[1]);
}

WorkerProcess::~WorkerProcess() {
  close_socket();
  try {
    if (child_->process.valid() && !child_->ends_within(exit_seconds)) kill();
    WorkerRegistry::instance().reap(child_->process.id());
  } catch (const std::exception&) {
    // No memory to look for what it has left: that ends with the next worker.
  }
}

void WorkerProcess::kill() {
  std::error_code ignored;
  end_group(child_->process.id());
  child_->process.terminate(ignored);
  child_->process.wait(ignored);
}

bool WorkerProcess::ends_within(double seconds) { return child_->ends_within(seconds); }

void WorkerProcess::close_socket() {
  if (socket_ >= 0) close(std::exchange(socket_, -1));  // the worker's loop ends at the end of its input
}

bool WorkerProcess::ends_well(double seconds) {
  close_socket();
  return child_->ends_within(seconds) && child_->process.native_exit_code() == 0;
}

std::string WorkerProcess::ending(const std::string& why_stopped) {
  if (!child_->ends_within(exit_seconds)) {
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

std::string WorkerProcess::last_output() const {
  const std::string tail = error_output_->tail();
  return tail.empty() ? "" : "; it last wrote: " + tail;
}

}  // namespace benchctl
