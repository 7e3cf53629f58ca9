// A matcher for texts of which several parts count.
#pragma once

#include <catch2/matchers/catch_matchers.hpp>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

namespace benchctl::test {

/// The text has all of these parts.
class HasAll : public Catch::Matchers::MatcherBase<std::string> {
 public:
  explicit HasAll(std::initializer_list<std::string> parts) : parts_(parts) {}
  [[nodiscard]] bool match(const std::string& text) const override {
    return std::ranges::all_of(
        parts_, [&](const std::string& part) { return text.find(part) != std::string::npos; });
  }
  [[nodiscard]] std::string describe() const override {
    std::string text = "has all of";
    for (const std::string& part : parts_) text += "\n  " + part;
    return text;
  }

 private:
  std::vector<std::string> parts_;
};

}  // namespace benchctl::test
