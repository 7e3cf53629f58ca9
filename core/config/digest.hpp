// Fingerprints of contents.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace benchctl {

/// 128 bits of XXH3 as 32 hexadecimal digits.
[[nodiscard]] std::string digest_text(std::string_view text);
/// The same over a file's bytes, read piece by piece. Throws std::system_error if it cannot be read.
[[nodiscard]] std::string digest_file(const std::filesystem::path& file);

}  // namespace benchctl
