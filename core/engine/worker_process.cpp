#include "engine/worker_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
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
    child_->process =
        process::child(process::exe = program.string(), process::args = arguments,
                       process::std_in<process::null, process::std_out> process::null,
                       process::std_err > stderr_file_.string(),
                       process::posix::fd.bind(worker_socket, ends[1]), LiveWithCoordinator{});
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
  fs::remove(stderr_file_, ignored);
}

void WorkerProcess::kill() {
  std::error_code ignored;
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
