// JSON as lines `path = value`, for cases in texts.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace benchctl::test {

/// The document with `path = value` of each line: a value is JSON, a word that is a string, or `@path`:
/// what the document has there.
[[nodiscard]] nlohmann::json patched(nlohmann::json document, const std::string& text);

/// A line for each value that the document has otherwise than `usual`; of what `usual` lacks, those that
/// say something.
[[nodiscard]] std::vector<std::string> differences(const nlohmann::json& document,
                                                   const nlohmann::json& usual);

}  // namespace benchctl::test
