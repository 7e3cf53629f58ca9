// Fuzz targets: each gives bytes from outside to the code that reads them, and checks what must hold for
// any bytes. The fuzzers (tools/campaign) and the test of the corpus call the same functions.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl::fuzz {

/// Something did not hold. Never caught by a target.
class Broken : public std::exception {
 public:
  explicit Broken(std::string what) : what_(std::move(what)) {}
  [[nodiscard]] const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::string what_;
};

/// Throws Broken unless it holds.
void require(bool holds, std::string_view what);
/// Throws Broken for a text that is no UTF-8.
void require_utf8(std::string_view text, std::string_view what);
/// Throws Broken for a text that is no UTF-8, or has control characters that a terminal obeys.
void require_plain(std::string_view text, std::string_view what);
/// Throws Broken for a text that is no JSON document.
void require_json(std::string_view text, std::string_view what);

/// The parts between NUL bytes: `count` of them, empty where there are fewer, the rest in the last.
[[nodiscard]] std::vector<std::string> parts(std::string_view bytes, std::size_t count);

// Each throws Broken, and lets an exception pass that the code is not documented to throw.

/// A config, a gate policy or a tuning table; behind a NUL byte, `--set` arguments with NUL bytes between.
void config(std::string_view bytes);
/// An expression.
void expression(std::string_view bytes);
/// What a worker writes to its socket; a text that begins with `{"` stands for a frame with that JSON
/// document.
void frame(std::string_view bytes);
/// Lines `table.column=value`, written to all rows of a store, which one of its readers reads then: all of
/// them for each input would leave time for few inputs. The number of bytes says which.
void stored_rows(std::string_view bytes);
/// The same with all readers.
void stored_rows_by_all(std::string_view bytes);
/// A document of a store, which another benchctl may have written.
void imported_json(std::string_view bytes);
/// A kernel's source; behind NUL bytes, two files that it may include as `a.h` and `b.h`.
void includes(std::string_view bytes);
/// A pattern and, behind a NUL byte, a text.
void glob(std::string_view bytes);

}  // namespace benchctl::fuzz
