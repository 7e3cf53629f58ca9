#include "gpu/strip_forms.hpp"

#include "gpu/ceil_div.hpp"
#include "gpu/joined_product.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace benchctl::gpu {

namespace {

/// What share of a multiprocessor's issue slots a form's loop fills while one, two, three and more of its
/// blocks are on it.
using Reached = std::array<double, 3>;

/// What the loop takes, in times of what it takes where all rows begin with packs: where those of A begin
/// anywhere, those of B, and both.
struct Longer {
  double of_a;
  double of_b;
  double of_both;
};

/// A form without what depends on the size, and with how many columns of a thread no compiler spills
/// registers where rows of A begin anywhere.
struct FormRow {
  StripForm form;
  Reached of_one;  ///< of one strip, rows of B in packs
  Reached of_others;
  Longer one_strip;  ///< `of_a` is in `of_one`
  Longer several_strips;
  std::uint32_t widest_shifted;
};

/// What the forms have in common, ns, bytes and multiply-adds.
struct Costs {
  double starting;            ///< to start and end a kernel
  double memory_bytes;        ///< of memory per ns
  double bytes_under_way;     ///< that a multiprocessor must have for that
  double joining;             ///< to wait for the last of the blocks that share a tile
  double joining_per_byte;    ///< to add up a part of it
  double other_instructions;  ///< per four steps of k, beside loads and multiply-adds
};

/// Fitted, where C is one strip and rows of B begin with packs, to 439 times of these and a sixth form in
/// up to three numbers of parts at 24 sizes on an H100, under CUDA, the others to some 2400 times at 900
/// sizes there.
constexpr std::array<FormRow, 5> forms{{
    {{4, 0, 1, 4, 64, 3, 3},
     {0.531, 0.620, 0.653},
     {0.453, 0.641, 0.706},
     {1.00, 1.54, 1.74},
     {1.07, 1.15, 1.39},
     12},
    {{8, 0, 2, 4, 64, 3, 1}, {0.685, 0, 0}, {0.685, 0, 0}, {1.00, 1.34, 1.43}, {1.10, 1.05, 1.18}, 12},
    {{4, 0, 2, 4, 64, 4, 1}, {0.653, 0, 0}, {0.642, 0, 0}, {1.00, 1.28, 1.33}, {1.06, 1.04, 1.28}, 16},
    {{4, 0, 1, 4, 32, 3, 4},
     {0.500, 0.529, 0.585},
     {0.445, 0.572, 0.654},
     {1.00, 1.42, 1.60},
     {1.10, 1.02, 1.34},
     8},
    {{4, 0, 2, 4, 64, 3, 2},
     {0.648, 0.665, 0},
     {0.636, 0.723, 0},
     {1.00, 1.35, 1.69},
     {1.09, 1.02, 1.23},
     8},
}};
constexpr Costs costs_of_one{1430, 2710, 24300, 943, 212.0 / 16384, 5.9};
constexpr Costs costs_of_others{1210, 3760, 19800, 920, 0.0152, 11.7};

/// Multiply-adds of a multiprocessor per ns.
constexpr double multiply_adds_per_ns = 243;
/// What a block of others takes longer, ns: to add up the sums of its warps and store an element of C, in
/// packs; by words, of one strip, and of several; and for rows of A that begin anywhere.
constexpr double storing_ns_per_element = 0.40;
constexpr double storing_words_ns_per_element = 0.084;
constexpr double storing_words_of_several_ns_per_element = 0.65;
constexpr double shifting_ns = 430;

constexpr std::uint64_t word = sizeof(float);
constexpr std::uint64_t most_columns_of_thread = 16;
constexpr std::uint64_t lanes_n = 4;
constexpr std::uint64_t one_strip = lanes_n * most_columns_of_thread;
constexpr std::uint64_t most_parts = 256;

std::uint64_t tiles(const ProductSize& size, const StripForm& form) {
  return ceil_div(size.m, form.tile_m()) * ceil_div(size.n, form.tile_n());
}

/// Whether the numbers of one strip and packs are a product's.
bool takes_first(const ProductSize& size) { return size.n <= one_strip && size.n % 4 == 0; }

const Costs& costs_of(const ProductSize& size) {
  return takes_first(size) ? costs_of_one : costs_of_others;
}

/// Whether rows of A begin anywhere.
bool is_shifted(const ProductSize& size) { return size.k % 4 != 0; }

/// Steps of B before those of a slab.
std::uint64_t steps_before(const ProductSize& size) { return is_shifted(size) ? 3 : 0; }

std::uint64_t slabs(const ProductSize& size, const StripForm& form) {
  return ceil_div(size.k + steps_before(size), form.depth);
}

std::uint64_t local_bytes(const ProductSize& size, const StripForm& form) {
  const std::uint64_t padding = is_shifted(size) && form.tile_n() % 16 == 0 ? 8 : 0;
  const std::uint64_t a = form.tile_m() * (form.depth + 4);
  const std::uint64_t b = (form.depth + steps_before(size)) * (form.tile_n() + padding);
  return form.stages * (a + b) * word;
}

std::uint64_t groups(const StripForm& form) { return ceil_div(form.splits, form.group); }

/// Few parts are added up by one block; of many, as many blocks as there are in a group, or about so.
std::uint32_t group_of(std::uint32_t splits) {
  if (splits <= 8) return splits;
  const auto count = static_cast<std::uint32_t>(std::lround(std::sqrt(splits)));
  return (splits + count - 1) / count;
}

struct Room {
  std::uint64_t compute_units;
  std::uint64_t together;  ///< blocks of a multiprocessor at a time
  double later = 0;        ///< by the device, ns
  double takes = 1;        ///< times as long as by the model
};

/// To join a tile's parts, ns.
double joining(const StripForm& form, const Costs& costs) {
  if (form.splits == 1) return 0;
  const double added = form.group + (groups(form) > 1 ? static_cast<double>(groups(form)) : 0.0);
  const double tile_bytes = static_cast<double>(form.tile_m() * form.tile_n() * word);
  return (groups(form) > 1 ? 2 : 1) * costs.joining + costs.joining_per_byte * added * tile_bytes;
}

std::uint64_t most_blocks_of_unit(const ProductSize& size, const StripForm& form, const Room& room) {
  return ceil_div(tiles(size, form) * form.splits, room.compute_units);
}

double times_longer(const ProductSize& size, const FormRow& row) {
  if (takes_first(size)) return 1;
  const Longer& longer = size.n > one_strip ? row.several_strips : row.one_strip;
  if (size.n % 4 == 0) return is_shifted(size) ? longer.of_a : 1;
  return is_shifted(size) ? longer.of_both : longer.of_b;
}

/// Until the multiprocessor that gets most blocks is done, ns. It takes as many at a time as it has room
/// for.
double computing(const ProductSize& size, const FormRow& row, const StripForm& form, const Room& room) {
  const double steps = static_cast<double>(ceil_div(slabs(size, form), form.splits) * form.depth);
  const double sums = 4.0 * form.thread_m * form.thread_n;
  const double others = form.thread_m + form.thread_n + costs_of(size).other_instructions;
  const double block_ns = static_cast<double>(form.tile_m() * form.tile_n()) * steps /
                          multiply_adds_per_ns * (sums + others) / sums * times_longer(size, row);
  const auto time_of = [&](std::uint64_t blocks) {
    const Reached& reached = takes_first(size) ? row.of_one : row.of_others;
    return static_cast<double>(blocks) * block_ns / reached.at(std::min<std::uint64_t>(blocks, 3) - 1);
  };
  const std::uint64_t blocks = most_blocks_of_unit(size, form, room);
  const std::uint64_t rest = blocks % room.together;
  const std::uint64_t turns = blocks / room.together;
  return static_cast<double>(turns) * time_of(room.together) + (rest > 0 ? time_of(rest) : 0);
}

double reading(const ProductSize& size, const StripForm& form, const Room& room) {
  const auto bytes = static_cast<double>((size.m * size.k + size.k * size.n + size.m * size.n) * word);
  const std::uint64_t blocks = std::min(most_blocks_of_unit(size, form, room), room.together);
  const std::uint64_t slab = form.depth * (form.tile_m() + form.tile_n()) * word;
  const auto under_way = static_cast<double>(blocks * (form.stages - 1) * slab);
  const Costs& costs = costs_of(size);
  return bytes / costs.memory_bytes * std::max(1.0, costs.bytes_under_way / under_way);
}

/// To begin and end all blocks of a multiprocessor, as far as that is not in the costs.
double storing(const ProductSize& size, const StripForm& form, const Room& room) {
  if (takes_first(size)) return 0;
  const double words_ns =
      size.n > one_strip ? storing_words_of_several_ns_per_element : storing_words_ns_per_element;
  return static_cast<double>(most_blocks_of_unit(size, form, room) * form.tile_m() * form.tile_n()) *
             (size.n % 4 == 0 ? storing_ns_per_element : words_ns) +
         (is_shifted(size) ? shifting_ns : 0);
}

double expected_ns(const ProductSize& size, const FormRow& row, const StripForm& form, const Room& room) {
  const double compute = computing(size, row, form, room);
  const double read = reading(size, form, room);
  const Costs& costs = costs_of(size);
  // Neither hides the other wholly.
  return costs.starting + std::cbrt(compute * compute * compute + read * read * read) +
         storing(size, form, room) + joining(form, costs);
}

/// Threads of a tile's rows share out so many columns evenly, at most `most` each.
std::uint32_t columns_of_thread(const ProductSize& size, std::uint64_t most) {
  const std::uint64_t strips = ceil_div(size.n, lanes_n * most);
  return static_cast<std::uint32_t>(2 * ceil_div(ceil_div(size.n, strips), 2 * lanes_n));
}

/// Adds a form in every number of parts with which all blocks run at once.
void consider(std::vector<Ranked<StripForm>>& found, const ProductSize& size, const FormRow& row,
              StripForm form, const Room& room) {
  const std::uint64_t at_once =
      std::max<std::uint64_t>(1, room.together * room.compute_units / tiles(size, form));
  const std::uint64_t most = std::min({at_once, slabs(size, form), most_parts});
  for (form.splits = 1; form.splits <= most; ++form.splits) {
    form.group = group_of(form.splits);
    found.push_back({form, room.takes * (room.later + expected_ns(size, row, form, room))});
  }
}

/// Those that local memory has room for, be it for fewer blocks than registers.
std::vector<Ranked<StripForm>> candidates(const ProductSize& size, const StripDevice& device) {
  std::vector<Ranked<StripForm>> found;
  for (const FormRow& row : forms) {
    for (const std::uint64_t most : {most_columns_of_thread, most_columns_of_thread / 2}) {
      StripForm form = row.form;
      form.thread_n = columns_of_thread(size, most);
      if (is_shifted(size) && form.thread_n > row.widest_shifted) continue;
      const std::uint64_t together =
          std::min<std::uint64_t>(form.resident, device.local_bytes / local_bytes(size, form));
      const double takes = form.resident == 3 ? device.three_take : 1;
      if (together > 0)
        consider(found, size, row, form, {device.compute_units, together, device.starting_later, takes});
    }
  }
  return found;
}

/// The same kernel, but for the number of blocks that share a tile, about as many of each.
bool are_alike(const StripForm& a, const StripForm& b) {
  return a.thread_m == b.thread_m && a.thread_n == b.thread_n && a.warps_m == b.warps_m &&
         a.depth == b.depth && a.stages == b.stages && a.resident == b.resident &&
         are_about_as_many(a.splits, b.splits);
}

}  // namespace

ChosenStrips choose_strips(const ProductSize& size, const StripDevice& device) {
  const std::vector<Ranked<StripForm>> found = candidates(size, device);
  const auto best = std::ranges::min_element(found, {}, &Ranked<StripForm>::expected_ns);
  if (best == found.end()) return {};
  return {best->form, best->expected_ns};
}

std::vector<Ranked<StripForm>> rank_strips(const ProductSize& size, const StripDevice& device,
                                           std::size_t most) {
  return rank(candidates(size, device), most, are_alike);
}

KernelPlan plan_strips(const ProblemSpec& problem, const ProductSize& size, const StripForm& form,
                       PlannedLaunch launch) {
  const std::uint64_t tile_count = tiles(size, form);
  launch.defines = {
      {"THREAD_M", std::to_string(form.thread_m)}, {"THREAD_N", std::to_string(form.thread_n)},
      {"WARPS_M", std::to_string(form.warps_m)},   {"WARPS_K", std::to_string(form.warps_k)},
      {"DEPTH", std::to_string(form.depth)},       {"STAGES", std::to_string(form.stages)},
      {"RESIDENT", std::to_string(form.resident)}, {"SPLITS", std::to_string(form.splits)},
      {"GROUP", std::to_string(form.group)},       {"SHIFTED", is_shifted(size) ? "1" : "0"},
      {"PACKED", size.n % 4 == 0 ? "1" : "0"}};
  launch.block = {form.threads(), 1, 1};
  launch.local_bytes = local_bytes(size, form);
  return plan_joined_product(problem, std::move(launch),
                             {tile_count, form.splits, std::uint64_t{form.tile_m()} * form.tile_n() * word,
                              tile_count * (groups(form) + 1)});
}

std::string to_text(const StripForm& form) {
  const auto number = [](std::uint64_t value) { return std::to_string(value); };
  return number(form.tile_m()) + "x" + number(form.tile_n()) + " by " + number(form.warps_m) + "x" +
         number(form.warps_k) + " warps of " + number(form.thread_m) + "x" + number(form.thread_n) +
         ", slabs of " + number(form.depth) + ", " + number(form.stages) + " stages, " +
         number(form.splits) + " parts";
}

}  // namespace benchctl::gpu
