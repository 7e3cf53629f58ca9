// New's times for Bencher: https://bencher.dev/docs/reference/bencher-metric-format.
#include "report/compare_documents.hpp"
#include "report/json_text.hpp"
#include "report/point_words.hpp"

#include <cmath>

namespace benchctl {

std::string compare_bmf(const CompareResult& result) {
  JsonText json;
  json.begin_object();
  for (const ComparedPoint& point : result.fresh->points) {
    if (!point.timed()) continue;
    const Measurement& m = *point.measurement;
    json.key(full_label(point.point)).begin_object().key("latency").begin_object();
    json.field("value", m.median_ns);
    if (std::isfinite(m.ci_low_ns)) json.field("lower_value", m.ci_low_ns);
    if (std::isfinite(m.ci_high_ns)) json.field("upper_value", m.ci_high_ns);
    json.end_object().end_object();
  }
  return json.end_object().take() + '\n';
}

}  // namespace benchctl
