// Memory instructions of workload `transpose`. Blocks move squares of `tile` × `tile` elements with
// `block_rows` rows of threads, both tunables.
#pragma once

#include <benchctl/access_spec.hpp>

namespace benchctl::patterns {

/// An element of the first that the threads of a block move, x along a row of in.
[[nodiscard]] inline AccessSpec tile_access(AccessSpace space, AccessKind kind, const std::string& place,
                                            const std::string& active) {
  const char* operand = space == AccessSpace::shared ? "tile" : kind == AccessKind::read ? "in" : "out";
  return access(space, kind, operand, "(" + place + ") * sizeof(dtype)", "sizeof(dtype)", active,
                "tile / block_rows");
}

inline constexpr const char* inside_in = "by * tile + ty < rows and bx * tile + tx < columns";
inline constexpr const char* inside_out = "bx * tile + ty < columns and by * tile + tx < rows";

[[nodiscard]] inline AccessSpec row_of_in() {
  return tile_access(AccessSpace::global, AccessKind::read, "(by * tile + ty) * columns + bx * tile + tx",
                     inside_in);
}

/// Rows are read, columns written.
[[nodiscard]] inline Accesses transposed_directly() {
  return {row_of_in(), tile_access(AccessSpace::global, AccessKind::write,
                                   "(bx * tile + tx) * rows + by * tile + ty", inside_in)};
}

/// Rows on both sides, through a tile in shared memory whose rows are `padding` elements longer.
[[nodiscard]] inline Accesses transposed_in_shared_memory(const std::string& padding) {
  const std::string pitch = "(tile + " + padding + ")";
  return {row_of_in(),
          tile_access(AccessSpace::shared, AccessKind::write, "ty * " + pitch + " + tx", inside_in),
          tile_access(AccessSpace::shared, AccessKind::read, "tx * " + pitch + " + ty", inside_out),
          tile_access(AccessSpace::global, AccessKind::write, "(bx * tile + ty) * rows + by * tile + tx",
                      inside_out)};
}

/// The same in packs of 16 bytes along x. In shared memory their elements go one by one, each access
/// standing for as many as a pack has. One element of padding.
[[nodiscard]] inline Accesses transposed_in_packs() {
  const std::string width = "(16 / sizeof(dtype))";
  const std::string active_in = "by * tile + ty < rows and bx * tile + tx * " + width + " < columns";
  const std::string active_out = "bx * tile + ty < columns and by * tile + tx * " + width + " < rows";
  Accesses all = {
      tile_access(AccessSpace::global, AccessKind::read,
                  "(by * tile + ty) * columns + bx * tile + tx * " + width, active_in),
      tile_access(AccessSpace::shared, AccessKind::write, "ty * (tile + 1) + tx * " + width, active_in),
      tile_access(AccessSpace::shared, AccessKind::read, "tx * " + width + " * (tile + 1) + ty",
                  active_out),
      tile_access(AccessSpace::global, AccessKind::write,
                  "(bx * tile + ty) * rows + by * tile + tx * " + width, active_out)};
  for (AccessSpec& spec : all) {
    if (spec.space == AccessSpace::global) {
      spec.bytes = "16";
    } else {
      spec.times = "tile / block_rows * " + width;
    }
  }
  return all;
}

/// Both arrays whole, in whatever order: no tile, no requests.
[[nodiscard]] inline Accesses transposed_whole() {
  return {whole(AccessKind::read, "in", "rows * columns"),
          whole(AccessKind::write, "out", "rows * columns")};
}

}  // namespace benchctl::patterns
