#include "model/words.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <set>

namespace benchctl {

namespace {

/// Parts of a text between characters that `separators` has, none of them empty.
std::vector<std::string> parts_of(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// Separators in labels (`matmul/tiled @ cuda:0 n=512`) and names of devices.
constexpr std::string_view between_words = " /@:=";

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 0;  ///< 0: not UTF-8
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

/// A control character, a mark of direction or what overrides it: text behind it would be shown in another
/// order than it has.
bool is_obeyed(std::uint32_t value) {
  return value < 0x20 || (value >= 0x7F && value < 0xA0) || value == 0x061C ||
         (value >= 0x200E && value <= 0x200F) || (value >= 0x2028 && value <= 0x202E) ||
         (value >= 0x2066 && value <= 0x2069);
}

/// `short_form`: `\x1b` where two digits suffice.
std::string made_visible(std::string_view text, std::string_view kept, bool short_form) {
  if (std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; })) return std::string(text);
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto [value, bytes] = first_code_point(text);
    if (bytes == 0) {
      result += "\uFFFD";
    } else if (is_obeyed(value) && (bytes > 1 || kept.find(text[0]) == std::string_view::npos)) {
      result +=
          short_form && value < 0x100 ? fmt::format("\\x{:02x}", value) : fmt::format("\\u{:04x}", value);
    } else {
      result += text.substr(0, bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return result;
}

}  // namespace

std::vector<Names> differing(std::span<const Names> facts) {
  std::vector<Names> told(facts.size());
  for (std::size_t i = 0; !facts.empty() && i < facts.front().size(); ++i) {
    if (std::set<Names>(told.begin(), told.end()).size() == told.size()) break;
    if (std::ranges::all_of(facts, [&](const Names& own) { return own[i] == facts.front()[i]; })) continue;
    for (std::size_t k = 0; k < facts.size(); ++k) told[k].push_back(facts[k][i]);
  }
  return told;
}

bool glob_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      // Only the last star needs another try: it can take up whatever an earlier one would.
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool any_matches(std::span<const std::string> patterns, std::string_view text) {
  return std::ranges::any_of(patterns,
                             [&](const std::string& pattern) { return glob_match(pattern, text); });
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the usual table: a swap looks two rows back.
  std::array<std::vector<std::size_t>, 3> rows;
  for (auto& row : rows) row.resize(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i - 1) % 3];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], rows[(i - 2) % 3][j - 2] + 1);
      }
    }
  }
  return rows[a.size() % 3][b.size()];
}

std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> candidates) {
  std::optional<std::string> best;
  std::size_t best_distance = 0;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    const std::size_t shorter = std::min(name.size(), candidate.size());
    const std::size_t allowed = std::clamp<std::size_t>(longer / 3, 1, 3);
    // A difference in length is a distance already: no table is needed to know it too far.
    if (longer - shorter > allowed) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance > allowed || distance >= shorter) continue;
    if (!best || distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::optional<std::string> nearest_pattern(const std::string& pattern, std::span<const std::string> texts) {
  const auto matches_any = [&](const std::string& candidate) {
    return std::ranges::any_of(texts, [&](const std::string& text) { return glob_match(candidate, text); });
  };
  std::vector<std::string> words;
  for (const std::string& text : texts) {
    for (std::string& word : parts_of(text, between_words)) words.push_back(std::move(word));
  }
  // A part of a word may stand in a pattern; if that leads nowhere, it is taken for a slip.
  for (const bool parts_too : {true, false}) {
    const auto known = [&](const std::string& word) {
      return parts_too
                 ? std::ranges::any_of(
                       texts, [&](const std::string& text) { return text.find(word) != std::string::npos; })
                 : std::ranges::find(words, word) != words.end();
    };
    std::string mended;
    for (std::size_t i = 0; i < pattern.size();) {
      const std::size_t end =
          std::min(pattern.find_first_of(std::string(between_words) + "*?", i), pattern.size());
      const std::string word = pattern.substr(i, end - i);
      mended += known(word) ? word : nearest_name(word, words).value_or(word);
      if (end < pattern.size()) mended += pattern[end];
      i = end + 1;
    }
    const std::string inside =
        (mended.starts_with('*') ? "" : "*") + mended + (mended.ends_with('*') ? "" : "*");
    for (const std::string& candidate : {mended, inside}) {
      if (matches_any(candidate)) return candidate;
    }
  }
  return std::nullopt;
}

std::string did_you_mean(const std::optional<std::string>& nearest) {
  return nearest ? " (did you mean '" + *nearest + "'?)" : "";
}

std::string visible(std::string_view text) { return made_visible(text, "", true); }

std::string visible_lines(std::string_view text) { return made_visible(text, "\n\t", true); }

std::string with_escapes(std::string_view text, std::string_view kept) {
  return made_visible(text, kept, false);
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> units{"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto number = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (number >= 1024 && unit + 1 < units.size()) {
    number /= 1024;
    ++unit;
  }
  return fmt::format("{:.4g} {}", number, units[unit]);
}

}  // namespace benchctl
