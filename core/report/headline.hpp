// The answer: for each device one sentence, made from the ranks of the rows (store/rank.hpp).
#pragma once

#include "report/report.hpp"

#include <optional>
#include <string>
#include <vector>

namespace benchctl {

/// What one device answers.
struct HeadlineLine {
  std::size_t platform = 0;
  std::optional<std::size_t> winner{};  ///< place among the report's rows; nothing where no time may win
  std::string device{};
  std::string answer{};   ///< `tile 32`, `tile 32, 4 tie`, `tile 32, all 5 tie`
  std::string time{};     ///< `99.8 ms (91–131)`
  std::string factors{};  ///< `1.3× faster than 16, CLBlast is 3.8× faster`
};

struct Headline {
  std::string title{};     ///< the experiment's title
  std::string workload{};  ///< there is a headline for each
  std::string about{};     ///< `matmul f32, n = 512`
  std::string question{};  ///< `which tile?`; empty where nothing competes
  std::vector<HeadlineLine> lines{};
  std::vector<std::string> more{};          ///< what other problems say, a line each
  std::optional<std::size_t> comparison{};  ///< that the lines are about, if it is one
  /// What a chart beside it shows: rows along `axis`, or, where that is empty, one after the other.
  std::string axis{};                 ///< a parameter, `layout`, `cache` or `launch`
  std::string quantity = "time";      ///< `time`, `access` (time per access), `gflops` or `gbytes`
  std::vector<std::size_t> rows{};    ///< places among the report's rows
  std::vector<std::size_t> beside{};  ///< yardsticks of these: one time for the whole axis

  /// `matmul f32, n = 512: which tile?`
  [[nodiscard]] std::string asked() const;
  /// All of it but `more`, in one line.
  [[nodiscard]] std::string text() const;
};

/// One for each title of the runs and each workload. Probes of roofs are left out beside anything else.
///
/// The question is that of the run (`[experiment] question`), or what its points vary (model/point.hpp):
/// which value of a tunable is fastest, else which variant. Where a device has hardly more than one row for
/// each of many problems, and no tunable varies, it is how times go along a parameter of the problem, the
/// cache mode or the launch mode: that with most values.
///
/// Lines are about the largest problem on which every device has a winner that does not tie with all its
/// rivals; where there is none, each device speaks of its own. A winner is compared with its runner-up, and
/// with the fastest row of the device or, if it is that itself, the fastest vendor library.
[[nodiscard]] std::vector<Headline> headlines_of(const Report& report);

/// As a list: an entry for each question, its answers below it.
[[nodiscard]] std::string headlines_markdown(std::span<const Headline> headlines);

// What is the fastest on each platform, problem by problem: one row a device, read off the ranks.

struct Answer {
  std::size_t comparison = 0;
  std::size_t platform = 0;
  std::optional<std::size_t> best{};
  std::vector<std::size_t> ties{};   ///< others that are not shown slower
  std::optional<std::size_t> own{};  ///< the fastest that is not a vendor library, where the best is one
  std::string why_none{};            ///< why there is no best
};

/// The answers of one problem, in the order of its platforms.
[[nodiscard]] std::vector<Answer> answers_of(const Report& report, std::size_t comparison);

/// The answers of all problems, in the order of the config.
[[nodiscard]] std::vector<Answer> answers_of(const Report& report);

/// Why none of these rows, which have times, may win: `2 above the measured roof`.
[[nodiscard]] std::string why_none_wins(const Report& report, std::span<const std::size_t> rows);

/// `matmul n=512 dtype=f32`.
[[nodiscard]] std::string problem_text(const ProblemKey& key);
/// `not resolved`: the verdict for a table.
[[nodiscard]] std::string verdict_word(const Comparison& comparison);
/// `tiled tile=16 layout=soa`.
[[nodiscard]] std::string variant_text(const Result& row);

}  // namespace benchctl
