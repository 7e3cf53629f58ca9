// Lists of names, each once, in the order in which they came.
#pragma once

#include <algorithm>
#include <functional>
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

/// Those of all in a range; `name` is a member or a function of an element.
template <class Range, class Name>
[[nodiscard]] Names names_of(const Range& range, Name name) {
  Names names;
  for (const auto& one : range) names.emplace_back(std::invoke(name, one));
  return names;
}

}  // namespace benchctl
