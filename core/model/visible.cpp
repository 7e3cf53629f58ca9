#include "model/visible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace benchctl {

namespace {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 0;  ///< 0: no UTF-8
};

/// The code point at the beginning of a text that is not empty.
CodePoint first_code_point(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t value = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80U) return {};
    value = value << 6U | (next & 0x3FU);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < least[bytes] || value > 0x10FFFF || surrogate) return {};
  return {value, bytes};
}

std::string made_visible(std::string_view text, std::string_view kept) {
  if (std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; })) return std::string(text);
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto [value, bytes] = first_code_point(text);
    const bool control = value < 0x20 || (value >= 0x7F && value < 0xA0);
    if (bytes == 0) {
      result += "\uFFFD";
    } else if (control && (bytes > 1 || kept.find(text[0]) == std::string_view::npos)) {
      result += fmt::format("\\x{:02x}", value);
    } else {
      result += text.substr(0, bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return result;
}

}  // namespace

std::string visible(std::string_view text) { return made_visible(text, ""); }

std::string visible_lines(std::string_view text) { return made_visible(text, "\n\t"); }

}  // namespace benchctl
