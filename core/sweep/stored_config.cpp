#include "sweep/stored_config.hpp"

#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

/// How many levels above the config's folder a file may have stood.
constexpr int max_levels_up = 32;

int levels_up(const fs::path& name) {
  int levels = 0;
  for (const fs::path& part : name) levels += part == ".." ? 1 : 0;
  return levels;
}

}  // namespace

NamedContents files_of(const Config& config) {
  NamedContents files;
  const auto add = [&](const SourceFile& file) {
    if (std::ranges::find(files, file.name, [](const auto& entry) { return entry.first; }) == files.end()) {
      files.emplace_back(file.name, file.text);
    }
  };
  for (const KernelEntry& kernel : config.kernels) std::ranges::for_each(kernel.files, add);
  std::ranges::for_each(config.data_files, add);
  return files;
}

fs::path place_files(const NamedContents& files, const fs::path& folder) {
  int levels = 0;
  for (const auto& [name, contents] : files) levels = std::max(levels, levels_up(name));
  if (levels > max_levels_up) throw std::runtime_error("the run's files stood too far from its config");
  fs::path home = folder;
  for (int i = 0; i < levels; ++i) home /= "up";
  fs::create_directories(home);
  for (const auto& [name, contents] : files) {
    const fs::path file = (home / name).lexically_normal();
    const fs::path inside = file.lexically_relative(folder.lexically_normal());
    if (inside.empty() || *inside.begin() == ".." || inside.is_absolute()) {
      throw std::runtime_error(fmt::format("the stored file '{}' has no place", name));
    }
    fs::create_directories(file.parent_path());
    std::ofstream out(file, std::ios::binary);
    out << contents;
    out.flush();
    if (!out) throw std::runtime_error(fmt::format("cannot write {}", file));
  }
  return home;
}

Config restore_config(const std::string& text, const NamedContents& files, const fs::path& folder) {
  const fs::path home = place_files(files, folder);
  return parse_config(text, "the stored config", {home, home != folder});
}

}  // namespace benchctl
