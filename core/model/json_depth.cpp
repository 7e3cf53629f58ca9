#include "model/json_depth.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace benchctl {

void refuse_deep_json(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      in_string = !in_string;
    } else if (in_string) {
      i += c == '\\' ? 1 : 0;
    } else if (c == '[' || c == '{') {
      if (++depth > max_json_depth) {
        throw std::invalid_argument(fmt::format("nested deeper than {} levels", max_json_depth));
      }
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
}

}  // namespace benchctl
