// The variant table: one file per workload in variants/ registers its entries.
#pragma once

#include <benchctl/backend.hpp>
#include <benchctl/variant_table.hpp>

#include "buffers.hpp"
#include "work.hpp"

#include <memory>

namespace benchctl::vulkan {

/// Makes a native variant ready; null in the table for a source file.
using MakeNative = std::unique_ptr<Work> (*)(const Buffers& buffers);
using Table = VariantTable<MakeNative>;

/// Entries of variants that are source files.
[[nodiscard]] inline std::vector<Table::Entry> source_files(std::vector<VariantInfo> variants) {
  std::vector<Table::Entry> entries;
  for (VariantInfo& variant : variants) entries.push_back({std::move(variant), nullptr});
  return entries;
}

}  // namespace benchctl::vulkan
