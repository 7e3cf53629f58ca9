#include "report/headline.hpp"

#include "report/headline_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace benchctl {

namespace {

/// Measures roofs: what is asked of it beside other workloads is no question of the title.
constexpr std::string_view roof_probes = "peaks";

}  // namespace

std::vector<Headline> headlines_of(const std::string& title, std::span<const HeadlineRow> rows,
                                   std::span<const std::string> labels) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> workloads;
  for (std::size_t place = 0; place < rows.size(); ++place) {
    const Standing standing = rows[place].standing;
    if (standing == Standing::outside || standing == Standing::repeated) continue;
    const std::string& workload = rows[place].row->point().workload;
    auto found = std::ranges::find(workloads, workload, [](const auto& entry) { return entry.first; });
    if (found == workloads.end()) found = workloads.insert(workloads.end(), {workload, {}});
    found->second.push_back(place);
  }
  if (workloads.size() > 1) {
    std::erase_if(workloads, [](const auto& entry) { return entry.first == roof_probes; });
  }
  std::vector<Headline> headlines;
  for (auto& [workload, places] : workloads) {
    Headline headline = tell(title, rows, labels, places);
    if (workloads.size() > 1) headline.text = fmt::format("{}: {}", workload, headline.text);
    headlines.push_back(std::move(headline));
  }
  return headlines;
}

std::vector<Headline> headlines_of(const Report& report) {
  std::vector<std::string> titles;
  std::vector<std::size_t> title_of;
  for (const ReportRun& run : report.runs) {
    const std::string& title = run.row.title.empty() ? run.row.name : run.row.title;
    const auto found = std::ranges::find(titles, title);
    title_of.push_back(static_cast<std::size_t>(found - titles.begin()));
    if (found == titles.end()) titles.push_back(title);
  }
  std::vector<std::string> labels;
  for (const Platform& platform : report.platforms) labels.push_back(platform.label);
  std::vector<Headline> all;
  for (std::size_t title = 0; title < titles.size(); ++title) {
    std::vector<HeadlineRow> rows;
    for (std::size_t i = 0; i < report.rows.size(); ++i) {
      const RowPlace& place = report.places[i];
      const bool own = title_of[place.run] == title;
      rows.push_back({&report.rows[i], place.platform, own ? place.standing : Standing::outside});
    }
    std::ranges::move(headlines_of(titles[title], rows, labels), std::back_inserter(all));
  }
  return all;
}

}  // namespace benchctl
