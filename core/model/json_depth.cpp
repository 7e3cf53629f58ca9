#include "model/json_depth.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace benchctl {

namespace {

using nlohmann::json;

/// Deepest nesting; documents of ours have a handful of levels.
constexpr int max_json_depth = 64;

/// Follows the parser down into a document. Syntax errors are left to the caller's parser.
class DepthCheck : public nlohmann::detail::json_sax_acceptor<json> {
 public:
  bool start_object(std::size_t = 0) { return enter(); }
  bool start_array(std::size_t = 0) { return enter(); }
  bool end_object() { return depth_-- > 0; }
  bool end_array() { return depth_-- > 0; }

 private:
  bool enter() {
    if (++depth_ <= max_json_depth) return true;
    throw std::invalid_argument(fmt::format("nested deeper than {} levels", max_json_depth));
  }
  int depth_ = 0;
};

}  // namespace

void refuse_deep_json(std::string_view text) {
  DepthCheck check;
  json::sax_parse(text, &check);
}

void refuse_deep_cbor(std::span<const std::uint8_t> bytes) {
  DepthCheck check;
  json::sax_parse(bytes, &check, json::input_format_t::cbor);
}

}  // namespace benchctl
