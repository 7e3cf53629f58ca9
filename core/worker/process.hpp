// A process of this program behind a socket: started, watched, and told about when it ends.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace benchctl {

/// This machine cannot start a worker; the fault is not a plugin's or a point's.
class WorkerNotStarted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs `program arguments…` with one end of a socket as file descriptor 3, standard output closed; the
/// last 2000 bytes of its standard error are kept. It is killed when this process dies. Processes that it
/// has started end with it, unless this process is killed.
class WorkerProcess {
 public:
  /// Reads `input` on standard input; its working folder is `folder`. Throws WorkerNotStarted.
  WorkerProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                const std::filesystem::path& input = "/dev/null",
                const std::filesystem::path& folder = ".");
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  /// Closes the socket, which is the process's sign to end, gives it two seconds and kills it.
  ~WorkerProcess();

  /// Our end; -1 once it is closed.
  [[nodiscard]] int socket() const { return socket_; }
  void kill();
  /// Waits up to `seconds` for its end.
  [[nodiscard]] bool ends_within(double seconds);
  /// Closes the socket; true if the process then ends by itself, with exit code 0.
  [[nodiscard]] bool ends_well(double seconds);
  /// How it ended, in words. What is still there after two seconds is killed: then `why_stopped` is the
  /// reason.
  [[nodiscard]] std::string ending(const std::string& why_stopped);
  /// "; it last wrote: …", the tail of its standard error, or nothing.
  [[nodiscard]] std::string last_output() const;

 private:
  void close_socket();
  class ErrorOutput;
  struct Child;
  std::unique_ptr<ErrorOutput> error_output_;
  int socket_ = -1;
  std::unique_ptr<Child> child_;
};

}  // namespace benchctl
