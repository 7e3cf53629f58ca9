#include "cli/command.hpp"
#include "engine/coordinator.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string_view>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view folder_prefix = "benchctl-";
/// In a run's folder: locked as long as the process lives that made the folder.
constexpr const char* owner_file = "owner";

bool is_abandoned(const fs::path& folder) {
  struct stat state {};
  if (lstat(folder.c_str(), &state) != 0 || !S_ISDIR(state.st_mode) || state.st_uid != geteuid())
    return false;
  const int owner = open((folder / owner_file).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (owner < 0) return false;
  const bool free = flock(owner, LOCK_EX | LOCK_NB) == 0;
  close(owner);
  return free;
}

/// Removes folders of processes that were killed: they may hold references of gigabytes.
void remove_abandoned(const fs::path& parent) {
  std::error_code error;
  for (auto entry = fs::directory_iterator(parent, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(folder_prefix) || !is_abandoned(entry->path())) continue;
    std::error_code ignored;
    fs::remove_all(entry->path(), ignored);
  }
}

}  // namespace

fs::path Common::store_file() const {
  if (!db.empty()) return db;
  if (const char* variable = std::getenv("BENCHCTL_DB"); variable != nullptr && *variable != '\0')
    return variable;
  return "benchctl.db";
}

std::vector<fs::path> Common::search_path() const {
  return plugin_search_path({plugin_path.begin(), plugin_path.end()});
}

void add_store_option(CLI::App& command, Common& common) {
  command.add_option("--db", common.db, "Store file (default: $BENCHCTL_DB, else ./benchctl.db)")
      ->type_name("FILE");
}

void add_format_option(CLI::App& command, std::string& format, const std::vector<std::string>& choices) {
  format = choices.front();
  command.add_option("--format", format, "Form of the output")
      ->check(CLI::IsMember(choices))
      ->capture_default_str();
}

std::string above_zero(const std::string& text) {
  double number = 0;
  if (CLI::detail::lexical_cast(text, number) && std::isfinite(number) && number > 0) return {};
  return fmt::format("'{}' cannot be; expected a number above 0", text);
}

void write_output(const std::string& text, const std::string& file) {
  if (file.empty()) {
    std::cout << text;
    return;
  }
  errno = 0;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.flush();
  if (!out) throw std::runtime_error(fmt::format("cannot write {}: {}", file, std::strerror(errno)));
}

PluginTable Workers::plugins(const Common& common) {
  return read_plugins(common.search_path(), factory_, default_cache());
}

RunFolder::RunFolder() {
  const fs::path parent = fs::temp_directory_path();
  remove_abandoned(parent);
  std::string name = (parent / (std::string(folder_prefix) + "XXXXXX")).string();
  if (mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("cannot make a folder in " + parent.string() +
                             "; set TMPDIR to a folder that you may write to");
  }
  path_ = name;
  // Locked before it has the name that others look for.
  const fs::path fresh = path_ / "new";
  owner_ = open(fresh.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (owner_ < 0 || flock(owner_, LOCK_EX | LOCK_NB) != 0) return;  // then nobody will tidy up after us
  std::error_code ignored;
  fs::rename(fresh, path_ / owner_file, ignored);
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (owner_ >= 0) close(owner_);
}

fs::path own_program() { return fs::read_symlink("/proc/self/exe"); }

fs::path page_template() {
  return own_program().parent_path().parent_path() / "share" / "benchctl" / "report" / "page.html";
}

}  // namespace benchctl::cli
