// Why a stored point became what it is, in plain words: made from the store alone.
#pragma once

#include "report/point_names.hpp"

#include <map>
#include <string>
#include <vector>

namespace benchctl {

/// One thing that is to be said of a point.
struct Finding {
  std::string topic;  ///< one word: `status`, `spread`, `roof`
  std::string text;   ///< whole sentences
  /// What the text says in numbers, by metric id where there is one; no entry is NaN.
  std::map<std::string, double> figures = {};
};

/// Everything that findings are made from.
struct PointStory {
  const FoundPoint& choice;
  std::vector<RoofRow> roofs;          ///< those of the point's device that the run used
  std::vector<SampleRow> sample_rows;  ///< all samples of the point, unused ones too
  std::vector<EventRow> events{};      ///< what happened in the run
};

[[nodiscard]] PointStory point_story(const Store& store, const FoundPoint& choice);

/// In the order in which a reader wants them: what became of it and what to do, what the device allows,
/// verification, the measurement, then what decides its speed and how it ranks.
[[nodiscard]] std::vector<Finding> explain(const PointStory& story);

/// The part of it that tells why the point is as fast as it is. Nothing for a point without times but its
/// resources.
[[nodiscard]] std::vector<Finding> explain_speed(const PointStory& story);

/// Topic and wrapped text, a finding after the other. `width` in columns.
[[nodiscard]] std::string explanation_text(const FoundPoint& choice, const std::vector<Finding>& findings,
                                           std::size_t width);

/// {schema: "benchctl.explain", schema_version, point, run, number, label, device, status, reason,
/// findings: [{topic, text, figures}]}. Ends with a newline.
[[nodiscard]] std::string explanation_json(const FoundPoint& choice, const std::vector<Finding>& findings);

}  // namespace benchctl
