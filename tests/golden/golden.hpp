// Expected outputs: whole files of tests/golden/expected. With BENCHCTL_WRITE_GOLDEN set they are
// rewritten.
#pragma once

#include <string>

namespace benchctl::test {

/// The text must be that of the file of this name. Numbers are compared to nine digits, since mathematical
/// libraries differ in the last ones.
void check_golden(const std::string& name, const std::string& text);

}  // namespace benchctl::test
