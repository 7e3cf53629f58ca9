#include "kernel_cache.hpp"

#include <benchctl/plugin.hpp>

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace benchctl::gpu {

namespace {

/// The variables that are set and begin so, one after the other by name.
std::string environment_text(const std::vector<std::string>& prefixes) {
  std::vector<std::string_view> set;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const auto begins = [&](const std::string& prefix) { return text.starts_with(prefix); };
    if (only_chooses_devices(text.substr(0, text.find('=')))) continue;
    if (std::ranges::any_of(prefixes, begins)) set.push_back(text);
  }
  std::ranges::sort(set);
  std::string all;
  for (const std::string_view text : set) all.append(text) += '\0';
  return all;
}

}  // namespace

KernelCache::KernelCache(const std::string& backend, const std::filesystem::path& folder,
                         const std::vector<std::string>& heeded)
    : files_(folder.empty() ? folder : folder / "kernels", backend + '\0' + environment_text(heeded)) {}

std::optional<CompiledKernel> KernelCache::load(std::string_view key) const {
  const std::optional<std::string> entry = files_.read(key);
  if (!entry) return std::nullopt;
  std::size_t log_bytes = 0;
  const auto [log, error] = std::from_chars(entry->data(), entry->data() + entry->size(), log_bytes);
  const auto begin = static_cast<std::size_t>(log - entry->data()) + 1;  // and a line's end
  if (error != std::errc{} || begin > entry->size() || log_bytes > entry->size() - begin)
    return std::nullopt;
  const auto code = entry->begin() + static_cast<std::ptrdiff_t>(begin + log_bytes);
  return CompiledKernel{
      {code, entry->end()}, {entry->begin() + static_cast<std::ptrdiff_t>(begin), code}, true};
}

std::string KernelCache::store(std::string_view key, const CompiledKernel& kernel) const {
  std::string entry = std::to_string(kernel.log.size()) + '\n' + kernel.log;
  return files_.write(key, entry.append(kernel.code.begin(), kernel.code.end()));
}

}  // namespace benchctl::gpu
