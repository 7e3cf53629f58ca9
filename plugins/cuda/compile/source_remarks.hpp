// What a kernel's source has that explains why it does not compile or cannot be launched. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace benchctl::cuda {

/// A sentence with line and remedy where the source has code for the host: `main`, a launch in `<<<`. Empty
/// where it has none.
[[nodiscard]] std::string host_code_remark(std::string_view source);

/// Is a texture or surface object among the parameters of the function `entry` (a template's arguments
/// do not count)?
[[nodiscard]] bool takes_texture(std::string_view source, std::string_view entry);

}  // namespace benchctl::cuda
