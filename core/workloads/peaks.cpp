// The roofs that everything else runs under: how much a device can compute, read, write and start at best.
// Each probe is a kernel that does one thing only, and still leaves a result that shows whether it did all
// of it. peak_numbers.hpp says what each of them does.
#include "workloads/built_in.hpp"
#include "workloads/peak_numbers.hpp"

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

class Peaks final : public BuiltInWorkload {
 public:
  Peaks()
      : BuiltInWorkload(
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
