// The tables of a store as SQL. For core/store/*.cpp only.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace benchctl {

/// A table that older stores lack or have in another form.
struct LaterTable {
  int version = 0;  ///< the first that has it as it is here
  std::string_view name;
  std::string_view definition;  ///< what follows the name in CREATE TABLE
};

[[nodiscard]] std::span<const LaterTable> later_tables();
/// Without a semicolon. A temporary table lives in the connection, not in the file.
[[nodiscard]] std::string create_statement(const LaterTable& table, bool temporary);
/// Everything for an empty database.
[[nodiscard]] std::string create_all_tables();

}  // namespace benchctl
