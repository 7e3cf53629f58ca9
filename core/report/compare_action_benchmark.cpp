// New's times for github-action-benchmark: https://github.com/benchmark-action/github-action-benchmark.
#include "report/compare_documents.hpp"
#include "report/format.hpp"
#include "report/json_text.hpp"
#include "report/point_words.hpp"

#include <fmt/format.h>

#include <cmath>

namespace benchctl {

std::string compare_action_benchmark(const CompareResult& result) {
  JsonText json;
  json.begin_array();
  for (const ComparedPoint& point : result.fresh->points) {
    if (!point.timed()) continue;
    const Measurement& m = *point.measurement;
    json.begin_object()
        .field("name", full_label(point.point))
        .field("unit", "ns")
        .field("value", m.median_ns);
    const double half = (m.ci_high_ns - m.ci_low_ns) / 2;
    if (std::isfinite(half)) json.field("range", fmt::format("± {}", format_significant(half, 3)));
    json.end_object();
  }
  return json.end_array().take() + '\n';
}

}  // namespace benchctl
