#include "model/words.hpp"

#include "fuzz/target.hpp"

namespace benchctl::fuzz {

namespace {

/// By the definition: which beginnings of the text does the pattern match so far?
bool matches_by_definition(std::string_view pattern, std::string_view text) {
  std::vector<char> matched(text.size() + 1, 0);
  matched[0] = 1;
  for (const char p : pattern) {
    std::vector<char> next(text.size() + 1, 0);
    if (p == '*') next[0] = matched[0];
    for (std::size_t i = 1; i <= text.size(); ++i) {
      next[i] = p == '*' ? (matched[i] != 0 || next[i - 1] != 0)
                         : (matched[i - 1] != 0 && (p == '?' || p == text[i - 1]));
    }
    matched = std::move(next);
  }
  return matched.back() != 0;
}

}  // namespace

void glob(std::string_view bytes) {
  const std::vector<std::string> both = parts(bytes, 2);
  require(glob_match(both[0], both[1]) == matches_by_definition(both[0], both[1]),
          "a pattern does not match what it should, or the other way round");
}

}  // namespace benchctl::fuzz
