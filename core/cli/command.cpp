#include "cli/command.hpp"

#include <benchctl/file_draft.hpp>

#include "cli/terminal.hpp"
#include "model/words.hpp"
#include "plugins/trusted_path.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <boost/process/args.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/io.hpp>
#include <boost/process/search_path.hpp>
#include <boost/process/system.hpp>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

/// Empty if it is not set.
std::string environment_variable(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? text : "";
}

constexpr std::string_view folder_prefix = "benchctl-";
constexpr std::size_t random_letters = 6;  // that mkdtemp puts in place of XXXXXX
/// In a run's folder: locked as long as the process lives that made the folder.
constexpr const char* owner_file = "owner";
/// Its content, which marks the folder as ours.
constexpr std::string_view owner_mark = "folder of a run of benchctl; the next run removes it\n";

bool is_name_of_ours(std::string_view name) {
  if (!name.starts_with(folder_prefix)) return false;
  name.remove_prefix(folder_prefix.size());
  return name.size() == random_letters && std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
         });
}

bool is_own(const struct stat& state, mode_t type, mode_t mode) {
  return (state.st_mode & S_IFMT) == type && state.st_uid == geteuid() && (state.st_mode & 0777) == mode;
}

/// Has the mark, which no living process has locked.
bool is_abandoned(const fs::path& folder) {
  struct stat state {};
  if (lstat(folder.c_str(), &state) != 0 || !is_own(state, S_IFDIR, 0700)) return false;
  const int owner = open((folder / owner_file).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (owner < 0) return false;
  std::array<char, owner_mark.size() + 1> text{};
  const bool is_ours = fstat(owner, &state) == 0 && is_own(state, S_IFREG, 0600) &&
                       ::read(owner, text.data(), text.size()) == static_cast<ssize_t>(owner_mark.size()) &&
                       std::string_view(text.data(), owner_mark.size()) == owner_mark &&
                       flock(owner, LOCK_EX | LOCK_NB) == 0;
  close(owner);
  return is_ours;
}

/// Removes folders of processes that were killed: they may hold references of gigabytes. What cannot be
/// removed stays.
void remove_abandoned(const fs::path& parent) {
  std::error_code error;
  for (auto entry = fs::directory_iterator(parent, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const fs::path& folder = entry->path();
    std::error_code ignored;
    if (is_name_of_ours(folder.filename().string()) && is_abandoned(folder))
      fs::remove_all(folder, ignored);
  }
}

/// A locked file with the mark, or -1: then this folder is not removed after a crash. It is locked before
/// it has the mark that others look for.
int make_owner_file(const fs::path& folder) {
  const int owner =
      open((folder / owner_file).c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (owner < 0) return owner;
  if (fchmod(owner, 0600) == 0 && flock(owner, LOCK_EX | LOCK_NB) == 0 &&
      write(owner, owner_mark.data(), owner_mark.size()) == static_cast<ssize_t>(owner_mark.size())) {
    return owner;
  }
  close(owner);
  return -1;
}

}  // namespace

fs::path Common::store_file() const {
  if (!db.empty()) return db;
  const std::string variable = environment_variable("BENCHCTL_DB");
  return variable.empty() ? "benchctl.db" : variable;
}

std::vector<fs::path> Common::search_path() const {
  return plugin_search_path({plugin_path.begin(), plugin_path.end()});
}

CLI::Option* add_values(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                        const std::string& type, const std::string& doc) {
  return add_value(command, name, values, type, doc)->allow_extra_args(false);
}

CLI::Option* add_names(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                       const std::string& type, const std::string& doc) {
  return add_values(command, name, values, type, doc)->delimiter(',');
}

void add_store_option(CLI::App& command, Common& common) {
  add_value(command, "--db", common.db, "FILE", "Store file (default: $BENCHCTL_DB, else ./benchctl.db)");
}

void add_format_option(CLI::App& command, std::string& format, const std::vector<std::string>& formats) {
  format = formats.front();
  command.add_option("--format", format, "Output format")
      ->check(CLI::IsMember(formats))
      ->capture_default_str();
}

void add_output_option(CLI::App& command, std::string& file) {
  add_value(command, "-o,--output", file, "FILE", "File to write (default: standard output)");
}

void add_backend_option(CLI::App& command, std::vector<std::string>& backends) {
  add_names(command, "--backend", backends, "NAME", "Only these backends (several: A,B)");
}

void add_timeout_option(CLI::App& command, double& seconds, const std::string& doc) {
  add_value(command, "--timeout", seconds, "SECONDS", doc)->check(above_zero)->capture_default_str();
}

void add_outside_option(CLI::App& command, bool& allow_outside) {
  command.add_flag(
      "--allow-outside", allow_outside,
      "Files of a config may lie outside its folder; config, plan or replayed store may belong to others");
}

void add_programs_option(CLI::App& command, bool& allow_programs) {
  command.add_flag("--allow-programs", allow_programs,
                   "Data programs of the config may run, with all your rights");
}

void add_wait_option(CLI::App& command, bool& wait) {
  command.add_flag("--wait", wait, "Wait for another benchctl that is measuring on this machine");
}

void add_quiet_option(CLI::App& command, Common& common) {
  command.add_flag("-q,--quiet", common.quiet, "No progress: only results, warnings and errors");
}

std::string not_negative(const std::string& text) {
  return text.starts_with('-') ? fmt::format("'{}' cannot be; expected a number from 0 on", text) : "";
}

std::string above_zero(const std::string& text) {
  double number = 0;
  if (CLI::detail::lexical_cast(text, number) && std::isfinite(number) && number > 0) return {};
  return fmt::format("'{}' cannot be; expected a number above 0", text);
}

double seconds_from(std::string_view option, const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string unit = end;
  const double scale = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (end == text.c_str() || scale == 0 || !(number > 0) || !std::isfinite(number * scale)) {
    throw UsageError(fmt::format("{} {}: expected a time such as 60s, 5m or 1h", option, text));
  }
  return number * scale;
}

std::string read_file(const fs::path& file) {
  constexpr std::uintmax_t max_bytes = std::uintmax_t{16} << 20;
  std::error_code error;
  if (fs::is_directory(file, error)) {
    throw UsageError(fmt::format("{} is a folder, not a file", file));
  }
  if (!fs::is_regular_file(file, error)) throw UsageError(fmt::format("there is no file {}", file));
  if (fs::file_size(file, error) > max_bytes)
    throw UsageError(fmt::format("{} is larger than 16 MiB", file));
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw UsageError(fmt::format("{} cannot be read", file));
  return std::move(text).str();
}

std::string json_fault(const std::exception& error) {
  std::string text = error.what();
  const std::size_t begin = text.find("[json.exception");
  if (begin != std::string::npos) text.erase(begin, text.find("] ", begin) + 2 - begin);
  return text;
}

namespace {

/// Is it a file of which an output would destroy what cannot be made again: a store, a config?
bool is_precious(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string line;
  std::getline(in, line);
  if (line.starts_with("SQLite format 3")) return true;
  if (fs::path(file).extension() != ".toml") return false;
  do {
    if (line.starts_with("[experiment]") || line.starts_with("[[")) return true;
  } while (std::getline(in, line));
  return false;
}

}  // namespace

void try_output(const std::string& option, const std::string& file) {
  if (file.empty()) return;
  std::error_code ignored;
  const bool was_there = fs::exists(file, ignored);
  // A reader of a pipe would take this for the end.
  if (was_there && !fs::is_regular_file(file, ignored)) return;
  if (was_there && is_precious(file))
    throw UsageError(
        fmt::format("{} {}: a store or a config is there, which is not overwritten; name another file",
                    option, visible(file)));
  errno = 0;
  if (!std::ofstream(file, std::ios::binary | std::ios::app))
    throw UsageError(
        fmt::format("{} {}: cannot be written: {}", option, visible(file), std::strerror(errno)));
  if (!was_there) fs::remove(file, ignored);
}

void write_output(const std::string& text, const std::string& file) {
  if (file.empty()) return write_plain(text);
  errno = 0;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.flush();
  if (!out)
    throw std::runtime_error(fmt::format("cannot write {}: {}", visible(file), std::strerror(errno)));
}

namespace {

fs::path chosen_cache() {
  if (const fs::path folder = environment_variable("BENCHCTL_CACHE_DIR"); !folder.empty()) return folder;
  if (const fs::path folder = environment_variable("XDG_CACHE_HOME"); folder.is_absolute())
    return folder / "benchctl";
  if (const fs::path home = environment_variable("HOME"); !home.empty()) return home / ".cache/benchctl";
  return {};
}

/// Empty, and said, if somebody else may have written what is in it.
fs::path trusted_cache() {
  fs::path folder = chosen_cache();
  make_private_folder(folder);
  const std::string reason = distrust_of_all(folder);
  if (reason.empty()) return folder;
  tell("benchctl: the cache {} is not used: {}. BENCHCTL_CACHE_DIR names another\n", folder, reason);
  return {};
}

}  // namespace

fs::path default_cache() {
  static const fs::path folder = trusted_cache();
  return folder;
}

PluginTable Workers::plugins(const Common& common) {
  return read_plugins(common.search_path(), factory_, default_cache());
}

fs::path own_program() { return fs::read_symlink("/proc/self/exe"); }

fs::path shared_file(const std::string& name) {
  return own_program().parent_path().parent_path() / "share" / "benchctl" / name;
}

std::string replaced(std::string_view text,
                     const std::vector<std::pair<std::string, std::string>>& places) {
  std::string result;
  for (;;) {
    const auto next =
        std::ranges::min_element(places, {}, [&](const auto& one) { return text.find(one.first); });
    const std::size_t at = next == places.end() ? std::string_view::npos : text.find(next->first);
    result += text.substr(0, at);
    if (at == std::string_view::npos) return result;
    result += next->second;
    text.remove_prefix(at + next->first.size());
  }
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:,@%=";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) return std::string(text);
  const bool has_escapes = visible(text) != text;
  std::string word = has_escapes ? "$'" : "'";
  for (const char c : text) {
    if (has_escapes && (c < ' ' || c > '~' || c == '\'' || c == '\\')) {
      word += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
  }
  return word + "'";
}

void run_program(const std::vector<std::string>& command, const fs::path& out) {
  const std::string program = boost::process::search_path(command.front()).string();
  if (program.empty())
    throw std::runtime_error(fmt::format("cannot start {}: it is not installed", command.front()));
  const std::vector<std::string> arguments(command.begin() + 1, command.end());
  if (boost::process::system(boost::process::exe = program, boost::process::args = arguments,
                             boost::process::std_out > out) != 0)
    throw std::runtime_error(fmt::format("`{}` failed", fmt::join(command, " ")));
}

RunFolder::RunFolder() {
  const fs::path parent = fs::temp_directory_path();
  remove_abandoned(parent);
  std::string name = (parent / (std::string(folder_prefix) + std::string(random_letters, 'X'))).string();
  if (mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error(
        fmt::format("cannot make a folder in {}; set TMPDIR to a folder that you may write to", parent));
  }
  path_ = name;
  owner_ = make_owner_file(path_);
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (owner_ >= 0) close(owner_);
}

}  // namespace benchctl::cli
