#include "engine/reference_cache.hpp"

#include <benchctl/file_draft.hpp>

#include "config/digest.hpp"
#include "model/key_text.hpp"

#include <algorithm>
#include <system_error>
#include <vector>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view extension = ".reference";

/// Empty if the file cannot be read.
std::string digest_or_nothing(const fs::path& file) {
  try {
    return digest_file(file);
  } catch (const std::system_error&) {
    return {};
  }
}

/// A second name for a file, or a copy of it where the folders are on different file systems.
bool put(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::remove(to, error);
  fs::create_hard_link(from, to, error);
  if (error) fs::copy_file(from, to, error);
  return !error;
}

/// A file is named by its key and by the digest of its contents.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == extension) files.push_back(at->path());
  }
  return files;
}

}  // namespace

ReferenceCache::ReferenceCache(fs::path folder, std::uint64_t most_bytes)
    : folder_(std::move(folder)), most_bytes_(most_bytes), program_(digest_or_nothing("/proc/self/exe")) {}

std::string ReferenceCache::prefix(const std::string& key) const {
  return digest_text(KeyText().add(program_).add(key).take()) + '-';
}

bool ReferenceCache::fetch(const std::string& key, const fs::path& file) {
  const std::string wanted = prefix(key);
  for (const fs::path& kept : files_in(folder_)) {
    if (!kept.filename().string().starts_with(wanted)) continue;
    std::error_code ignored;
    if (put(kept, file)) {
      if (wanted + digest_or_nothing(file) == kept.stem().string()) {
        fs::last_write_time(kept, fs::file_time_type::clock::now(), ignored);
        used_[key] = kept;
        return true;
      }
      fs::remove(file, ignored);
    }
    fs::remove(kept, ignored);  // damaged
  }
  return false;
}

void ReferenceCache::keep(const std::string& key, const fs::path& file) {
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(file, error);
  const std::string digest = digest_or_nothing(file);
  if (error || digest.empty() || bytes > most_bytes_ / 2) return;
  fs::create_directories(folder_, error);
  make_room(bytes);
  // Under its own name only when it is whole.
  const fs::path kept = folder_ / (prefix(key) + digest + std::string(extension));
  const FileDraft draft(kept);
  if (!put(file, draft.path())) return;
  fs::rename(draft.path(), kept, error);
  used_[key] = kept;
}

void ReferenceCache::forget(const std::string& key) {
  const auto used = used_.find(key);
  if (used == used_.end()) return;
  std::error_code ignored;
  fs::remove(used->second, ignored);
  used_.erase(used);
}

void ReferenceCache::make_room(std::uint64_t bytes) const {
  struct Kept {
    fs::file_time_type used;
    std::uint64_t bytes = 0;
    fs::path file;
  };
  std::vector<Kept> all;
  std::uint64_t sum = bytes;
  std::error_code ignored;
  for (const fs::path& file : files_in(folder_)) {
    all.push_back({fs::last_write_time(file, ignored), fs::file_size(file, ignored), file});
    sum += all.back().bytes;
  }
  std::ranges::sort(all, {}, &Kept::used);
  for (const Kept& oldest : all) {
    if (sum <= most_bytes_) return;
    fs::remove(oldest.file, ignored);
    sum -= oldest.bytes;
  }
}

}  // namespace benchctl
