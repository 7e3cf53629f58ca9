// Specialisation constants of a shader: they take their values from the launch's definitions. Pure
// functions.
#pragma once

#include <map>
#include <set>
#include <string>

namespace benchctl::vulkan {

/// Names that the text declares: `N` of `layout(constant_id = 0) const uint N = 32;`.
[[nodiscard]] std::set<std::string> specialization_constants(const std::string& text);

/// The text with these values in the place of the declared ones, and with LOCAL_SIZE_X where
/// `local_size_x_id` stands; y and z as well. A constant without a value here keeps its own.
[[nodiscard]] std::string specialized(std::string text,
                                      const std::map<std::string, std::string, std::less<>>& values);

}  // namespace benchctl::vulkan
