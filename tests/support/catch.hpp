// What every test needs: Catch2 with its matchers, by their short names, and the common containers and
// algorithms of the standard library.
#pragma once

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::StartsWith;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

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
