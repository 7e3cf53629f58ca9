// How deep a JSON text from outside may be nested.
#pragma once

#include <string_view>

namespace benchctl {

/// Deepest nesting; documents of ours have a handful of levels.
inline constexpr int max_json_depth = 64;

/// Throws std::invalid_argument for a text that is nested deeper: to copy and to write such a document
/// takes stack for each level. To be called before it is parsed.
void refuse_deep_json(std::string_view text);

}  // namespace benchctl
