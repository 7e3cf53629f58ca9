#include "compile/specialization.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace benchctl::vulkan {

namespace {

struct Declaration {
  std::string type;
  std::string name;
  std::size_t begin;  ///< where the value begins
  std::size_t end;    ///< behind it
};

/// The word at `at` behind blanks, which moves behind it; a mark is a word of one character.
std::string next_word(const std::string& text, std::size_t& at) {
  at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
  const std::size_t begin = at;
  const auto in_word = [&] {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  while (in_word()) ++at;
  if (at == begin && at < text.size()) ++at;
  return text.substr(begin, at - begin);
}

/// Those that begin a line; others may stand in a comment.
std::vector<Declaration> declarations(const std::string& text) {
  constexpr std::string_view mark = "constant_id";
  std::vector<Declaration> found;
  for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;) {
    std::size_t line = at == 0 ? 0 : text.rfind('\n', at) + 1;
    const bool begins = next_word(text, line) == "layout";
    at = std::min(text.find(')', at), text.size() - 1) + 1;
    if (!begins || next_word(text, at) != "const") continue;
    Declaration one{next_word(text, at), next_word(text, at), 0, 0};
    if (next_word(text, at) != "=") continue;
    one.begin = at;
    one.end = at = std::min(text.find(';', at), text.size());
    found.push_back(std::move(one));
  }
  return found;
}

}  // namespace

std::set<std::string> specialization_constants(const std::string& text) {
  std::set<std::string> names;
  for (const Declaration& one : declarations(text)) names.insert(one.name);
  return names;
}

std::string specialized(std::string text, const std::map<std::string, std::string, std::less<>>& values) {
  const std::vector<Declaration> all = declarations(text);
  // From the end, so that places stay what they are. A conversion, since true is 1 in a definition.
  for (auto one = all.rbegin(); one != all.rend(); ++one) {
    const auto value = values.find(one->name);
    if (value == values.end()) continue;
    text.replace(one->begin, one->end - one->begin, " " + one->type + "(" + value->second + ")");
  }
  for (const char axis : {'x', 'y', 'z'}) {
    const std::string mark = std::string("local_size_") + axis + "_id";
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;) {
      std::size_t end = at + mark.size();
      if (next_word(text, end) == "=") static_cast<void>(next_word(text, end));
      std::string size = std::string("local_size_") + axis + " = LOCAL_SIZE_";
      size += static_cast<char>(std::toupper(axis));
      text.replace(at, end - at, size);
      at += size.size();
    }
  }
  return text;
}

}  // namespace benchctl::vulkan
