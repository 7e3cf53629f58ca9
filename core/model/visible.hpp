// Texts from outside (names of devices, kernels and plugins, logs, words of configs) on their way to a
// terminal, which would obey the control characters in them.
#pragma once

#include <string>
#include <string_view>

namespace benchctl {

/// The text with its control characters written out (`\x1b`, `\x0a`; those of C1, too) and U+FFFD for each
/// byte that is no UTF-8. Applied twice it changes nothing more.
[[nodiscard]] std::string visible(std::string_view text);

/// The same for a text of several lines: line ends and tabs stay.
[[nodiscard]] std::string visible_lines(std::string_view text);

}  // namespace benchctl
