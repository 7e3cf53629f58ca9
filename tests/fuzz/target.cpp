#include "fuzz/target.hpp"

#include "model/words.hpp"

#include <nlohmann/json.hpp>

namespace benchctl::fuzz {

void require(bool holds, std::string_view what) {
  if (!holds) throw Broken(std::string(what));
}

void require_utf8(std::string_view text, std::string_view what) {
  try {
    static_cast<void>(nlohmann::json(text).dump());
  } catch (const nlohmann::json::type_error&) {
    throw Broken(std::string(what) + " is no UTF-8");
  }
}

void require_plain(std::string_view text, std::string_view what) {
  require(visible_lines(text) == text, std::string(what) + " has bytes that are no plain text");
}

void require_json(std::string_view text, std::string_view what) {
  require(nlohmann::json::accept(text), std::string(what) + " is no JSON");
}

std::vector<std::string> parts(std::string_view bytes, std::size_t count) {
  std::vector<std::string> found(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t end = i + 1 < count ? bytes.find('\0') : std::string_view::npos;
    found[i] = bytes.substr(0, end);
    if (end == std::string_view::npos) break;
    bytes.remove_prefix(end + 1);
  }
  return found;
}

}  // namespace benchctl::fuzz
