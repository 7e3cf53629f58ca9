// Values as a TOML document has them.
#pragma once

#include <benchctl/types.hpp>

#include <string>

namespace benchctl {

/// A text in quotes.
[[nodiscard]] std::string quoted(const std::string& text);
/// Reads back as the same value: a real stays one.
[[nodiscard]] std::string toml_of(const Value& value);
/// `{ dtype = "f32", n = 512 }`.
[[nodiscard]] std::string toml_table(const Parameters& parameters);

}  // namespace benchctl
