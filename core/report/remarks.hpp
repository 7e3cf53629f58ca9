// What a table says of a row beside its figures: short codes, which one line each explains below the table.
#pragma once

#include "store/rank.hpp"

#include <array>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace benchctl {

struct RemarkInfo {
  std::string_view code;  ///< `…`: a word or figures of the row
  std::string_view doc;
};

inline constexpr auto remark_table = std::to_array<RemarkInfo>({
    {"vendor", "a library tuned by others: the yardstick"},
    {"… kernel",
     "the library's kernel is for an older processor: it leaves vector instructions of this one unused"},
    {"… threads", "ran on so many; other rows of its device on one"},
    {"own reference", "the kernel's own results, with default tunables, were taken for right"},
    {"wrong", "expected to be wrong: it shows a mistake"},
    {"n=…", "so few samples; their range is from the smallest to the largest"},
    {"noisy", "half of its samples lie more than 25 % from the median: the time will not repeat"},
    {"±…, asked …", "half the 95 % interval of the median, and the target that it missed"},
    {"bimodal a/b", "samples lie around two values"},
    {"reused", "measured by an older run"},
    {"measured again", "another row of this run has a later time of it, which counts"},
    {"not together",
     "no common round with the fastest: another run measured it, or it has one sample. It counts as a tie"},
    {"at roof", "above the measured roof, but not all of its range"},
    {"above roof", "faster than the measured roof allows: it cannot win; `explain` says more"},
    {"audit undecided", "its audit could not decide whether the time is real: it cannot win"},
    {"not audited", "one of the fastest that there was no time to audit"},
    {"… throttled", "samples taken while the device lowered its clock"},
    {"… power-capped", "samples taken at the limit of power"},
    {"clock a/b", "the device's clock, below half of the highest in this run"},
});

/// The note of a result that there was no time to audit.
inline constexpr std::string_view not_audited_note = "not_audited";

/// Where samples have two modes: `bimodal 122/207 µs`; else empty.
[[nodiscard]] std::string modes_text(const Result& result);

/// Writes remarks of the rows of one run, and remembers which codes occurred.
class Remarks {
 public:
  explicit Remarks(std::span<const Result> rows);

  /// `vendor, 16 threads, bimodal 122/207 µs`; `brief`: the last without its figures.
  [[nodiscard]] std::string of(const Result& row, const Rank& rank, bool brief = false);

  /// A line for each code that occurred, in the order of the table.
  [[nodiscard]] std::string legend() const;

 private:
  std::map<std::string, double, std::less<>> highest_clock_;           ///< by device, MHz
  std::map<std::string, std::set<std::string>, std::less<>> threads_;  ///< by device
  std::set<std::string_view> occurred_;
};

}  // namespace benchctl
