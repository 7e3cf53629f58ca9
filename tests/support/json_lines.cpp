#include "support/json_lines.hpp"

#include "model/json.hpp"

#include <sstream>
#include <stdexcept>

namespace benchctl::test {

nlohmann::json patched(nlohmann::json document, const std::string& text) {
  const auto pointer = [](const std::string& path) { return nlohmann::json::json_pointer('/' + path); };
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find(" = ");
    if (equals == std::string::npos) throw std::runtime_error("no 'path = value': " + line);
    const std::string value = line.substr(equals + 3);
    if (value == "-") {
      document = document.patch({{{"op", "remove"}, {"path", '/' + line.substr(0, equals)}}});
      continue;
    }
    nlohmann::json parsed = value.starts_with('@') ? document.at(pointer(value.substr(1)))
                                                   : nlohmann::json::parse(value, nullptr, false);
    if (parsed.is_discarded()) parsed = value;
    document[pointer(line.substr(0, equals))] = std::move(parsed);
  }
  return document;
}

std::vector<std::string> differences(const nlohmann::json& document, const nlohmann::json& usual) {
  const nlohmann::json known = usual.flatten();
  const nlohmann::json flat = document.flatten();
  std::vector<std::string> lines;
  for (const auto& [path, value] : flat.items()) {
    const bool says_nothing = value.is_null() || value.empty() || value == "" || value == false;
    if (known.contains(path) ? known.at(path) != value : !says_nothing)
      lines.push_back(path.substr(1) + " = " + one_line(value));
  }
  return lines;
}

}  // namespace benchctl::test
