#include "observe/summary.hpp"

#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace benchctl {

namespace {

double samples_marked(std::span<const ObservedBlock> blocks, const std::string& id, bool& known) {
  double count = 0;
  for (const ObservedBlock& entry : blocks) {
    const auto found = entry.block->readings.find(id);
    if (found == entry.block->readings.end() || found->second.empty()) continue;
    known = true;
    const auto marked =
        static_cast<double>(std::ranges::count_if(found->second, [](double value) { return value != 0; }));
    const bool by_block = found->second.size() == 1;
    count += by_block ? marked * static_cast<double>(entry.block->ns.size()) : marked;
  }
  return count;
}

}  // namespace

Resources summarize_readings(std::span<const ObservedBlock> blocks, std::span<const ReadingInfo> readings) {
  Resources figures;
  for (const ReadingInfo& reading : readings) {
    if (reading.kind != ReadingKind::block) continue;
    if (reading.summary == ReadingSummary::samples) {
      bool known = false;
      const double count = samples_marked(blocks, reading.id, known);
      if (known) figures[reading.id] = count;
      continue;
    }
    std::vector<double> values;
    for (const ObservedBlock& entry : blocks) {
      const auto found = entry.block->readings.find(reading.id);
      if (!entry.used || found == entry.block->readings.end()) continue;
      std::ranges::copy_if(found->second, std::back_inserter(values),
                           [](double value) { return std::isfinite(value); });
    }
    if (values.empty()) continue;
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    switch (reading.summary) {
      case ReadingSummary::median:
        figures[reading.id] = stats::median(values);
        break;
      case ReadingSummary::mean:
        figures[reading.id] = sum / static_cast<double>(values.size());
        break;
      case ReadingSummary::maximum:
        figures[reading.id] = std::ranges::max(values);
        break;
      case ReadingSummary::sum:
        figures[reading.id] = sum;
        break;
      case ReadingSummary::samples:
        break;
    }
  }
  return figures;
}

}  // namespace benchctl
