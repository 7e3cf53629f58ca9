// What `benchctl compare` compares, as the command line names it.
#pragma once

#include "cli/command.hpp"
#include "report/compare_side.hpp"

#include <memory>

namespace benchctl::cli {

/// For help texts.
inline constexpr std::string_view side_forms =
    "number of a run, name of a baseline, a store's file (its newest complete run), FILE:RUN, or a file of "
    "`export` or "
    "`report --format json`";

/// Keeps the stores open that sides read samples from.
class CompareSides {
 public:
  /// A name without a file is looked for in `store`; an empty one stands for its newest complete run.
  /// Throws UsageError, StoreError, DocumentError.
  [[nodiscard]] CompareSide open(const std::filesystem::path& store, const std::string& name);

 private:
  [[nodiscard]] CompareSide of_store(const std::filesystem::path& file, const std::string& run);
  [[nodiscard]] CompareSide of_file(const std::filesystem::path& file, const std::string& run);

  std::vector<std::unique_ptr<Store>> stores_;
};

}  // namespace benchctl::cli
