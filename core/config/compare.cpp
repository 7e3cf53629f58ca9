// [compare]: the baseline of paired measurements and the practical threshold.
#include "config/config.hpp"
#include "config/read.hpp"
#include "model/value_order.hpp"

namespace benchctl {

void read_compare(Reporter& reporter, const Node& node, Config& config) {
  const TableReader table(reporter, node, "[compare]", config_table("[compare]"));
  if (const Node* baseline = table.find("baseline")) {
    config.baseline_position = baseline->position;
    config.compare.baseline = read_scalars(reporter, *baseline, "'baseline' in [compare]",
                                           R"(a table such as { variant = "vendor", threads = 2 })");
  }
  if (const Node* threshold = table.find("threshold")) {
    const bool number = threshold->kind == Node::Kind::integer || threshold->kind == Node::Kind::real;
    const double share = number ? as_number(threshold->value) : -1;
    if (share >= 0 && share <= 1) {
      config.compare.threshold = share;
    } else {
      reporter.error(threshold->position, threshold->raw, "'threshold' in [compare]",
                     "a share of the time from 0 to 1, such as 0.01");
    }
  }
}

}  // namespace benchctl
