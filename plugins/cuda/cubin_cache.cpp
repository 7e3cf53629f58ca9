#include "cubin_cache.hpp"

#include <unistd.h>
#include <xxhash.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

namespace benchctl::cuda {

namespace {

/// Start of an entry; the log and the cubin follow. Raise the digit when the format changes.
struct Header {
  std::array<char, 8> magic{'B', 'N', 'C', 'U', 'B', 'I', 'N', '1'};
  std::array<char, 32> key{};
  std::uint64_t log_bytes = 0;
  std::uint64_t cubin_bytes = 0;
  std::uint64_t checksum = 0;  ///< of log and cubin
};

std::uint64_t checksum(const char* data, std::size_t bytes) { return XXH3_64bits(data, bytes); }

/// A file that is removed unless it was renamed to its place.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& folder) : name_((folder / "new-XXXXXX").string()) {
    descriptor_ = mkstemp(name_.data());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ < 0) return;
    close(descriptor_);
    if (!placed_) unlink(name_.c_str());
  }
  [[nodiscard]] bool write_and_place(std::string_view bytes, const std::filesystem::path& target) {
    if (descriptor_ < 0) return false;
    while (!bytes.empty()) {
      const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    placed_ = std::rename(name_.c_str(), target.c_str()) == 0;
    return placed_;
  }

 private:
  std::string name_;
  int descriptor_ = -1;
  bool placed_ = false;
};

}  // namespace

std::string content_key(std::span<const std::string> parts) {
  std::string bytes;
  for (const std::string& part : parts) {
    bytes += std::to_string(part.size());
    bytes += ':';
    bytes += part;
  }
  XXH128_canonical_t hash;
  XXH128_canonicalFromHash(&hash, XXH3_128bits(bytes.data(), bytes.size()));
  std::string key;
  for (const unsigned char byte : hash.digest) {
    constexpr std::string_view digits = "0123456789abcdef";
    key += digits[byte >> 4U];
    key += digits[byte & 15U];
  }
  return key;
}

std::filesystem::path CubinCache::file(const std::string& key) const {
  return folder_ / ("cuda-" + key + ".cubin");
}

std::optional<CompiledModule> CubinCache::find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream stream(file(key), std::ios::binary);
  if (!stream) return std::nullopt;
  std::ostringstream content;
  content << stream.rdbuf();
  const std::string bytes = content.str();
  const Header expected;
  Header header;
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::size_t body = bytes.size() - sizeof header;
  const char* data = bytes.data() + sizeof header;
  if (header.magic != expected.magic || std::string_view(header.key.data(), header.key.size()) != key ||
      header.log_bytes > body || header.cubin_bytes != body - header.log_bytes ||
      header.checksum != checksum(data, body)) {
    return std::nullopt;
  }
  return CompiledModule{{data + header.log_bytes, data + body}, {data, data + header.log_bytes}, true};
}

std::string CubinCache::store(const std::string& key, const CompiledModule& module) const {
  if (folder_.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) return "the folder " + folder_.string() + " cannot be made: " + error.message();
  std::string body = module.log;
  body.append(module.cubin.data(), module.cubin.size());
  Header header;
  std::memcpy(header.key.data(), key.data(), std::min(key.size(), header.key.size()));
  header.log_bytes = module.log.size();
  header.cubin_bytes = module.cubin.size();
  header.checksum = checksum(body.data(), body.size());
  std::string bytes(sizeof header, '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  bytes += body;
  if (!TemporaryFile(folder_).write_and_place(bytes, file(key))) {
    return file(key).string() + " cannot be written: " + std::generic_category().message(errno);
  }
  return {};
}

}  // namespace benchctl::cuda
