#include "model/former_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace benchctl {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

FormerNames former_names(std::span<const VariantInfo> variants) {
  FormerNames names;
  std::set<std::string, std::less<>> current;
  for (const VariantInfo& variant : variants) {
    for (const TunableInfo& tunable : variant.tunables) {
      current.insert(tunable.name);
      for (const std::string& old : tunable.formerly) names.emplace(old, tunable.name);
    }
  }
  std::erase_if(names, [&](const auto& entry) { return current.contains(entry.first); });
  return names;
}

std::string renamed(std::string_view text, const FormerNames& names) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (text[at] == '\'' || text[at] == '"') {
      end = std::min(text.find(text[at], at + 1), text.size() - 1) + 1;
    } else if (is_word(text[at])) {
      while (end < text.size() && is_word(text[end])) ++end;
    }
    const std::string_view word = text.substr(at, end - at);
    const auto found = names.find(word);
    result += found != names.end() ? std::string_view(found->second) : word;
    at = end;
  }
  return result;
}

Parameters renamed(const Parameters& parameters, const FormerNames& names) {
  Parameters result;
  for (const auto& [name, value] : parameters) {
    const auto found = names.find(name);
    const bool moves = found != names.end() && !parameters.contains(found->second);
    result.emplace(moves ? found->second : name, value);
  }
  return result;
}

std::string recorded_names(std::span<const VariantInfo> variants) {
  std::string text;
  for (const VariantInfo& variant : variants) {
    for (const auto& [old, now] : former_names({&variant, 1}))
      text +=
          fmt::format("{}{}/{}.{}={}", text.empty() ? "" : " ", variant.workload, variant.name, old, now);
  }
  return text;
}

FormerNames former_names_from(std::string_view text, std::string_view workload, std::string_view variant) {
  FormerNames names;
  const std::string mine = fmt::format("{}/{}.", workload, variant);
  while (!text.empty()) {
    std::string_view entry = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(entry.size() + 1, text.size()));
    if (!entry.starts_with(mine)) continue;
    entry.remove_prefix(mine.size());
    const std::size_t split = entry.find('=');
    if (split != std::string_view::npos) names.emplace(entry.substr(0, split), entry.substr(split + 1));
  }
  return names;
}

}  // namespace benchctl
