#include "kernel_cache.hpp"

#include <benchctl/file_draft.hpp>
#include <benchctl/plugin.hpp>

#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace benchctl::gpu {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view format_name = "benchctl-kernel-1";

std::string hash_text(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  for (const unsigned char byte : canonical.digest) {
    result += digits[byte >> 4U];
    result += digits[byte & 15U];
  }
  return result;
}

/// Name of the format, hash of key and contents, length of the log, then log and code.
std::string encode(std::string_view key, const CompiledKernel& kernel) {
  std::string body = std::to_string(kernel.log.size()) + '\n' + kernel.log;
  body.append(kernel.code.begin(), kernel.code.end());
  std::string checked(key);
  checked += body;
  return std::string(format_name) + '\n' + hash_text(checked) + '\n' + body;
}

/// Takes a line off the front of `text`; nothing when it has no whole line.
std::optional<std::string_view> take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

std::optional<CompiledKernel> decode(std::string_view key, std::string_view text) {
  if (take_line(text) != format_name) return std::nullopt;
  const auto hash = take_line(text);
  std::string checked(key);
  checked += text;
  if (!hash || hash_text(checked) != *hash) return std::nullopt;
  const auto number = take_line(text);
  std::size_t log_bytes = 0;
  if (!number ||
      std::from_chars(number->data(), number->data() + number->size(), log_bytes).ec != std::errc{} ||
      log_bytes > text.size()) {
    return std::nullopt;
  }
  CompiledKernel kernel;
  kernel.log = text.substr(0, log_bytes);
  kernel.code.assign(text.begin() + static_cast<std::ptrdiff_t>(log_bytes), text.end());
  kernel.cached = true;
  return kernel;
}

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

KernelCache::KernelCache(std::string backend, fs::path folder, const std::vector<std::string>& heeded)
    : backend_(std::move(backend)), folder_(std::move(folder)), environment_(environment_text(heeded)) {}

fs::path KernelCache::file(std::string_view key) const {
  return folder_ / (backend_ + "-" + hash_text(environment_ + std::string(key)) + ".bin");
}

std::optional<CompiledKernel> KernelCache::load(std::string_view key) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream in(file(key), std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return decode(key, text.str());
}

std::string KernelCache::store(std::string_view key, const CompiledKernel& kernel) const {
  if (folder_.empty()) return {};
  try {
    make_private_folder(folder_);
    replace_file(file(key), encode(key, kernel), true);
    return {};
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

}  // namespace benchctl::gpu
