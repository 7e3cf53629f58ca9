#include "model/suggest.hpp"

#include "model/glob.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace benchctl {

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

}  // namespace

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
    for (const std::string& candidate : {mended, '*' + mended + '*'}) {
      if (matches_any(candidate)) return candidate;
    }
  }
  return std::nullopt;
}

std::string did_you_mean(const std::optional<std::string>& nearest) {
  return nearest ? " (did you mean '" + *nearest + "'?)" : "";
}

}  // namespace benchctl
