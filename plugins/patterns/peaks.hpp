// Memory instructions of workload `peaks`. `piece`, an expression, is how many bytes a thread accesses at
// once.
#pragma once

#include <benchctl/access_spec.hpp>

namespace benchctl::patterns {

/// Blocks read segments of 64 KiB, their threads next to one another; for probe dram_read_apart every other
/// 64 bytes.
[[nodiscard]] inline Accesses segments_read(const std::string& piece) {
  const std::string along = "t * " + piece;
  const std::string place = "bx % ceil_div(bytes, 65536) * 65536 + " + along +
                            " + if(probe == 'dram_read_apart', " + along + " - " + along + " % 64, 0)";
  return {
      access(AccessSpace::global, AccessKind::read, "in", place, piece, place + " + " + piece + " <= bytes",
             "ceil_div(min(bytes, 65536), block * " + piece + " * if(probe == 'dram_read_apart', 2, 1))")};
}

/// Arrays streamed through, the last of `operands` written: `unroll` pieces per thread, a block's width
/// apart.
[[nodiscard]] inline Accesses streamed(const std::vector<const char*>& operands, const std::string& piece) {
  const std::string place = "(bx * block * unroll + t) * " + piece;
  Accesses all;
  for (const char* operand : operands) {
    all.push_back(access(AccessSpace::global,
                         operand == operands.back() ? AccessKind::write : AccessKind::read, operand, place,
                         piece, place + " + " + piece + " <= bytes", "unroll"));
  }
  return all;
}

/// Pieces of 16 bytes out of a tile of 16 KiB in shared memory, neighbours by neighbours.
[[nodiscard]] inline Accesses tile_read() {
  return {access(AccessSpace::shared, AccessKind::read, "tile", "i % 1024 * 16", "16", "i * 4 < bytes",
                 "rounds")};
}

}  // namespace benchctl::patterns
