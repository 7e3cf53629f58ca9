// The one expression language: `where` and `require` conditions, KernelSpec numbers, defaults. Never
// code: no assignment, no loops, bounded length and depth.
//
//   + - * / // % **   == != < <= > >= in [a, b…]  not in [a, b…]   and or not (also && || !)   ( )
//   min(a, b…)  max(a, b…)  ceil_div(a, b)  sqrt(a)  log2(a)  is_pow2(a)  bit_ceil(a)
//   sizeof(dtype)  ctype(dtype)  if(condition, a, b)
//   512  1e8  0.5  'f32'  "f32"  true  false  names
//
// Integers are exact to 2^53; docs/user-kernels.md says what each operation gives. Precedence, `//`, `%`,
// `**` and chained comparisons are Python's.
#pragma once

#include <benchctl/types.hpp>

#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace benchctl {

/// A text that is not an expression, or one that cannot be evaluated with the given values.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(const std::string& message, std::size_t offset, std::size_t length)
      : std::runtime_error(message), offset_(offset), length_(length) {}
  /// Place of the offending part in the text, in bytes.
  [[nodiscard]] std::size_t offset() const noexcept { return offset_; }
  [[nodiscard]] std::size_t length() const noexcept { return length_; }

 private:
  std::size_t offset_;
  std::size_t length_;
};

class Expression {
 public:
  /// Throws ExpressionError.
  [[nodiscard]] static Expression parse(std::string_view text);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// Parameters that it mentions.
  [[nodiscard]] const std::set<std::string, std::less<>>& names() const noexcept { return names_; }

  /// Throws ExpressionError: unknown name, division by zero, wrong operand type, integer out of range.
  [[nodiscard]] Value evaluate(const Parameters& values) const;
  /// The value as a condition; throws if it is not a boolean.
  [[nodiscard]] bool holds(const Parameters& values) const;
  /// The value as a non-negative integer; throws if it is something else.
  [[nodiscard]] std::uint64_t count(const Parameters& values) const;

  struct Node;

 private:
  Expression() = default;
  std::string text_;
  std::set<std::string, std::less<>> names_;
  std::shared_ptr<const Node> root_;
};

/// The parsed text, parsed once per thread and kept. For texts out of tables, of which there are few; not
/// for what users write. Throws ExpressionError.
[[nodiscard]] const Expression& parsed_expression(const std::string& text);

/// The text with what `value` gives for each `{expression}` in its place. Throws ExpressionError where a
/// brace lacks its partner.
[[nodiscard]] std::string with_values(std::string_view text,
                                      const std::function<std::string(const std::string&)>& value);

/// Adds to `values` what KernelSpec::derived derives from them. Throws ExpressionError.
void derive(const std::vector<std::pair<std::string, std::string>>& derived, Parameters& values);

}  // namespace benchctl
