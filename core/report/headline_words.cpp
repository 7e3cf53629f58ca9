#include "report/format.hpp"
#include "report/headline_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace benchctl {

std::string times_text(double ratio) { return format_significant(ratio, ratio < 2 ? 3 : 2) + "×"; }

std::string and_list(const std::vector<std::string>& words) {
  constexpr std::size_t shown = 4;
  if (words.size() <= 1) return words.empty() ? "" : words.front();
  const bool all = words.size() <= shown;
  const std::size_t first = all ? words.size() - 1 : shown - 1;
  return fmt::format("{} and {}",
                     fmt::join(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(first), ", "),
                     all ? words.back() : fmt::format("{} more", words.size() - first));
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string library_of(const ResultRow& row) {
  const auto note = row.stored.notes.find("library");
  if (note == row.stored.notes.end()) return {};
  return first_line(note->second.substr(0, note->second.find_first_of(" ,;\n")));
}

bool same_time(const ResultRow& a, const ResultRow& b) {
  return median_of(a) == median_of(b) || a.interval().overlaps(b.interval());
}

}  // namespace benchctl
