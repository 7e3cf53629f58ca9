// The roofs that everything else runs under: how much a device can compute, read, write and start at best.
// Each probe is a kernel that does one thing only, and still leaves a result that shows whether it did all
// of it. What each of them does:
//
// fma_*       x ← x · scale + shift, `rounds` times, in as many chains as fit into `bytes`. The chains
//             start from a table of 1024 numbers, and a fused multiply-add rounds once: 1024 results,
//             known to the bit.
// mma_*       D ← D + A·B with matrix instructions, `rounds` times, 16 products per round and element of D;
//             `bytes` hold all elements. A is one of three 64 × 16 matrices in turn, B is 16 × 256, D
//             repeats a tile of 64 × 256. All are whole numbers that tf32 and bf16 hold exactly, and the
//             three A add up to a matrix that has a single 1 in every row: D stays small while it grows
//             with every three rounds, exact in float32 (of mma_f64: in float64), and no round can be left
//             out unnoticed.
// dram_read   sums of 32-bit words, one for each segment of 64 KiB: no word can be left out unnoticed.
// dram_read_apart
//             the same over every other piece of 64 bytes: what a memory delivers when nobody wants the
//             neighbours of what it reads. Its bytes are those of the pieces that are read.
// cache_read  the same over a buffer that stays in a cache, `rounds` times. Sum number s belongs to segment
//             s mod (count of segments).
// shared      each of bytes / 4 threads adds up `rounds` pieces of 16 bytes out of a tile of 16 KiB that
//             every block holds in shared (local) memory. Its bytes are those read from shared memory.
// dram_write, dram_copy, dram_triad
//             one store, a load and a store, two loads and a store per element.
// launch      one word: what it costs to start anything at all.
#include <benchctl/rounding.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "workloads/basic.hpp"

namespace benchctl {

namespace {

enum class PeakProbe : std::uint8_t {
  fma_f32,
  fma_f64,
  mma_tf32,
  mma_bf16,
  mma_f64,
  dram_read,
  dram_read_apart,
  dram_write,
  dram_copy,
  dram_triad,
  cache_read,
  shared,
  launch
};

}  // namespace

BENCHCTL_WORDS(PeakProbe, fma_f32, fma_f64, mma_tf32, mma_bf16, mma_f64, dram_read, dram_read_apart,
               dram_write, dram_copy, dram_triad, cache_read, shared, launch)

namespace {

constexpr std::uint64_t segment_words = 16384;

/// A probe and its size.
struct PeakShape {
  PeakProbe probe = PeakProbe::launch;
  std::uint64_t bytes = 0;
  std::uint64_t n = 0;  ///< elements of `bytes`
  std::uint64_t rounds = 1;

  [[nodiscard]] std::uint64_t segments() const { return ceil_div(n, segment_words); }
  [[nodiscard]] std::uint64_t sums() const { return segments() * rounds; }
};

/// What probes have in common. Those before `write` may have several rounds.
enum class PeakFamily : std::uint8_t { fma, mma, sums, shared, write, copy, triad, launch };

/// Starts of the chains of fma_*; a power of two, so that a vector of them never wraps around.
constexpr std::uint64_t fma_chains = 1024;
// The fixed point, shift / (1 - scale), is near ½, on which a chain closes in by one part in 4096 a step,
// from the one side and the other in turn: its bits keep changing, and nothing overflows or becomes
// denormal.
constexpr double fma_scale = -1 + 0x1p-12;
constexpr double fma_shift = 1;
constexpr std::uint64_t shared_piece_words = 4;
constexpr std::uint64_t shared_tile_pieces = 1024;
constexpr std::uint64_t mma_rows = 64;
constexpr std::uint64_t mma_columns = 256;
constexpr std::uint64_t mma_depth = 16;  // products per round
constexpr std::uint64_t mma_slabs = 3;   // matrices A
constexpr std::uint64_t mma_tile = mma_rows * mma_columns;
/// For as many sums stay exact in float32, see below.
constexpr std::uint64_t mma_most_rounds = 131072;

/// Words in a piece that dram_read_apart reads, or leaves out.
constexpr std::uint64_t apart_words = 16;
/// Odd, so that a thread comes by every piece of the tile.
constexpr std::uint64_t piece_step = 33;

/// Whether word number `index` of the buffer is read.
bool is_read(PeakProbe probe, std::uint64_t index) {
  return probe != PeakProbe::dram_read_apart || index / apart_words % 2 == 0;
}

/// Sum of the words [first, first + count) of a stream.
std::uint32_t sum_of(const RandomStream& stream, std::uint64_t first, std::uint64_t count) {
  std::uint32_t sum = 0;
  for (std::uint64_t i = first; i < first + count; ++i) sum += random_word(stream, i);
  return sum;
}

/// The ends of all chains of fma_* after so many rounds, in the arithmetic of `type` (f32 or f64).
std::vector<double> fma_ends(const RandomStream& stream, DType type, std::uint64_t rounds) {
  return with_real_type(type, [&]<class Real>(std::type_identity<Real>) {
    std::vector<double> ends(fma_chains);
    for (std::uint64_t i = 0; i < fma_chains; ++i) {
      auto x = static_cast<Real>(draw(stream, ValueKind::uniform, type, i));
      for (std::uint64_t round = 0; round < rounds; ++round)
        x = std::fma(x, static_cast<Real>(fma_scale), static_cast<Real>(fma_shift));
      ends[i] = x;
    }
    return ends;
  });
}

/// Largest numbers in the first two A and in B. The third A then stays within ±255, what eight binary
/// digits hold, and D within 2 · 16 · 127 · 255 and 255 for every three rounds: below 2^24, so exact, for
/// this many rounds.
constexpr std::int64_t mma_largest_a = 127;
constexpr std::int64_t mma_largest_b = 255;

/// A whole number from -largest to largest.
std::int64_t whole_number(const RandomStream& stream, std::uint64_t index, std::int64_t largest) {
  const auto values = static_cast<std::uint64_t>(2 * largest + 1);
  return static_cast<std::int64_t>(stream.bits(index) % values) - largest;
}

/// Element `index` of the matrices A, 64 × 48 row by row: side by side the first, the second, and what is
/// missing from their sum to the matrix that has its 1 of row r in column r mod 16.
std::int64_t mma_a(const RandomStream& stream, std::uint64_t index) {
  constexpr std::uint64_t width = mma_slabs * mma_depth;
  const std::uint64_t row = index / width;
  const std::uint64_t column = index % width;
  if (column < 2 * mma_depth) return whole_number(stream, index, mma_largest_a);
  const std::uint64_t k = column % mma_depth;
  return (k == row % mma_depth ? 1 : 0) - whole_number(stream, row * width + k, mma_largest_a) -
         whole_number(stream, row * width + mma_depth + k, mma_largest_a);
}

std::int64_t mma_b(const RandomStream& stream, std::uint64_t index) {
  return whole_number(stream, index, mma_largest_b);
}

PeakFamily family_of(PeakProbe probe) {
  using enum PeakFamily;
  // In the order of the probes.
  constexpr std::array families{fma,   fma,  mma,   mma,  mma,    sums,  sums,
                                write, copy, triad, sums, shared, launch};
  return families.at(static_cast<std::size_t>(probe));
}

/// Type of the numbers of fma_* and mma_*.
DType real_type(PeakProbe probe) {
  return probe == PeakProbe::fma_f64 || probe == PeakProbe::mma_f64 ? DType::f64 : DType::f32;
}

/// From the parameters `probe`, `bytes`, `rounds`. ProblemError for what no kernel could do.
PeakShape peak_shape(const Parameters& parameters) {
  const auto probe = enum_of<PeakProbe>(parameters, "probe");
  const std::string_view name = to_string(probe);
  const auto found = parameters.find("bytes");
  const auto* bytes = found == parameters.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  const std::uint64_t size = size_of(real_type(probe));
  if (bytes == nullptr || *bytes < 1 || static_cast<std::uint64_t>(*bytes) % size != 0) {
    throw ProblemError(fmt::format("parameter 'bytes' must be a positive multiple of {}", size));
  }
  PeakShape shape{probe, static_cast<std::uint64_t>(*bytes), static_cast<std::uint64_t>(*bytes) / size,
                  integer_of(parameters, "rounds")};
  constexpr std::uint64_t most = 0x7fffffff;
  if (shape.n > most || shape.sums() > most) {
    throw ProblemError("kernels count elements in 32 bits: 'bytes' or 'rounds' is too large");
  }
  const PeakFamily family = family_of(probe);
  if (family == PeakFamily::mma && shape.rounds > mma_most_rounds) {
    throw ProblemError(fmt::format("probe '{}' stays exact for {} rounds at most", name, mma_most_rounds));
  }
  if (family >= PeakFamily::write && shape.rounds != 1)
    throw ProblemError(fmt::format("probe '{}' has one round", name));
  if (probe == PeakProbe::launch && shape.n != 1) throw ProblemError("probe 'launch' has 4 bytes");
  return shape;
}

/// Sum of each segment of dram_read, dram_read_apart, cache_read.
std::vector<std::uint64_t> segment_sums(const RandomStream& stream, const PeakShape& shape) {
  std::vector<std::uint64_t> sums(shape.segments());
  for (std::uint64_t segment = 0; segment < sums.size(); ++segment) {
    const std::uint64_t first = segment * segment_words;
    const std::uint64_t end = std::min(first + segment_words, shape.n);
    std::uint32_t sum = 0;
    for (std::uint64_t i = first; i < end; ++i) {
      if (is_read(shape.probe, i)) sum += random_word(stream, i);
    }
    sums[segment] = sum;
  }
  return sums;
}

/// What a thread of `shared` that starts at each piece of the tile adds up.
std::vector<std::uint64_t> piece_sums(const RandomStream& stream, std::uint64_t rounds) {
  std::array<std::uint32_t, shared_tile_pieces> pieces{};
  std::uint32_t whole = 0;
  for (std::uint64_t i = 0; i < shared_tile_pieces; ++i) {
    pieces[i] = sum_of(stream, i * shared_piece_words, shared_piece_words);
    whole += pieces[i];
  }
  std::vector<std::uint64_t> sums(shared_tile_pieces);
  for (std::uint64_t i = 0; i < shared_tile_pieces; ++i) {
    std::uint32_t sum = static_cast<std::uint32_t>(rounds / shared_tile_pieces) * whole;
    for (std::uint64_t round = 0; round < rounds % shared_tile_pieces; ++round) {
      sum += pieces[(i + round * piece_step) % shared_tile_pieces];
    }
    sums[i] = sum;
  }
  return sums;
}

/// How many words dram_read, dram_read_apart or cache_read reads in a round.
std::uint64_t words_read(const PeakShape& shape) {
  if (shape.probe != PeakProbe::dram_read_apart) return shape.n;
  return shape.n / (2 * apart_words) * apart_words + std::min(shape.n % (2 * apart_words), apart_words);
}

/// Elements of the matrices A, mma_rows × (mma_slabs · mma_depth) row by row, or of B, mma_depth ×
/// mma_columns, from number `first` on: whole numbers that tf32 and bf16 hold exactly.
void draw_mma_numbers(const RandomStream& stream, bool is_a, DType type, std::uint64_t first,
                      std::span<std::byte> out) {
  with_real_type(type, [&]<class T>(std::type_identity<T>) {
    const std::span numbers(reinterpret_cast<T*>(out.data()), out.size() / sizeof(T));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = static_cast<T>(is_a ? mma_a(stream, first + i) : mma_b(stream, first + i));
    }
  });
}

/// A tile of D, mma_rows × mma_columns row by row, after so many rounds, which take the A in turn.
std::vector<double> mma_sums(const RandomStream& a, const RandomStream& b, std::uint64_t rounds) {
  std::vector<double> sums(mma_tile);
  for (std::uint64_t i = 0; i < mma_tile; ++i) {
    const std::uint64_t row = i / mma_columns;
    const std::uint64_t column = i % mma_columns;
    std::int64_t sum = 0;
    for (std::uint64_t slab = 0; slab < mma_slabs; ++slab) {
      std::int64_t product = 0;
      for (std::uint64_t k = 0; k < mma_depth; ++k) {
        product += mma_a(a, (row * mma_slabs + slab) * mma_depth + k) * mma_b(b, k * mma_columns + column);
      }
      sum += product * static_cast<std::int64_t>((rounds + mma_slabs - 1 - slab) / mma_slabs);
    }
    sums[i] = static_cast<double>(sum);
  }
  return sums;
}

// dram_write: word i is to be first + i · step. (Any odd step; poison would have to be every bit of it.)
constexpr std::uint32_t write_first = 0x3c6ef372;
constexpr std::uint32_t write_step = 0x9e3779b1;

/// A truth for check_bits: element i is `value(i)`.
template <class T, class Function>
BitTruth elements_are(Function value) {
  return [value](std::uint64_t first, std::span<std::byte> out) {
    const std::span all(reinterpret_cast<T*>(out.data()), out.size() / sizeof(T));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<T>(value(first / sizeof(T) + i));
  };
}

class Peaks final : public BasicWorkload {
 public:
  Peaks()
      : BasicWorkload(
            {.name = "peaks",
             .doc = "the roofs: fused multiply-adds, matrix instructions, memory and cache bandwidth, the "
                    "time of a launch",
             .version = 1,
             .parameters = {
                 enum_parameter<PeakProbe>("probe", "which roof is measured"), bytes_parameter(),
                 integer_parameter(
                     "rounds",
                     "multiply-adds of a chain, matrix products, passes over the buffer, reads of a thread",
                     "if(probe == 'fma_f32' or probe == 'fma_f64', 4096, if(probe == 'mma_tf32' or probe "
                     "== 'mma_bf16' or probe == 'mma_f64', 1024, if(probe == 'cache_read', 64, "
                     "if(probe == 'shared', 1024, 1))))")}}) {}

  [[nodiscard]] bool measures_roofs() const override { return true; }

  [[nodiscard]] Cost cost(const Parameters& parameters) const override {
    const PeakShape shape = peak_shape(parameters);
    const auto bytes = static_cast<double>(shape.bytes);
    const double steps = static_cast<double>(shape.n) * static_cast<double>(shape.rounds);
    switch (family_of(shape.probe)) {
      case PeakFamily::fma:
        return {.flops = 2 * steps};
      case PeakFamily::mma:
        return {.flops = 2 * steps * static_cast<double>(mma_depth)};
      case PeakFamily::sums:
        return {.bytes_read = static_cast<double>(words_read(shape) * word_bytes * shape.rounds)};
      case PeakFamily::shared:
        return {.bytes_read = steps * static_cast<double>(shared_piece_words * word_bytes)};
      case PeakFamily::write:
        return {.bytes_written = bytes};
      case PeakFamily::copy:
        return {.bytes_read = bytes, .bytes_written = bytes};
      case PeakFamily::triad:
        return {.bytes_read = 2 * bytes, .bytes_written = bytes};
      case PeakFamily::launch:
        break;
    }
    return {.accesses = 1};
  }

  void generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    const RandomStream stream(seed, buffer);
    const DType type = spec.buffers.at(buffer).type;
    if (type == DType::u32) return random_bytes(stream, first * word_bytes, out);
    if (family_of(peak_shape(spec.parameters).probe) == PeakFamily::mma) {
      draw_mma_numbers(stream, buffer == 0, type, first, out);
      return;
    }
    draw_bytes(stream, ValueKind::uniform, type, first, out);
  }

  [[nodiscard]] Reference reference(const ProblemSpec& spec, std::uint64_t seed) const override {
    const PeakShape shape = peak_shape(spec.parameters);
    const RandomStream stream(seed, 0);
    Reference reference = seed_reference(seed);
    switch (family_of(shape.probe)) {
      case PeakFamily::fma:
        reference.reals["sums"] = fma_ends(stream, real_type(shape.probe), shape.rounds);
        break;
      case PeakFamily::mma:
        reference.reals["sums"] = mma_sums(stream, RandomStream(seed, 1), shape.rounds);
        break;
      case PeakFamily::sums:
        reference.indices["sums"] = segment_sums(stream, shape);
        break;
      case PeakFamily::shared:
        reference.indices["sums"] = piece_sums(stream, shape.rounds);
        break;
      default:
        break;
    }
    return reference;
  }

  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view /*precision*/,
                                   const Reference& reference, const BufferReader& read) const override {
    const PeakProbe probe = peak_shape(spec.parameters).probe;
    const RandomStream stream(seed_of(reference), 0);
    const std::size_t out = spec.buffers.size() - 1;
    const auto check_as = [&](const BitTruth& truth) { return check_bits(spec, out, truth, read); };
    switch (family_of(probe)) {
      case PeakFamily::fma:
      case PeakFamily::mma: {
        const std::vector<double>& sums = reference.reals.at("sums");
        const auto sum = [&sums](std::uint64_t i) { return sums[i % sums.size()]; };
        return check_as(real_type(probe) == DType::f64 ? elements_are<double>(sum)
                                                       : elements_are<float>(sum));
      }
      case PeakFamily::sums:
      case PeakFamily::shared: {
        const std::vector<std::uint64_t>& sums = reference.indices.at("sums");
        return check_as(
            elements_are<std::uint32_t>([&sums](std::uint64_t i) { return sums[i % sums.size()]; }));
      }
      case PeakFamily::write:
        return check_as(elements_are<std::uint32_t>(
            [](std::uint64_t i) { return write_first + static_cast<std::uint32_t>(i) * write_step; }));
      case PeakFamily::copy:
        return check_as(
            [&](std::uint64_t first, std::span<std::byte> bytes) { random_bytes(stream, first, bytes); });
      case PeakFamily::triad: {
        // 2 · b is exact, so that fused or not, one addition of float32 is rounded: once, and all alike.
        const RandomStream b(seed_of(reference), 1);
        return check_as(elements_are<float>([&](std::uint64_t i) { return stream.f32(i) + 2 * b.f32(i); }));
      }
      case PeakFamily::launch:
        break;
    }
    return check_as(
        elements_are<std::uint32_t>([&](std::uint64_t i) { return random_word(stream, i) + 1; }));
  }

 private:
  static ParameterInfo bytes_parameter() {
    ParameterInfo bytes;
    bytes.name = "bytes";
    bytes.doc =
        "bytes of each large buffer; for fma, mma and shared: bytes of the results, one number per chain, "
        "sum or thread";
    bytes.default_value =
        "if(probe == 'fma_f32' or probe == 'fma_f64', 1048576, if(probe == 'mma_tf32' or probe == "
        "'mma_bf16' or probe == 'mma_f64', "
        "67108864, if(probe == 'cache_read' or probe == 'shared', 4194304, if(probe == 'launch', 4, "
        "268435456))))";
    return bytes;
  }

  void define(ProblemSpec& spec) const override {
    const PeakShape shape = peak_shape(spec.parameters);
    const DType real = real_type(shape.probe);
    spec.scalars = {integer_scalar("n", shape.n)};
    switch (family_of(shape.probe)) {
      case PeakFamily::fma:
        spec.buffers = {input_buffer("start", real, fma_chains), output_buffer("out", real, shape.n)};
        spec.scalars.insert(spec.scalars.end(), {integer_scalar("rounds", shape.rounds),
                                                 {"scale", real, fma_scale},
                                                 {"shift", real, fma_shift}});
        break;
      case PeakFamily::mma:
        spec.buffers = {input_buffer("a", real, mma_rows * mma_slabs * mma_depth),
                        input_buffer("b", real, mma_depth * mma_columns),
                        output_buffer("out", real, shape.n)};
        spec.scalars.push_back(integer_scalar("rounds", shape.rounds));
        break;
      case PeakFamily::sums:
        spec.buffers = {input_buffer("in", DType::u32, shape.n),
                        output_buffer("out", DType::u32, shape.sums())};
        spec.scalars.push_back(integer_scalar("sums", shape.sums()));
        break;
      case PeakFamily::write:
        spec.buffers = {output_buffer("out", DType::u32, shape.n)};
        spec.scalars.push_back({"first", DType::u32, std::int64_t{write_first}});
        spec.scalars.push_back({"step", DType::u32, std::int64_t{write_step}});
        break;
      case PeakFamily::copy:
      case PeakFamily::launch:  // of one element
        spec.buffers = {input_buffer("in", DType::u32, shape.n), output_buffer("out", DType::u32, shape.n)};
        break;
      case PeakFamily::triad:
        spec.buffers = {input_buffer("a", DType::f32, shape.n), input_buffer("b", DType::f32, shape.n),
                        output_buffer("c", DType::f32, shape.n)};
        break;
      case PeakFamily::shared:
        spec.buffers = {input_buffer("in", DType::u32, shared_tile_pieces * shared_piece_words),
                        output_buffer("out", DType::u32, shape.n)};
        spec.scalars.push_back(integer_scalar("rounds", shape.rounds));
        break;
    }
  }
};

const WorkloadRegistration peaks_registration(std::make_unique<Peaks>());

}  // namespace

}  // namespace benchctl
