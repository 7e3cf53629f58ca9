// What standard output and standard error are connected to.
#pragma once

namespace benchctl::cli {

/// Is it a terminal on which colours are welcome (NO_COLOR unset, TERM not "dumb")?
[[nodiscard]] bool colours_on(int descriptor);
/// Is it a terminal whose locale has all of Unicode?
[[nodiscard]] bool unicode_on(int descriptor);
[[nodiscard]] bool is_terminal(int descriptor);
/// Columns of the terminal behind a descriptor, 80 if there is none.
[[nodiscard]] int terminal_width(int descriptor);

}  // namespace benchctl::cli
