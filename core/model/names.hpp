// Lists of names, each once, in the order in which they came.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

using Names = std::vector<std::string>;

[[nodiscard]] inline bool contains(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

inline void add_once(Names& names, const std::string& name) {
  if (!contains(names, name)) names.push_back(name);
}

}  // namespace benchctl
