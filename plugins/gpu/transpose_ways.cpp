#include "gpu/transpose_ways.hpp"

#include "gpu/ceil_div.hpp"
#include "gpu/planned_arguments.hpp"

#include <limits>
#include <string>

namespace benchctl::gpu {

namespace {

constexpr std::uint64_t pack_bytes = 16;
constexpr std::uint64_t sector_bytes = 32;
constexpr std::uint64_t short_row_bytes = 2048;
/// In a second-level cache, of in, per multiprocessor.
constexpr std::uint64_t cached_bytes = 160 << 10;
constexpr std::uint64_t grid_limit = 65535;  ///< blocks in y

/// What a multiprocessor can have on its way at once, so that latency decides: elements in packs, or one by
/// one; and so few that a barrier costs more than what it orders.
constexpr std::uint64_t packed_elements = 8192;
constexpr std::uint64_t loose_elements = 12288;
constexpr std::uint64_t direct_elements = 1000;

/// Of flat and tall ways: a thread per row or column.
constexpr std::uint32_t strip_threads = 128;

/// How few rows or columns make a strip, in bytes or in number.
constexpr std::uint64_t strip_bytes = 136;
constexpr std::uint64_t small_strip_bytes = 64;
constexpr std::uint64_t small_strip_lines = 8;
constexpr std::uint64_t loose_columns = 11;

enum class Amount { direct, little, much };

Amount amount_of(const TransposeSize& size, bool packed, std::uint32_t compute_units) {
  const std::uint64_t elements = size.rows * size.columns;
  if (!packed && elements <= compute_units * direct_elements) return Amount::direct;
  return elements <= compute_units * (packed ? packed_elements : loose_elements) ? Amount::little
                                                                                 : Amount::much;
}

/// Where rows begin anywhere, tiles of whole sectors need up to seven rows more, or three of doubles: that
/// makes strips of more rows.
std::uint64_t most_flat_rows(const TransposeSize& size, bool packed) {
  if (packed) return strip_bytes / size.element;
  return size.element == 4 ? 61 : 23;
}

/// Whether rows are so few, and columns enough for blocks, that a block writes them as one run.
bool is_flat(const TransposeSize& size, bool packed, Amount amount, std::uint32_t compute_units) {
  const std::uint64_t enough = std::uint64_t{compute_units} * strip_threads;
  if (amount == Amount::much) return size.rows <= most_flat_rows(size, packed);
  if (packed) return size.rows <= small_strip_lines && size.columns >= enough;
  if (amount == Amount::direct) {
    return size.rows <= small_strip_lines && size.rows * size.columns > compute_units * direct_elements / 2;
  }
  if (size.rows <= small_strip_lines) return true;
  return size.rows <= most_flat_rows(size, packed) &&
         size.columns >= (size.rows * size.element <= strip_bytes ? enough / 2 : enough);
}

/// Whether columns are so few that a block reads them as one run.
bool is_tall(const TransposeSize& size, bool packed, Amount amount, std::uint32_t compute_units) {
  const std::uint64_t bytes = size.columns * size.element;
  if (amount == Amount::much) return packed ? bytes <= strip_bytes : size.columns <= loose_columns;
  if (packed) {
    return size.columns <= small_strip_lines && size.rows >= std::uint64_t{compute_units} * strip_threads;
  }
  if (amount == Amount::little) return bytes <= small_strip_bytes;
  return size.columns <= small_strip_lines &&
         size.rows * size.columns > compute_units * direct_elements / 2;
}

/// A square of 16 bytes per thread, two elements straight from in to out, or eight in tiles of 64 rows
/// where a multiprocessor gets three of those, four in lower ones where it does not.
TransposeWay small_way(const TransposeSize& size, TransposeWay way, Amount amount,
                       std::uint32_t compute_units) {
  way.small = true;
  if (amount == Amount::direct) {
    way.direct = true;
    way.run = way.across = 16;
    way.threads = 128;
  } else if (way.packed) {
    way.run = 128 / size.element;
    way.across = 256 / size.element;
    way.threads = 128;
  } else {
    way.run = size.rows * size.columns >= std::uint64_t{compute_units} * 3 * 64 * 32 ? 64 : 32;
    way.across = 32;
  }
  return way;
}

/// Strips have tiles of their form, so that few threads are idle. Other tiles have runs of 256 bytes of in
/// and out and a square per thread where rows start at packs, else half the rows.
void shape_tiles(const TransposeSize& size, TransposeWay& way) {
  const std::uint32_t sector = sector_bytes / size.element;
  if (way.packed) {
    way.run = way.across = 256 / size.element;
    if (size.columns <= 16) {
      way.run = 64;
      way.across = 16;
      way.threads = 128;
    }
    return;
  }
  way.run = 32;
  way.across = 64;
  way.before = size.rows % sector == 0 ? 0 : sector - 1;
  const std::uint64_t lines = size.rows + sector - 1;
  if (size.columns <= 32) {
    way.run = size.columns <= 16 ? 256 : 128;
    way.across = size.columns <= 16 ? 16 : 32;
  } else if (lines <= 32) {
    way.across = 128;
  } else if (lines <= 64) {
    way.run = 64;
  } else {
    return;
  }
  way.threads = 64 * size.element;
}

/// Tiles of short rows of in, and of matrices much higher than wide, are taken soon after one another: the
/// whole height would touch too much memory before the next columns. Not where the matrix stays in the
/// second-level cache.
std::uint32_t band_of(const TransposeSize& size, const TransposeWay& way, std::uint32_t compute_units) {
  if (size.columns <= way.across) return 0;  // one after the other in any case
  const bool stays = size.rows * size.columns * size.element <= compute_units * cached_bytes;
  if (!stays && ceil_div(size.rows + way.before, way.run) > 64) {
    if (size.columns * size.element <= short_row_bytes) return 64;
    if (size.rows >= 10 * size.columns) return 16;
  }
  return ceil_div(size.columns, way.across) > grid_limit ? std::numeric_limits<std::int32_t>::max() : 0;
}

}  // namespace

TransposeWay choose_transpose(const TransposeSize& size, std::uint32_t compute_units) {
  TransposeWay way;
  way.packed = size.rows * size.element % pack_bytes == 0 && size.columns * size.element % pack_bytes == 0;
  const Amount amount = amount_of(size, way.packed, compute_units);
  way.flat = is_flat(size, way.packed, amount, compute_units);
  way.tall = !way.flat && is_tall(size, way.packed, amount, compute_units);
  if (way.flat || way.tall) {
    way.run = way.flat ? static_cast<std::uint32_t>(size.rows) : strip_threads;
    way.across = way.tall ? static_cast<std::uint32_t>(size.columns) : strip_threads;
    way.threads = strip_threads;
    return way;
  }
  if (amount != Amount::much) {
    const TransposeWay small = small_way(size, way, amount, compute_units);
    if (ceil_div(size.columns, small.across) <= grid_limit) return small;
  }
  shape_tiles(size, way);
  way.band = band_of(size, way, compute_units);
  return way;
}

TransposeSize transpose_size(const ProblemSpec& problem) {
  const auto scalar = [&](const char* name) {
    return static_cast<std::uint64_t>(
        std::get<std::int64_t>(problem.scalars[problem.position_of_scalar(name)].value));
  };
  const bool wide = problem.buffers[problem.position_of_buffer("in")].type == DType::f64;
  return {scalar("rows"), scalar("columns"), wide ? 8U : 4U};
}

KernelPlan plan_transpose(const ProblemSpec& problem, const TransposeSize& size, const TransposeWay& way,
                          const std::filesystem::path& source, const char* threads_macro) {
  const std::uint32_t width = way.direct ? 1 : static_cast<std::uint32_t>(pack_bytes / size.element);
  const std::uint64_t down = way.flat ? 1 : ceil_div(size.rows + way.before, way.run);
  const std::uint64_t across = ceil_div(size.columns, way.across);
  const bool both_ways = way.band == 0 && !way.flat;
  const auto number = [](std::uint64_t value) { return std::to_string(value); };
  PlannedLaunch launch;
  launch.source = source.lexically_normal().string();
  launch.entry = "transpose_swizzled";
  launch.defines = {{"REAL", size.element == 8 ? "double" : "float"},
                    {"USE_FP64", number(size.element == 8 ? 1 : 0)},  // asked by OpenCL alone
                    {"WIDTH", number(width)},
                    {"RUN", number(way.run)},
                    {"ACROSS", number(way.across)},
                    {"BEFORE", number(way.before)},
                    {"PACKED", number(way.packed || way.direct ? 1 : 0)},
                    {"SMALL", number(way.small ? 1 : 0)},
                    {"FLAT", number(way.flat ? 1 : 0)},
                    {"TALL", number(way.tall ? 1 : 0)},
                    {"BAND", number(way.band)},
                    {threads_macro, number(way.threads)}};
  launch.block = {way.threads, 1, 1};
  launch.grid = {both_ways ? down : down * across, both_ways ? across : 1, 1};
  // Flat, tall and small tiles that begin anywhere are padded by an element; shifted lines are a pack
  // longer and an element apart.
  std::uint64_t elements = std::uint64_t{way.run} * way.across;
  if (way.flat)
    elements = std::uint64_t{way.across} * (way.run | 1U);
  else if (way.tall)
    elements = std::uint64_t{way.run} * (way.across | 1U);
  else if (way.small)
    elements = way.packed || way.direct ? 0 : std::uint64_t{way.run} * (way.across + 1);
  else if (!way.packed)
    elements = std::uint64_t{way.run + way.before} * (way.across + width + 1);
  launch.local_bytes = ceil_div(elements * size.element, pack_bytes) * pack_bytes;
  launch.arguments = {buffer_argument(problem, "in"), buffer_argument(problem, "out"),
                      scalar_argument(problem, "rows"), scalar_argument(problem, "columns")};
  KernelPlan plan;
  plan.launches.push_back(std::move(launch));
  return plan;
}

std::string to_text(const TransposeWay& way) {
  const char* name = way.packed ? "packed" : "shifted";
  if (way.small) name = way.direct ? "direct" : "small";
  if (way.flat) name = "flat";
  if (way.tall) name = "tall";
  return std::string(name) + " " + std::to_string(way.run) + "x" + std::to_string(way.across) +
         " threads=" + std::to_string(way.threads);
}

}  // namespace benchctl::gpu
