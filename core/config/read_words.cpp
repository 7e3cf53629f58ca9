#include "config/read_words.hpp"

namespace benchctl {

std::vector<std::string> read_texts(Reporter& reporter, const Node& node, const std::string& what) {
  std::vector<std::string> texts;
  if (const auto words = read_words(reporter, node, what)) {
    for (const Word& word : *words) texts.push_back(word.text);
  }
  return texts;
}

void read_choice(Reporter& reporter, const Node& node, const std::string& what,
                 const std::vector<std::string>& choices, std::string& value) {
  const auto word = read_word(reporter, node, what);
  if (!word) return;
  if (std::ranges::find(choices, word->text) == choices.end()) {
    reporter.unknown_name(word->position, word->text, fmt::format("{} is '{}'", what, word->text), choices);
    return;
  }
  value = word->text;
}

}  // namespace benchctl
