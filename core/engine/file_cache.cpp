#include "engine/file_cache.hpp"

#include <benchctl/file_draft.hpp>

#include "config/digest.hpp"
#include "model/values.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

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

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) files.push_back(at->path());
  }
  return files;
}

}  // namespace

std::string digest_of_program() { return digest_or_nothing("/proc/self/exe"); }

/// A file is named by its key and by the digest of its contents. A draft has more behind a dot.
std::string FileCache::prefix(const std::string& key) const {
  return digest_text(KeyText().add(maker_).add(key).take()) + '-';
}

bool FileCache::find(const std::string& key, const std::function<std::string(const fs::path&)>& take) {
  const std::string wanted = prefix(key);
  std::error_code ignored;
  for (const fs::path& kept : files_in(folder_)) {
    const std::string name = kept.filename().string();
    if (!name.starts_with(wanted) || kept.has_extension()) continue;
    if (wanted + take(kept) == name) {
      fs::last_write_time(kept, fs::file_time_type::clock::now(), ignored);
      used_[key] = kept;
      return true;
    }
    fs::remove(kept, ignored);
  }
  return false;
}

bool FileCache::fetch(const std::string& key, const fs::path& file) {
  return find(key, [&](const fs::path& kept) {
    const std::string digest = put(kept, file) ? digest_or_nothing(file) : std::string();
    std::error_code ignored;
    if (!kept.filename().string().ends_with('-' + digest)) fs::remove(file, ignored);
    return digest;
  });
}

std::optional<std::string> FileCache::read(const std::string& key) {
  std::string contents;
  const bool found = find(key, [&](const fs::path& kept) {
    std::ifstream in(kept, std::ios::binary);
    contents = std::string(std::istreambuf_iterator<char>(in), {});
    return digest_text(contents);
  });
  return found ? std::optional(std::move(contents)) : std::nullopt;
}

void FileCache::add(const std::string& key, const std::string& digest, std::uint64_t bytes,
                    const std::function<void(const fs::path&)>& put_at) {
  if (folder_.empty() || bytes > most_bytes_ / 2) return;
  make_private_folder(folder_);
  make_room(bytes);
  const fs::path kept = folder_ / (prefix(key) + digest);
  try {
    put_at(kept);
  } catch (const std::runtime_error&) {
    return;  // no room, or no right to write: it is made once more
  }
  used_[key] = kept;
}

void FileCache::keep(const std::string& key, const fs::path& file) {
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(file, error);
  const std::string digest = digest_or_nothing(file);
  if (error || digest.empty()) return;
  add(key, digest, bytes, [&](const fs::path& kept) {
    // Under its own name only when it is whole.
    const FileDraft draft(kept);
    if (!put(file, draft.path())) return;
    make_private(draft.path());
    draft.commit();
  });
}

void FileCache::write(const std::string& key, std::string_view contents) {
  add(key, digest_text(contents), contents.size(),
      [&](const fs::path& kept) { replace_file(kept, contents, true); });
}

void FileCache::forget(const std::string& key) {
  const auto used = used_.find(key);
  if (used == used_.end()) return;
  std::error_code ignored;
  fs::remove(used->second, ignored);
  used_.erase(used);
}

void FileCache::make_room(std::uint64_t bytes) const {
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
