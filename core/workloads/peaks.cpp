// The roofs that everything else runs under: how much a device can compute, read, write and start at best.
// Each probe is a kernel that does one thing only, and still leaves a result that shows whether it did all
// of it.
//
// fma_*       x ← x · scale + shift, `rounds` times, in as many chains as fit into `bytes`. The chains
// start from
//             a table of 1024 numbers, and a fused multiply-add rounds once: 1024 results, known to the
//             bit.
// mma_*       D ← D + A·B with matrix instructions, `rounds` times, 16 products per round and element of D;
//             `bytes` hold all elements. A is one of three 64 × 16 matrices in turn, B is 16 × 256, D
//             repeats a tile of 64 × 256. All are whole numbers that tf32 and bf16 hold exactly, and the
//             three A add up to a matrix that has a single 1 in every row: D stays small while it grows
//             with every three rounds, exact in float32 (of mma_f64: in float64), and no round can be left
//             out unnoticed.
// dram_read   sums of 32-bit words, one for each segment of 64 KiB: no word can be left out unnoticed.
// dram_read_apart   the same over every other piece of 64 bytes: what a memory delivers when nobody wants
// the
//             neighbours of what it reads. Its bytes are those of the pieces that are read.
// cache_read  the same over a buffer that stays in a cache, `rounds` times. Sum number s belongs to segment
//             s mod (count of segments).
// shared      each of bytes / 4 threads adds up `rounds` pieces of 16 bytes out of a tile of 16 KiB that
// every
//             block holds in shared (local) memory. Its bytes are those read from shared memory.
// dram_write, dram_copy, dram_triad   one store, a load and a store, two loads and a store per element.
// launch      one word: what it costs to start anything at all.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>

#include "workloads/bits.hpp"
#include "workloads/elements.hpp"
#include "workloads/mma_numbers.hpp"
#include "workloads/parameters.hpp"
#include "workloads/values.hpp"

namespace benchctl {

namespace {

enum class Probe : std::uint8_t {
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

namespace detail {
template <>
struct Spellings<Probe> {
  static constexpr std::array<Spelling<Probe>, 13> table{{{Probe::fma_f32, "fma_f32"},
                                                          {Probe::fma_f64, "fma_f64"},
                                                          {Probe::mma_tf32, "mma_tf32"},
                                                          {Probe::mma_bf16, "mma_bf16"},
                                                          {Probe::mma_f64, "mma_f64"},
                                                          {Probe::dram_read, "dram_read"},
                                                          {Probe::dram_read_apart, "dram_read_apart"},
                                                          {Probe::dram_write, "dram_write"},
                                                          {Probe::dram_copy, "dram_copy"},
                                                          {Probe::dram_triad, "dram_triad"},
                                                          {Probe::cache_read, "cache_read"},
                                                          {Probe::shared, "shared"},
                                                          {Probe::launch, "launch"}}};
};
}  // namespace detail

namespace {

constexpr std::uint64_t word = sizeof(std::uint32_t);
constexpr std::uint64_t segment_words = 16384;
/// Of a piece that dram_read_apart reads, or leaves out.
constexpr std::uint64_t apart_words = 16;
/// Starts of the chains; a power of two, so that a vector of them never wraps around.
constexpr std::uint64_t table_length = 1024;
// The fixed point, shift / (1 - scale), is near ½, on which a chain closes in by one part in 4096 a step,
// from the one side and the other in turn: its bits keep changing, and nothing overflows or becomes
// denormal.
constexpr double fma_scale = -1 + 0x1p-12;
constexpr double fma_shift = 1;
constexpr std::uint64_t piece_words = 4;  // 16 bytes
constexpr std::uint64_t tile_pieces = 1024;
/// Odd, so that a thread comes by every piece of the tile.
constexpr std::uint64_t piece_step = 33;
// dram_write: word i is to be first + i · step. (Any odd step; poison would have to be every bit of it.)
constexpr std::uint32_t write_first = 0x3c6ef372;
constexpr std::uint32_t write_step = 0x9e3779b1;

struct Shape {
  Probe probe = Probe::launch;
  std::uint64_t bytes = 0;
  std::uint64_t n = 0;  // elements of `bytes`
  std::uint64_t rounds = 1;

  [[nodiscard]] std::uint64_t segments() const { return (n + segment_words - 1) / segment_words; }
  [[nodiscard]] std::uint64_t sums() const { return segments() * rounds; }
};

/// Whether word number `index` of the buffer is read.
bool is_read(Probe probe, std::uint64_t index) {
  return probe != Probe::dram_read_apart || index / apart_words % 2 == 0;
}

bool is_fma(Probe probe) { return probe == Probe::fma_f32 || probe == Probe::fma_f64; }

bool is_mma(Probe probe) {
  return probe == Probe::mma_tf32 || probe == Probe::mma_bf16 || probe == Probe::mma_f64;
}

/// Of the numbers of fma_* and mma_*.
DType real_type(Probe probe) {
  return probe == Probe::fma_f64 || probe == Probe::mma_f64 ? DType::f64 : DType::f32;
}

Shape shape_of(const Parameters& parameters) {
  const std::string& name = word_of(parameters, "probe");
  const auto probe = parse_enum<Probe>(name);
  if (!probe) throw ProblemError(fmt::format("parameter 'probe' is '{}', which is no probe", name));
  const auto found = parameters.find("bytes");
  const auto* bytes = found == parameters.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  const std::uint64_t size = real_type(*probe) == DType::f64 ? sizeof(double) : word;
  if (bytes == nullptr || *bytes < 1 || static_cast<std::uint64_t>(*bytes) % size != 0) {
    throw ProblemError(fmt::format("parameter 'bytes' must be a positive multiple of {}", size));
  }
  Shape shape{*probe, static_cast<std::uint64_t>(*bytes), static_cast<std::uint64_t>(*bytes) / size,
              integer_of(parameters, "rounds")};
  constexpr std::uint64_t most = 0x7fffffff;
  if (shape.n > most || shape.sums() > most) {
    throw ProblemError("kernels count elements in 32 bits: 'bytes' or 'rounds' is too large");
  }
  if (is_mma(*probe) && shape.rounds > mma_most_rounds) {
    throw ProblemError(fmt::format("probe '{}' stays exact for {} rounds at most", name, mma_most_rounds));
  }
  const bool repeats = is_fma(*probe) || is_mma(*probe) || *probe == Probe::dram_read ||
                       *probe == Probe::dram_read_apart || *probe == Probe::cache_read ||
                       *probe == Probe::shared;
  if (!repeats && shape.rounds != 1) throw ProblemError(fmt::format("probe '{}' has one round", name));
  if (*probe == Probe::launch && shape.n != 1) throw ProblemError("probe 'launch' has 4 bytes");
  return shape;
}

/// Sum of the words [first, first + count) of a stream.
std::uint32_t sum_of(const RandomStream& stream, std::uint64_t first, std::uint64_t count) {
  std::uint32_t sum = 0;
  for (std::uint64_t i = first; i < first + count; ++i) sum += random_word(stream, i);
  return sum;
}

template <class Real>
std::vector<double> ends_of_chains(const RandomStream& stream, DType type, std::uint64_t rounds) {
  std::vector<double> ends(table_length);
  for (std::uint64_t i = 0; i < table_length; ++i) {
    auto x = static_cast<Real>(draw(stream, ValueKind::uniform, type, i));
    for (std::uint64_t round = 0; round < rounds; ++round) {
      x = std::fma(x, static_cast<Real>(fma_scale), static_cast<Real>(fma_shift));
    }
    ends[i] = x;
  }
  return ends;
}

std::vector<std::uint64_t> sums_of_segments(const RandomStream& stream, const Shape& shape) {
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

/// What a thread that starts at each piece of the tile adds up.
std::vector<std::uint64_t> sums_of_pieces(const RandomStream& stream, std::uint64_t rounds) {
  std::array<std::uint32_t, tile_pieces> pieces{};
  std::uint32_t whole = 0;
  for (std::uint64_t i = 0; i < tile_pieces; ++i) {
    pieces[i] = sum_of(stream, i * piece_words, piece_words);
    whole += pieces[i];
  }
  std::vector<std::uint64_t> sums(tile_pieces);
  for (std::uint64_t i = 0; i < tile_pieces; ++i) {
    std::uint32_t sum = static_cast<std::uint32_t>(rounds / tile_pieces) * whole;
    for (std::uint64_t round = 0; round < rounds % tile_pieces; ++round) {
      sum += pieces[(i + round * piece_step) % tile_pieces];
    }
    sums[i] = sum;
  }
  return sums;
}

/// A truth for check_bits: element i is `value(i)`.
template <class T, class Function>
BitTruth elements_are(Function value) {
  return [value](std::uint64_t first, std::span<std::byte> out) {
    const std::span all(reinterpret_cast<T*>(out.data()), out.size() / sizeof(T));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<T>(value(first / sizeof(T) + i));
  };
}

class Peaks final : public Workload {
 public:
  [[nodiscard]] std::string_view name() const override { return "peaks"; }
  [[nodiscard]] std::string_view doc() const override {
    return "the roofs: fused multiply-adds, matrix instructions, memory and cache bandwidth, the time of a "
           "launch";
  }
  [[nodiscard]] std::uint32_t version() const override { return 1; }
  [[nodiscard]] std::span<const ParameterInfo> parameters() const override { return parameters_; }

  [[nodiscard]] ProblemSpec problem(const Parameters& parameters,
                                    const std::string& layout) const override {
    if (!layout.empty()) throw ProblemError("peaks has one layout only");
    const Shape shape = shape_of(parameters);
    ProblemSpec spec;
    spec.workload = name();
    spec.parameters = parameters;
    const auto add = [&](const char* buffer, DType type, std::uint64_t count, BufferRole role) {
      spec.buffers.push_back({buffer, type, count, role, Space::device});
    };
    const auto add_integer = [&](const char* scalar, DType type, std::uint64_t value) {
      spec.scalars.push_back({scalar, type, static_cast<std::int64_t>(value)});
    };
    add_integer("n", DType::i32, shape.n);
    switch (shape.probe) {
      case Probe::fma_f32:
      case Probe::fma_f64: {
        const DType type = real_type(shape.probe);
        add("start", type, table_length, BufferRole::in);
        add("out", type, shape.n, BufferRole::out);
        add_integer("rounds", DType::i32, shape.rounds);
        spec.scalars.push_back({"scale", type, fma_scale});
        spec.scalars.push_back({"shift", type, fma_shift});
        break;
      }
      case Probe::mma_tf32:
      case Probe::mma_bf16:
      case Probe::mma_f64: {
        const DType type = real_type(shape.probe);
        add("a", type, mma_rows * mma_slabs * mma_depth, BufferRole::in);
        add("b", type, mma_depth * mma_columns, BufferRole::in);
        add("out", type, shape.n, BufferRole::out);
        add_integer("rounds", DType::i32, shape.rounds);
        break;
      }
      case Probe::dram_read:
      case Probe::dram_read_apart:
      case Probe::cache_read:
        add("in", DType::u32, shape.n, BufferRole::in);
        add("out", DType::u32, shape.sums(), BufferRole::out);
        add_integer("sums", DType::i32, shape.sums());
        break;
      case Probe::dram_write:
        add("out", DType::u32, shape.n, BufferRole::out);
        add_integer("first", DType::u32, write_first);
        add_integer("step", DType::u32, write_step);
        break;
      case Probe::dram_copy:
        add("in", DType::u32, shape.n, BufferRole::in);
        add("out", DType::u32, shape.n, BufferRole::out);
        break;
      case Probe::dram_triad:
        add("a", DType::f32, shape.n, BufferRole::in);
        add("b", DType::f32, shape.n, BufferRole::in);
        add("c", DType::f32, shape.n, BufferRole::out);
        break;
      case Probe::shared:
        add("in", DType::u32, tile_pieces * piece_words, BufferRole::in);
        add("out", DType::u32, shape.n, BufferRole::out);
        add_integer("rounds", DType::i32, shape.rounds);
        break;
      case Probe::launch:
        add("in", DType::u32, 1, BufferRole::in);
        add("out", DType::u32, 1, BufferRole::out);
        break;
    }
    return spec;
  }

  [[nodiscard]] Cost cost(const Parameters& parameters) const override {
    const Shape shape = shape_of(parameters);
    const auto bytes = static_cast<double>(shape.bytes);
    switch (shape.probe) {
      case Probe::fma_f32:
      case Probe::fma_f64:
        return {.flops = 2 * static_cast<double>(shape.n) * static_cast<double>(shape.rounds)};
      case Probe::mma_tf32:
      case Probe::mma_bf16:
      case Probe::mma_f64:
        return {.flops = 2 * static_cast<double>(shape.n) * static_cast<double>(mma_depth * shape.rounds)};
      case Probe::dram_read:
      case Probe::cache_read:
        return {.bytes_read = bytes * static_cast<double>(shape.rounds)};
      case Probe::dram_read_apart: {
        const std::uint64_t pairs = shape.n / (2 * apart_words);
        const std::uint64_t rest = std::min(shape.n % (2 * apart_words), apart_words);
        return {.bytes_read = static_cast<double>((pairs * apart_words + rest) * word * shape.rounds)};
      }
      case Probe::dram_write:
        return {.bytes_written = bytes};
      case Probe::dram_copy:
        return {.bytes_read = bytes, .bytes_written = bytes};
      case Probe::dram_triad:
        return {.bytes_read = 2 * bytes, .bytes_written = bytes};
      case Probe::shared:
        return {.bytes_read = static_cast<double>(shape.n) * static_cast<double>(shape.rounds) *
                              static_cast<double>(piece_words * word)};
      case Probe::launch:
        break;
    }
    return {.accesses = 1};
  }

  void generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    const RandomStream stream(seed, buffer);
    const DType type = spec.buffers.at(buffer).type;
    if (type == DType::u32) return random_bytes(stream, first * word, out);
    if (is_mma(shape_of(spec.parameters).probe)) {
      draw_mma_numbers(stream, buffer == 0, type, first, out);
      return;
    }
    draw_bytes(stream, ValueKind::uniform, type, first, out);
  }

  [[nodiscard]] Reference reference(const ProblemSpec& spec, std::uint64_t seed) const override {
    const Shape shape = shape_of(spec.parameters);
    const RandomStream stream(seed, 0);
    Reference reference = seed_reference(seed);
    switch (shape.probe) {
      case Probe::fma_f32:
        reference.reals["ends"] = ends_of_chains<float>(stream, DType::f32, shape.rounds);
        break;
      case Probe::fma_f64:
        reference.reals["ends"] = ends_of_chains<double>(stream, DType::f64, shape.rounds);
        break;
      case Probe::mma_tf32:
      case Probe::mma_bf16:
      case Probe::mma_f64:
        reference.reals["sums"] = mma_sums(stream, RandomStream(seed, 1), shape.rounds);
        break;
      case Probe::dram_read:
      case Probe::dram_read_apart:
      case Probe::cache_read:
        reference.indices["sums"] = sums_of_segments(stream, shape);
        break;
      case Probe::shared:
        reference.indices["sums"] = sums_of_pieces(stream, shape.rounds);
        break;
      default:
        break;
    }
    return reference;
  }

  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view /*precision*/,
                                   const Reference& reference, const BufferReader& read) const override {
    const Probe probe = shape_of(spec.parameters).probe;
    const RandomStream stream(seed_of(reference), 0);
    const std::size_t out = spec.buffers.size() - 1;
    switch (probe) {
      case Probe::fma_f32:
      case Probe::fma_f64: {
        const std::vector<double>& ends = reference.reals.at("ends");
        const auto end = [&ends](std::uint64_t i) { return ends[i % table_length]; };
        return check_bits(spec, out,
                          probe == Probe::fma_f64 ? elements_are<double>(end) : elements_are<float>(end),
                          read);
      }
      case Probe::mma_tf32:
      case Probe::mma_bf16:
      case Probe::mma_f64: {
        const std::vector<double>& sums = reference.reals.at("sums");
        const auto sum = [&sums](std::uint64_t i) { return sums[i % sums.size()]; };
        return check_bits(spec, out,
                          probe == Probe::mma_f64 ? elements_are<double>(sum) : elements_are<float>(sum),
                          read);
      }
      case Probe::dram_read:
      case Probe::dram_read_apart:
      case Probe::cache_read:
      case Probe::shared: {
        const std::vector<std::uint64_t>& sums = reference.indices.at("sums");
        return check_bits(
            spec, out,
            elements_are<std::uint32_t>([&sums](std::uint64_t i) { return sums[i % sums.size()]; }), read);
      }
      case Probe::dram_write:
        return check_bits(spec, out, elements_are<std::uint32_t>([](std::uint64_t i) {
                            return write_first + static_cast<std::uint32_t>(i) * write_step;
                          }),
                          read);
      case Probe::dram_copy:
        return check_bits(
            spec, out,
            [&](std::uint64_t first, std::span<std::byte> bytes) { random_bytes(stream, first, bytes); },
            read);
      case Probe::dram_triad: {
        // 2 · b is exact, so that fused or not, one addition of float32 is rounded: once, and all alike.
        const RandomStream b(seed_of(reference), 1);
        return check_bits(
            spec, out, elements_are<float>([&](std::uint64_t i) { return stream.f32(i) + 2 * b.f32(i); }),
            read);
      }
      case Probe::launch:
        break;
    }
    return check_bits(
        spec, out, elements_are<std::uint32_t>([&](std::uint64_t i) { return random_word(stream, i) + 1; }),
        read);
  }

 private:
  static ParameterInfo bytes_parameter() {
    ParameterInfo bytes;
    bytes.name = "bytes";
    bytes.doc =
        "bytes of each large buffer; of fma, mma and shared: of the results, one number per chain, sum or "
        "thread";
    bytes.default_value =
        "if(probe == 'fma_f32' or probe == 'fma_f64', 1048576, if(probe == 'mma_tf32' or probe == "
        "'mma_bf16' or probe == 'mma_f64', "
        "67108864, if(probe == 'cache_read' or probe == 'shared', 4194304, if(probe == 'launch', 4, "
        "268435456))))";
    return bytes;
  }
  std::vector<ParameterInfo> parameters_{
      word_parameter(
          "probe", "which roof is measured",
          {"fma_f32", "fma_f64", "mma_tf32", "mma_bf16", "mma_f64", "dram_read", "dram_read_apart",
           "dram_write", "dram_copy", "dram_triad", "cache_read", "shared", "launch"}),
      bytes_parameter(),
      integer_parameter(
          "rounds", "multiply-adds of a chain, matrix products, passes over the buffer, reads of a thread",
          "if(probe == 'fma_f32' or probe == 'fma_f64', 4096, if(probe == 'mma_tf32' or probe == "
          "'mma_bf16' or probe == 'mma_f64', 1024, if(probe == 'cache_read', 64, "
          "if(probe == 'shared', 1024, 1))))")};
};

const WorkloadRegistration registration(std::make_unique<Peaks>());

}  // namespace

}  // namespace benchctl
