// The tables of a store as SQL. For core/store/*.cpp only.
#pragma once

#include <string>

namespace benchctl {

/// Everything for an empty database.
[[nodiscard]] std::string create_all_tables();

}  // namespace benchctl
