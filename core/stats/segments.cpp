#include "stats/segments.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

namespace benchctl::stats {

namespace {

/// Sum of the distances of values to their median, one value after the other.
class MedianCost {
 public:
  void add(double value) {
    if (low_.empty() || value <= low_.top()) {
      low_.push(value);
      low_sum_ += value;
    } else {
      high_.push(value);
      high_sum_ += value;
    }
    if (low_.size() > high_.size() + 1) {
      move_top(low_, low_sum_, high_, high_sum_);
    } else if (high_.size() > low_.size()) {
      move_top(high_, high_sum_, low_, low_sum_);
    }
  }
  [[nodiscard]] double cost() const {
    const double odd = low_.size() > high_.size() ? low_.top() : 0;
    return std::max(0.0, high_sum_ - (low_sum_ - odd));
  }

 private:
  template <class From, class To>
  static void move_top(From& from, double& from_sum, To& to, double& to_sum) {
    const double value = from.top();
    from.pop();
    from_sum -= value;
    to.push(value);
    to_sum += value;
  }

  std::priority_queue<double> low_;
  std::priority_queue<double, std::vector<double>, std::greater<>> high_;
  double low_sum_ = 0;
  double high_sum_ = 0;
};

}  // namespace

std::vector<std::size_t> robust_segments(std::span<const double> values, double penalty,
                                         const SegmentLengths& lengths) {
  const std::size_t n = values.size();
  // best[i]: least cost of the values from i on; next[i]: where their first segment ends.
  std::vector<double> best(n + 1, std::numeric_limits<double>::infinity());
  best[n] = 0;
  std::vector<std::size_t> next(n, n);
  for (std::size_t from = n; from-- > 0;) {
    MedianCost cost;
    for (std::size_t to = from + 1; to <= n; ++to) {
      cost.add(values[to - 1]);
      const std::size_t least = from == 0 || to == n ? lengths.end : lengths.inner;
      if (to - from < least) continue;
      const double sum = cost.cost() + penalty + best[to];
      if (sum < best[from]) {
        best[from] = sum;
        next[from] = to;
      }
    }
  }
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < n; at = next[at]) starts.push_back(at);
  return starts;
}

}  // namespace benchctl::stats
