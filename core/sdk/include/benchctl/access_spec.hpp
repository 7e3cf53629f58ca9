// Building blocks of access patterns: what VariantInfo::access says of a variant's memory instructions.
// Needs a plugin to include it; plugin.hpp does not.
#pragma once

#include <benchctl/variant.hpp>

#include <utility>

namespace benchctl::patterns {

using Accesses = std::vector<AccessSpec>;

/// All texts are expressions (AccessSpec).
[[nodiscard]] inline AccessSpec access(AccessSpace space, AccessKind kind, std::string operand,
                                       std::string offset, std::string bytes, std::string active = "true",
                                       std::string times = "1") {
  AccessSpec spec;
  spec.operand = std::move(operand);
  spec.space = space;
  spec.kind = kind;
  spec.offset = std::move(offset);
  spec.bytes = std::move(bytes);
  spec.active = std::move(active);
  spec.times = std::move(times);
  return spec;
}

/// Element `place * width` of an array of `count` elements of the problem's type, and those behind it that
/// make a pack of `width`: less at the array's end.
[[nodiscard]] inline AccessSpec pack(AccessKind kind, std::string operand, const std::string& place,
                                     const std::string& width, std::string times = "1",
                                     const std::string& count = "n") {
  const std::string first = place + " * " + width;
  return access(AccessSpace::global, kind, std::move(operand), first + " * sizeof(dtype)",
                "min(" + width + ", " + count + " - " + first + ") * sizeof(dtype)", first + " < " + count,
                std::move(times));
}

/// Every element of an array once, by a thread of its own: what is known of kernels that move an array
/// whole, in whatever way.
[[nodiscard]] inline AccessSpec whole(AccessKind kind, std::string operand, std::string count = "n") {
  AccessSpec spec =
      access(AccessSpace::global, kind, std::move(operand), "i * sizeof(dtype)", "sizeof(dtype)");
  spec.threads = std::move(count);
  return spec;
}

inline void append(Accesses& all, const Accesses& more) { all.insert(all.end(), more.begin(), more.end()); }

/// The same, by so many threads instead of a launch's.
[[nodiscard]] inline Accesses by_threads(Accesses all, const std::string& threads) {
  for (AccessSpec& spec : all) spec.threads = threads;
  return all;
}

}  // namespace benchctl::patterns
