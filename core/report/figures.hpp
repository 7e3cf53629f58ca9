// Figures of a point by metric: as a map would hold them, in a quarter of its memory.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace benchctl {

class Figures {
 public:
  Figures() = default;
  Figures(std::initializer_list<std::pair<std::string_view, double>> figures);

  /// The metric's figure is `value` from now on. An id that no metric has is left out, and so is what is
  /// not finite.
  void set(std::string_view metric, double value);
  /// NaN where there is none.
  [[nodiscard]] double get(std::string_view metric) const;
  [[nodiscard]] bool has(std::string_view metric) const;

 private:
  struct Entry {
    std::uint16_t metric = 0;  ///< its place in metric_table
    double value = 0;
  };
  std::vector<Entry> entries_;
};

}  // namespace benchctl
