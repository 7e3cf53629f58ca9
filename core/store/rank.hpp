// Who is fastest: decided here and nowhere else. Tables, headlines, documents, pages, explanations, finals
// of searches and tuning ask this function; it reads the comparisons that the run stored.
#pragma once

#include "store/result.hpp"

#include <limits>
#include <span>
#include <vector>

namespace benchctl {

/// How a row stands among rows of its device.
struct Standing {
  /// Is it one of them, and may it win (store/result.hpp)? Nothing below is true of a row that may not.
  bool competes = false;
  bool best = false;       ///< the fastest: one row
  bool ties = false;       ///< not shown slower than that one
  bool by_rounds = false;  ///< the fastest by common rounds, though another has a smaller median
  /// Was it measured in turns with the fastest, in one run? Of other rows only the medians tell.
  bool together = true;
  /// Its time over that of the fastest, at least 1 if it competes: by common rounds if there are any, else
  /// by the medians. NaN if there is no fastest, or a newer run has the point.
  double versus_best = no_number;
};

/// How it stands among all rows of its device.
struct Rank : Standing {
  Standing own;    ///< among those that are not vendor libraries
  Standing asked;  ///< among those that the question is about
  /// 1: the fastest and what ties with it; then one more for each row that is faster. 0: it does not
  /// compete.
  std::size_t place = 0;
  /// Its time over that of the fastest of all devices: `versus_best` times the ratio of the medians of the
  /// two fastest, since devices have no common rounds. NaN as `versus_best`, and of one device alone.
  double versus_devices = no_number;
  /// Orders rows of any problems and devices: the median of the fastest times `versus_best`, and not below
  /// that of a row with a smaller place. A row that does not compete has its median here, or infinity.
  double order_ns = std::numeric_limits<double>::infinity();

  /// What tables show before the row: `*` the fastest of its device, or the fastest that is not a vendor
  /// library; `=` ties with one of them; else nothing.
  [[nodiscard]] std::string_view mark() const {
    return best || own.best ? "*" : ties || own.ties ? "=" : "";
  }
};

/// Where a row stands, for whoever has rows of several devices and runs.
struct RowOrigin {
  std::size_t platform = 0;  ///< rows of one number compete
  std::size_t run = 0;
  bool older = false;  ///< a newer run has the same point, which stands for both: this one does not compete
  bool asked = false;  ///< the question is about it (model/point.hpp)
};

/// Ranks rows of one problem that were measured in the same way. In the order of the rows. Rows of
/// different runs, and reused ones, were not measured together: the processes decide (stats/race.hpp), or a
/// faster row that is shown slower than the best; else they tie.
[[nodiscard]] std::vector<Rank> rank(std::span<const Result* const> rows,
                                     std::span<const RowOrigin> origins);

/// The same for rows of one run, with devices distinguished by their names, and no question.
[[nodiscard]] std::vector<Rank> rank(std::span<const Result* const> rows);

}  // namespace benchctl
