// Keys made of several texts, for tables in memory.
#pragma once

#include <benchctl/types.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace benchctl {

/// Joins texts so that no other list of texts gives the same key, whatever characters they have: each
/// stands behind its length.
class KeyText {
 public:
  KeyText& add(std::string_view part);
  /// Names and values, the values as users write them.
  KeyText& add(const Parameters& parameters);
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace benchctl
