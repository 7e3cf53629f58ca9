// Shell-like patterns for labels and device names.
#pragma once

#include <string_view>

namespace benchctl {

/// Does the whole text match? `*` stands for any number of bytes, `?` for exactly one; everything else
/// for itself. Linear in practice, never worse than pattern × text.
[[nodiscard]] bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace benchctl
