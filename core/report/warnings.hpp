// What a reader must know before comparing anything in a report.
#pragma once

#include "report/report.hpp"

namespace benchctl {

/// Whole sentences, the gravest first: runs that are not complete, records that differ between runs, points
/// that did not settle, devices that share their hardware, platforms without roofs.
[[nodiscard]] std::vector<std::string> warnings_of(const Report& report);

/// Keys of the environment records whose values differ between runs, of the given class.
[[nodiscard]] std::vector<std::string> differing_keys(const Report& report, std::string_view entry_class);

}  // namespace benchctl
