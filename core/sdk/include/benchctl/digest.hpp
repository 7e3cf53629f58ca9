// Fingerprints of contents, by xxHash's header. Include it yourself; plugin.hpp does not.
#pragma once

#include "benchctl/file_draft.hpp"

#include <xxhash.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

namespace benchctl {

/// 128 bits as 32 hexadecimal digits.
[[nodiscard]] inline std::string hex_digits(XXH128_hash_t hash) {
  constexpr std::string_view digits = "0123456789abcdef";
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, hash);
  std::string text;
  for (const unsigned char byte : bytes.digest) (text += digits[byte >> 4U]) += digits[byte & 0xfU];
  return text;
}

/// 128 bits of XXH3 as 32 hexadecimal digits.
[[nodiscard]] inline std::string digest_text(std::string_view text) {
  return hex_digits(XXH3_128bits(text.data(), text.size()));
}

/// The same over a file's bytes, read piece by piece. Throws std::system_error if it cannot be read.
[[nodiscard]] inline std::string digest_file(const std::filesystem::path& file) {
  const auto require = [&](bool went_well) {
    if (!went_well) throw std::system_error(errno, std::generic_category(), "cannot read " + shown(file));
  };
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  require(in.is_open());
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), XXH3_freeState);
  XXH3_128bits_reset(state.get());
  std::array<char, 65536> piece;
  while (in.read(piece.data(), piece.size()) || in.gcount() > 0) {
    XXH3_128bits_update(state.get(), piece.data(), static_cast<std::size_t>(in.gcount()));
  }
  require(!in.bad());
  return hex_digits(XXH3_128bits_digest(state.get()));
}

}  // namespace benchctl
