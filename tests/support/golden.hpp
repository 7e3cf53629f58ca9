// Expected outputs: whole files of tests/golden/expected. With BENCHCTL_WRITE_GOLDEN set they are
// rewritten.
#pragma once

#include <benchctl/types.hpp>

#include <functional>
#include <string>
#include <vector>

namespace benchctl::test {

/// The text must be that of the file of this name. Numbers are compared to nine digits, since mathematical
/// libraries differ in the last ones.
void check_golden(const std::string& name, const std::string& text);

/// The file holds cases: lines of text, and behind "> " what `answer` makes of them. An empty line ends a
/// case; what begins with '#' is a comment. All cases that differ are told. New cases are written without
/// answers, which the rewriting adds.
void check_cases(const std::string& name,
                 const std::function<std::vector<std::string>(const std::string& text)>& answer);

/// The value as it would be written in a config.
[[nodiscard]] std::string written(const Value& value);

}  // namespace benchctl::test
