#include "model/apart.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>

namespace benchctl {

namespace {

constexpr char answered = '+';
constexpr char failed = '-';

void write_all(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    done += static_cast<std::size_t>(count);
  }
}

[[noreturn]] void answer(const std::function<std::string()>& question, unsigned timeout_seconds, int out) {
  std::signal(SIGALRM, SIG_DFL);
  alarm(timeout_seconds);
  std::string text;
  try {
    text = answered + question();
  } catch (const std::exception& error) {
    text = std::string(1, failed) + error.what();
  } catch (...) {
    text = std::string(1, failed) + "it failed without a reason";
  }
  write_all(out, text);
  _exit(0);
}

std::string read_all(int in) {
  std::string text;
  std::array<char, 4096> chunk{};
  for (;;) {
    const ssize_t count = read(in, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

std::string end_of(int status) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) return "it did not answer in time";
  if (WIFSIGNALED(status)) return fmt::format("it crashed (signal {})", WTERMSIG(status));
  return fmt::format("it ended the process (exit code {})", WEXITSTATUS(status));
}

}  // namespace

ApartAnswer ask_apart(const std::function<std::string()>& question, unsigned timeout_seconds) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return {"", fmt::format("no pipe: {}", std::strerror(errno))};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    answer(question, timeout_seconds, ends[1]);
  }
  const int fork_error = errno;
  close(ends[1]);
  std::string text;
  int status = 0;
  if (child > 0) {
    text = read_all(ends[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  close(ends[0]);
  if (child < 0) return {"", fmt::format("no process: {}", std::strerror(fork_error))};
  if (text.empty()) return {"", end_of(status)};
  if (text.front() == answered) return {text.substr(1), ""};
  return {"", text.substr(1)};
}

}  // namespace benchctl
