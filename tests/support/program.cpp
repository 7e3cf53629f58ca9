#include "support/program.hpp"

#include "support/catch.hpp"
#include "support/contents_of.hpp"

#include <fcntl.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>

namespace benchctl::test {

namespace fs = std::filesystem;

namespace {

void link_entries(const fs::path& from, const fs::path& to, const std::string& except) {
  fs::create_directories(to);
  for (const auto& entry : fs::directory_iterator(from)) {
    if (entry.path().filename() != except) fs::create_symlink(entry.path(), to / entry.path().filename());
  }
}

/// The program once more, in a tree that has no folder of plugins.
class ProgramAlone {
 public:
  ProgramAlone() {
    const fs::path lib = tree_root() / "lib";
    fs::create_directory(file().parent_path());
    std::error_code on_another_disk;
    fs::create_hard_link(program(), file(), on_another_disk);
    if (on_another_disk) fs::copy_file(program(), file());
    fs::create_symlink(tree_root() / "share", folder_.path() / "share");
    link_entries(lib, folder_.path() / "lib", "benchctl");
    link_entries(lib / "benchctl", folder_.path() / "lib/benchctl", "plugins");
  }
  [[nodiscard]] fs::path file() const { return folder_.path() / "bin/benchctl"; }

 private:
  TemporaryDirectory folder_;
};

fs::path program_alone() {
  static const ProgramAlone alone;
  return alone.file();
}

}  // namespace

Sandbox::Sandbox(Plugins plugins) : program_(plugins == Plugins::all ? program() : program_alone()) {
  set("BENCHCTL_LOCK_FILE", (path() / "machine.lock").string());
  set("BENCHCTL_CACHE_DIR", (path() / "cache").string());
  set("BENCHCTL_DB", (path() / "store.db").string());
  set("BENCHCTL_FAKE_LOG", (path() / "fake.log").string());
  set("BENCHCTL_PLUGIN_PATH", test_plugin_directory().string());
  set("NO_COLOR", "1");
  // A scripted crash must end in the signal that it names, not in a sanitizer's report.
  const char* sanitizer = std::getenv("ASAN_OPTIONS");
  set("ASAN_OPTIONS", (sanitizer != nullptr ? std::string(sanitizer) + ":" : "") + "handle_segv=0");
  // Two programs side by side whose threads are bound to the same processors take several times as long.
  set("POCL_AFFINITY", "0");
}

void Sandbox::become(std::vector<std::string> command) const {
  std::vector<char*> argv;
  for (std::string& word : command) argv.push_back(word.data());
  argv.push_back(nullptr);
  for (const auto& [name, value] : variables_) setenv(name.c_str(), value.c_str(), 1);
  if (chdir(path().c_str()) != 0) _exit(126);
  execvp(argv[0], argv.data());
  _exit(127);
}

pid_t Sandbox::spawn(std::vector<std::string> command, const fs::path& out, const fs::path& err) const {
  const pid_t process = fork();
  if (process < 0) throw std::runtime_error("fork failed");
  if (process > 0) return process;
  setpgid(0, 0);
  const int null = open("/dev/null", O_RDONLY);
  const int out_file = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int err_file = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (dup2(null, 0) < 0 || dup2(out_file, 1) < 0 || dup2(err_file, 2) < 0) _exit(126);
  for (const int file : {null, out_file, err_file}) close(file);
  become(std::move(command));
}

Outcome Sandbox::on_terminal(const std::vector<std::string>& arguments, unsigned short columns) const {
  std::vector<std::string> command{program_.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  winsize size{};
  size.ws_row = 24;
  size.ws_col = columns;
  int terminal = -1;
  const pid_t process = forkpty(&terminal, nullptr, nullptr, &size);
  if (process < 0) throw std::runtime_error("forkpty failed");
  if (process == 0) become(std::move(command));
  Outcome outcome;
  std::array<char, 4096> piece{};
  for (;;) {
    const ssize_t length = ::read(terminal, piece.data(), piece.size());
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) break;  // EIO: nobody holds the other end any more
    outcome.out.append(piece.data(), static_cast<std::size_t>(length));
  }
  close(terminal);
  outcome.exit_code = wait(process);
  return outcome;
}

Outcome Sandbox::call(const std::vector<std::string>& arguments) const { return call_under({}, arguments); }

Outcome Sandbox::expect(int exit_code, const std::vector<std::string>& arguments) const {
  Outcome outcome = call(arguments);
  CAPTURE(arguments, outcome.out, outcome.err);
  CHECK(outcome.exit_code == exit_code);
  return outcome;
}

Outcome Sandbox::run(const std::string& config, int exit_code, const std::vector<std::string>& more) const {
  static_cast<void>(write("c.toml", config));
  std::vector<std::string> arguments{"run", "c.toml"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return expect(exit_code, arguments);
}

nlohmann::json Sandbox::parsed(std::vector<std::string> arguments, int exit_code) const {
  for (const char* word : {"--format", "json"}) arguments.emplace_back(word);
  return nlohmann::json::parse(expect(exit_code, arguments).out);
}

Outcome Sandbox::call_under(const std::vector<std::string>& wrapper,
                            const std::vector<std::string>& arguments) const {
  const fs::path out = path() / "stdout";
  const fs::path err = path() / "stderr";
  std::vector<std::string> command = wrapper;
  command.push_back(program_.string());
  command.insert(command.end(), arguments.begin(), arguments.end());
  const pid_t process = spawn(std::move(command), out, err);
  const int code = wait(process);
  return {code, contents_of(out), contents_of(err)};
}

pid_t Sandbox::start(const std::vector<std::string>& arguments) const {
  std::vector<std::string> command{program_.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return spawn(std::move(command), path() / "background.out", path() / "background.err");
}

int Sandbox::wait(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) throw std::runtime_error("waitpid failed");
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string Sandbox::read(const std::string& name) const { return contents_of(path() / name); }

nlohmann::json Sandbox::exported(const std::vector<std::string>& more) const {
  std::vector<std::string> arguments{"export", "--format", "json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = call(arguments);
  if (outcome.exit_code != 0) throw std::runtime_error("export failed: " + outcome.err);
  return nlohmann::json::parse(outcome.out);
}

nlohmann::json Sandbox::rows_of(const std::string& variant) const {
  nlohmann::json chosen = nlohmann::json::array();
  for (const nlohmann::json& row : rows()) {
    if (row.at("variant") == variant) chosen.push_back(row);
  }
  return chosen;
}

std::vector<std::string> Sandbox::log() const {
  std::ifstream in(path() / "fake.log");
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::size_t Sandbox::logged(const std::string& line) const {
  return static_cast<std::size_t>(std::ranges::count(log(), line));
}

void wait_for(const Sandbox& sandbox, const std::string& line, std::size_t times) {
  for (int i = 0; i < 30'000; ++i) {
    if (sandbox.logged(line) >= times) return;
    usleep(2'000);
  }
  throw std::runtime_error("the run never came to '" + line + "': " + sandbox.read("background.err"));
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text = "variants = [";
  for (const std::string& name : names) text += "\"" + name + "\", ";
  return text + "]";
}

std::string fake_config(const std::string& sweep_lines, const std::string& parameter_lines,
                        const std::string& measure_lines) {
  const bool says_span = measure_lines.find("span_seconds") != std::string::npos;
  return std::string("experiment = { name = \"fake\", order = \"written\" }\n") +
         (says_span ? "\n[measure]\n" : "[measure]\nspan_seconds = 0\n") + measure_lines +
         "\n[[sweep]]\nworkload = \"matmul\"\nbackends = [\"fake\"]\n" + sweep_lines +
         "\n[sweep.parameters]\n" + parameter_lines + "\n";
}

std::string fake_kernel(const std::string& name, const std::string& workload, const std::string& source,
                        const std::string& more) {
  return "[[kernel]]\nname = '" + name + "'\nworkload = '" + workload + "'\nbackend = 'fake'\nsource = '" +
         source + "'\nentry = 'go'\nblock = 'TILE'\ngrid = 1\ndefines = ['TILE']\n" + more +
         "[kernel.tunables]\nTILE = 1\nns = 100000\nnoise = 0.0\nnoise_seed = 1\ncorrelation = 0.0\n"
         "tail = 0.0\ndrift = 0.0\nprocess = 0.0\nfault_verb = 'run'\n";
}

std::string own_config(const std::string& kernels, const std::string& sweep) {
  return "[experiment]\nname = 'own'\n[measure]\nmax_seconds = 0.3\n" + kernels +
         "[[sweep]]\nbackends = ['fake']\n" + sweep;
}

std::string sized_workload(const std::string& trusted) {
  return "[workload.sized]\nparameters = { n = 37 }\n"
         "[[workload.sized.buffer]]\nname = 'x'\ntype = 'f32'\ncount = 'n'\nrole = 'in'\n"
         "[[workload.sized.buffer]]\nname = 'y'\ntype = 'f32'\ncount = 'TILE'\nrole = 'out'\n"
         "[workload.sized.check]\nkernel = '" +
         trusted + "'\n";
}

}  // namespace benchctl::test
