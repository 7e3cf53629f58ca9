// JSON written piece by piece: reports of many points never hold their document as a tree.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace benchctl {

/// Appends JSON to a text. The caller opens and closes what it begins; commas come by themselves.
class JsonText {
 public:
  JsonText& begin_object() { return open('{'); }
  JsonText& end_object() { return close('}'); }
  JsonText& begin_array() { return open('['); }
  JsonText& end_array() { return close(']'); }
  /// The name of the next value.
  JsonText& key(std::string_view name);

  /// Bytes that are no UTF-8 become U+FFFD.
  JsonText& value(std::string_view text);
  JsonText& value(const char* text) { return value(std::string_view(text)); }
  JsonText& value(const std::string& text) { return value(std::string_view(text)); }
  /// The shortest text that reads back as the same number; null for a NaN or an infinity.
  JsonText& value(double number);
  /// The same with so many significant digits.
  JsonText& rounded(double number, int digits);
  JsonText& value(bool flag) { return raw(flag ? "true" : "false"); }
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) JsonText& value(Integer number) {
    return raw(std::to_string(number));
  }
  JsonText& null() { return raw("null"); }
  /// A value that is JSON already.
  JsonText& raw(std::string_view json);

  template <class Value>
  JsonText& field(std::string_view name, const Value& content) {
    return key(name).value(content);
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  JsonText& open(char bracket);
  JsonText& close(char bracket);

  std::string text_;
  bool comma_ = false;  ///< does a value stand right before?
};

/// A text as JSON, in quotes.
[[nodiscard]] std::string quoted_json(std::string_view text);

}  // namespace benchctl
