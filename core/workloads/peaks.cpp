// The roofs that everything else runs under: how much a device can compute, read, write and start at best.
// Each probe is a kernel that does one thing only, and still leaves a result that shows whether it did all
// of it. peak_probes.hpp says what each of them does.
#include <fmt/format.h>

#include "workloads/bits.hpp"
#include "workloads/elements.hpp"
#include "workloads/mma_numbers.hpp"
#include "workloads/parameters.hpp"
#include "workloads/peak_numbers.hpp"
#include "workloads/peak_probes.hpp"

namespace benchctl {

namespace {

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

class Peaks final : public Workload {
 public:
  [[nodiscard]] std::string_view name() const override { return "peaks"; }
  [[nodiscard]] std::string_view doc() const override {
    return "the roofs: fused multiply-adds, matrix instructions, memory and cache bandwidth, the time of a "
           "launch";
  }
  [[nodiscard]] std::uint32_t version() const override { return 1; }
  [[nodiscard]] bool measures_roofs() const override { return true; }
  [[nodiscard]] std::span<const ParameterInfo> parameters() const override { return parameters_; }

  [[nodiscard]] ProblemSpec problem(const Parameters& parameters,
                                    const std::string& layout) const override {
    if (!layout.empty()) throw ProblemError("peaks has one layout only");
    const PeakShape shape = peak_shape(parameters);
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
      case PeakProbe::fma_f32:
      case PeakProbe::fma_f64: {
        const DType type = real_type(shape.probe);
        add("start", type, fma_chains, BufferRole::in);
        add("out", type, shape.n, BufferRole::out);
        add_integer("rounds", DType::i32, shape.rounds);
        spec.scalars.push_back({"scale", type, fma_scale});
        spec.scalars.push_back({"shift", type, fma_shift});
        break;
      }
      case PeakProbe::mma_tf32:
      case PeakProbe::mma_bf16:
      case PeakProbe::mma_f64: {
        const DType type = real_type(shape.probe);
        add("a", type, mma_rows * mma_slabs * mma_depth, BufferRole::in);
        add("b", type, mma_depth * mma_columns, BufferRole::in);
        add("out", type, shape.n, BufferRole::out);
        add_integer("rounds", DType::i32, shape.rounds);
        break;
      }
      case PeakProbe::dram_read:
      case PeakProbe::dram_read_apart:
      case PeakProbe::cache_read:
        add("in", DType::u32, shape.n, BufferRole::in);
        add("out", DType::u32, shape.sums(), BufferRole::out);
        add_integer("sums", DType::i32, shape.sums());
        break;
      case PeakProbe::dram_write:
        add("out", DType::u32, shape.n, BufferRole::out);
        add_integer("first", DType::u32, write_first);
        add_integer("step", DType::u32, write_step);
        break;
      case PeakProbe::dram_copy:
        add("in", DType::u32, shape.n, BufferRole::in);
        add("out", DType::u32, shape.n, BufferRole::out);
        break;
      case PeakProbe::dram_triad:
        add("a", DType::f32, shape.n, BufferRole::in);
        add("b", DType::f32, shape.n, BufferRole::in);
        add("c", DType::f32, shape.n, BufferRole::out);
        break;
      case PeakProbe::shared:
        add("in", DType::u32, shared_tile_pieces * shared_piece_words, BufferRole::in);
        add("out", DType::u32, shape.n, BufferRole::out);
        add_integer("rounds", DType::i32, shape.rounds);
        break;
      case PeakProbe::launch:
        add("in", DType::u32, 1, BufferRole::in);
        add("out", DType::u32, 1, BufferRole::out);
        break;
    }
    return spec;
  }

  [[nodiscard]] Cost cost(const Parameters& parameters) const override {
    const PeakShape shape = peak_shape(parameters);
    const auto bytes = static_cast<double>(shape.bytes);
    switch (shape.probe) {
      case PeakProbe::fma_f32:
      case PeakProbe::fma_f64:
        return {.flops = 2 * static_cast<double>(shape.n) * static_cast<double>(shape.rounds)};
      case PeakProbe::mma_tf32:
      case PeakProbe::mma_bf16:
      case PeakProbe::mma_f64:
        return {.flops = 2 * static_cast<double>(shape.n) * static_cast<double>(mma_depth * shape.rounds)};
      case PeakProbe::dram_read:
      case PeakProbe::cache_read:
        return {.bytes_read = bytes * static_cast<double>(shape.rounds)};
      case PeakProbe::dram_read_apart:
        return {.bytes_read = static_cast<double>(words_read_apart(shape.n) * word_bytes * shape.rounds)};
      case PeakProbe::dram_write:
        return {.bytes_written = bytes};
      case PeakProbe::dram_copy:
        return {.bytes_read = bytes, .bytes_written = bytes};
      case PeakProbe::dram_triad:
        return {.bytes_read = 2 * bytes, .bytes_written = bytes};
      case PeakProbe::shared:
        return {.bytes_read = static_cast<double>(shape.n) * static_cast<double>(shape.rounds) *
                              static_cast<double>(shared_piece_words * word_bytes)};
      case PeakProbe::launch:
        break;
    }
    return {.accesses = 1};
  }

  void generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    const RandomStream stream(seed, buffer);
    const DType type = spec.buffers.at(buffer).type;
    if (type == DType::u32) return random_bytes(stream, first * word_bytes, out);
    if (is_mma(peak_shape(spec.parameters).probe)) {
      draw_mma_numbers(stream, buffer == 0, type, first, out);
      return;
    }
    draw_bytes(stream, ValueKind::uniform, type, first, out);
  }

  [[nodiscard]] Reference reference(const ProblemSpec& spec, std::uint64_t seed) const override {
    const PeakShape shape = peak_shape(spec.parameters);
    const RandomStream stream(seed, 0);
    Reference reference = seed_reference(seed);
    switch (shape.probe) {
      case PeakProbe::fma_f32:
      case PeakProbe::fma_f64:
        reference.reals["ends"] = fma_ends(stream, real_type(shape.probe), shape.rounds);
        break;
      case PeakProbe::mma_tf32:
      case PeakProbe::mma_bf16:
      case PeakProbe::mma_f64:
        reference.reals["sums"] = mma_sums(stream, RandomStream(seed, 1), shape.rounds);
        break;
      case PeakProbe::dram_read:
      case PeakProbe::dram_read_apart:
      case PeakProbe::cache_read:
        reference.indices["sums"] = segment_sums(stream, shape);
        break;
      case PeakProbe::shared:
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
    switch (probe) {
      case PeakProbe::fma_f32:
      case PeakProbe::fma_f64: {
        const std::vector<double>& ends = reference.reals.at("ends");
        const auto end = [&ends](std::uint64_t i) { return ends[i % fma_chains]; };
        return check_bits(
            spec, out, probe == PeakProbe::fma_f64 ? elements_are<double>(end) : elements_are<float>(end),
            read);
      }
      case PeakProbe::mma_tf32:
      case PeakProbe::mma_bf16:
      case PeakProbe::mma_f64: {
        const std::vector<double>& sums = reference.reals.at("sums");
        const auto sum = [&sums](std::uint64_t i) { return sums[i % sums.size()]; };
        return check_bits(
            spec, out, probe == PeakProbe::mma_f64 ? elements_are<double>(sum) : elements_are<float>(sum),
            read);
      }
      case PeakProbe::dram_read:
      case PeakProbe::dram_read_apart:
      case PeakProbe::cache_read:
      case PeakProbe::shared: {
        const std::vector<std::uint64_t>& sums = reference.indices.at("sums");
        return check_bits(
            spec, out,
            elements_are<std::uint32_t>([&sums](std::uint64_t i) { return sums[i % sums.size()]; }), read);
      }
      case PeakProbe::dram_write:
        return check_bits(spec, out, elements_are<std::uint32_t>([](std::uint64_t i) {
                            return write_first + static_cast<std::uint32_t>(i) * write_step;
                          }),
                          read);
      case PeakProbe::dram_copy:
        return check_bits(
            spec, out,
            [&](std::uint64_t first, std::span<std::byte> bytes) { random_bytes(stream, first, bytes); },
            read);
      case PeakProbe::dram_triad: {
        // 2 · b is exact, so that fused or not, one addition of float32 is rounded: once, and all alike.
        const RandomStream b(seed_of(reference), 1);
        return check_bits(
            spec, out, elements_are<float>([&](std::uint64_t i) { return stream.f32(i) + 2 * b.f32(i); }),
            read);
      }
      case PeakProbe::launch:
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
        "bytes of each large buffer; for fma, mma and shared: bytes of the results, one number per chain, "
        "sum or thread";
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

const WorkloadRegistration peaks_registration(std::make_unique<Peaks>());

}  // namespace

}  // namespace benchctl
