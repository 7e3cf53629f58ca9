// A plugin's table of native variants, collected from one file or several: each registers its entries with
// a static object, and is added without an edit elsewhere.
//
//     const VariantTable<Make>::Registration registration([] {
//       return std::vector<VariantTable<Make>::Entry>{{naive(), &make_naive}, {vendor(), &make_vendor}};
//     });
#pragma once

#include <benchctl/variant.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace benchctl {

/// `Native` is what the plugin makes a native variant with: a pointer to a function, null for variants that
/// are source files.
template <class Native>
class VariantTable {
 public:
  /// A variant with what makes it ready.
  struct Entry {
    VariantInfo info;  ///< as the host sees it
    Native native{};   ///< empty for source files
  };
  /// Makes the entries of one file.
  using Maker = std::vector<Entry> (*)();

  /// The table of this plugin: its symbols are hidden, so that every plugin has a table of its own.
  static VariantTable& instance() {
    static VariantTable table;
    return table;
  }

  /// The static object of a file.
  struct Registration {
    /// `maker` is called when the table is first asked for.
    explicit Registration(Maker maker) { instance().makers_.push_back(maker); }
  };

  /// All entries, by workload; those of a workload in the order of its file.
  [[nodiscard]] std::span<const VariantInfo> infos() {
    make();
    return infos_;
  }
  /// Null for a variant that is not in the table or is a source file.
  [[nodiscard]] Native native(const VariantInfo& variant) {
    make();
    for (std::size_t i = 0; i < infos_.size(); ++i) {
      if (infos_[i].workload == variant.workload && infos_[i].name == variant.name) return natives_[i];
    }
    return {};
  }

 private:
  VariantTable() = default;

  void make() {
    if (!infos_.empty()) return;
    std::vector<Entry> all;
    for (const Maker maker : makers_) {
      for (Entry& entry : maker()) all.push_back(std::move(entry));
    }
    std::ranges::stable_sort(all, {}, [](const Entry& entry) { return entry.info.workload; });
    for (Entry& entry : all) {
      natives_.push_back(entry.native);
      infos_.push_back(std::move(entry.info));
    }
  }

  std::vector<Maker> makers_;
  std::vector<VariantInfo> infos_;
  std::vector<Native> natives_;
};

}  // namespace benchctl
