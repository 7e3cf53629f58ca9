// `[search]`: which points of a space are tried, and in which order.
#include "config/read.hpp"

#include <fmt/format.h>

namespace benchctl {

void read_search(Reporter& reporter, const Node& node, const std::string& place, SearchSettings& search) {
  const TableReader table(reporter, node, place, config_table("[search]"));
  search.position = node.position;
  if (node.kind != Node::Kind::table) return;
  if (const Node* strategy = table.find("strategy")) {
    if (const auto word = read_word(reporter, *strategy, table.quoted("strategy"))) search.strategy = *word;
  }
  const auto read_integer = [&](const char* key, std::int64_t least, std::int64_t most,
                                std::uint64_t& value) {
    const Node* member = table.find(key);
    if (member == nullptr) return;
    const auto* integer = std::get_if<std::int64_t>(&member->value);
    if (member->kind == Node::Kind::integer && *integer >= least && *integer <= most) {
      value = static_cast<std::uint64_t>(*integer);
    } else {
      reporter.error(member->position, member->raw,
                     fmt::format("{} is {}", table.quoted(key),
                                 member->raw.empty() ? std::string(describe(member->kind)) : member->raw),
                     fmt::format("an integer from {} to {}", least, most));
    }
  };
  read_integer("max_points", 1, static_cast<std::int64_t>(max_combinations), search.max_points);
  read_integer("seed", 0, std::int64_t{1} << 53, search.seed);
}

}  // namespace benchctl
