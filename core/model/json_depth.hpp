// How deep a JSON document from outside may be nested.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace benchctl {

/// Throws std::invalid_argument for a document that is nested deeper than 64 levels: to parse, to copy and
/// to write it takes stack for each level. To be called before it is parsed. Other errors are left to the
/// parser.
void refuse_deep_json(std::string_view text);
/// The same for CBOR.
void refuse_deep_cbor(std::span<const std::uint8_t> bytes);

}  // namespace benchctl
