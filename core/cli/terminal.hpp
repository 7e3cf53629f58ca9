// What standard output and standard error are connected to, and what is written there.
#pragma once

#include "engine/progress.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>

namespace benchctl::cli {

/// Writes to standard error, with the control characters of names from outside written out, in lines that a
/// terminal has room for. Nobody need be there to read it: what cannot be written is lost, and that is not
/// an error.
void tell_text(const std::string& text);
template <class... Arguments>
void tell(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  tell_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Writes to standard output. Nothing ends because that fails: main() tells it when all is done.
void write_plain(const std::string& text);
/// Why it failed first, as errno; 0 if it did not.
[[nodiscard]] int output_error();
template <class... Arguments>
void print_plain(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_plain(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// The same in lines that a terminal has room for.
void write_text(const std::string& text);
template <class... Arguments>
void print_fitted(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Writes a document to standard output, indented. Bytes that are no UTF-8 become U+FFFD.
void write_json(const nlohmann::json& document);
void write_json(const nlohmann::ordered_json& document);

/// Is it a terminal on which colours are welcome (NO_COLOR unset, TERM not "dumb")?
[[nodiscard]] bool colours_on(int descriptor);
/// Columns of the terminal behind a descriptor, 80 without a terminal.
[[nodiscard]] int terminal_width(int descriptor);
/// Columns to lay out text for: those of the terminal, 0 (no limit) without a terminal.
[[nodiscard]] std::size_t text_width(int descriptor);

/// The progress of a run on standard error: one line that is drawn over on a terminal that knows escape
/// sequences, elsewhere a line every 10 s. `quiet`: only what the user should read. `also`, which may be
/// null and must outlive it, is told the same but messages, and each step once (`working`).
[[nodiscard]] std::unique_ptr<Progress> make_progress(bool quiet, Progress* also = nullptr);

}  // namespace benchctl::cli
