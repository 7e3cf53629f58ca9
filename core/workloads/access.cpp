// A copy whose reads go where they are told: out[i] = in[misalign + f(i) · stride], the output dense. What
// a memory system makes of widths, strides, offsets and order, with nothing computed on the way.
#include <array>

#include "workloads/basic.hpp"

namespace benchctl {

namespace {

/// What the elements hold that a masked thread does not load.
constexpr std::uint64_t masked_word = 0x5A5A5A5A5A5A5A5A;

/// The pattern f. All but `scattered_384` are permutations of [0, n), or of those elements that are loaded.
enum class Pattern : std::uint8_t {
  linear,           ///< i
  masked,           ///< i, but every fourth thread, from number 3 on, loads nothing and writes a constant
  scattered_warp,   ///< permuted within each 32
  scattered_block,  ///< permuted within each 256
  scattered_array,  ///< permuted over all of a power of two, neighbours about 0.3 · 2^23 apart
  scattered_384,    ///< 32 elements out of 96: two of the four sectors of each of three 128-byte lines
};

}  // namespace

BENCHCTL_WORDS(Pattern, linear, masked, scattered_warp, scattered_block, scattered_array, scattered_384)

namespace {

/// One problem, read from its parameters.
struct Access {
  std::uint64_t n = 0;
  std::uint64_t width = 0;  // bytes of an element
  std::uint64_t stride = 0;
  std::uint64_t misalign = 0;
  Pattern pattern = Pattern::linear;

  explicit Access(const Parameters& parameters)
      : n(integer_of(parameters, "n")),
        width(integer_of(parameters, "access_width")),
        stride(integer_of(parameters, "stride")),
        misalign(integer_of(parameters, "misalign", 0)),
        pattern(enum_of<Pattern>(parameters, "pattern")) {
    if (width != 1 && width != 2 && width != 4 && width != 8 && width != 16) {
      refuse(fmt::format("access_width is {}, but a thread accesses 1, 2, 4, 8 or 16 bytes", width));
    }
    const auto multiple_of = [&](std::uint64_t group) {
      if (n % group != 0)
        refuse(fmt::format("pattern {} needs n to be a multiple of {}", to_string(pattern), group));
    };
    if (pattern == Pattern::scattered_warp) multiple_of(32);
    if (pattern == Pattern::scattered_block) multiple_of(256);
    if (pattern == Pattern::scattered_array && ((n & (n - 1)) != 0 || n > std::uint64_t{1} << 30)) {
      refuse(fmt::format("pattern scattered_array needs n to be a power of two up to 2^30, not {}", n));
    }
    if (pattern == Pattern::scattered_384) {
      multiple_of(32);
      if (width != 4 || stride != 1) refuse("pattern scattered_384 needs access_width = 4 and stride = 1");
    }
  }

  [[noreturn]] static void refuse(const std::string& text) { throw ProblemError(text); }

  /// Element of the input that output i comes from. Kernels and their predictions have the same formulas.
  [[nodiscard]] std::uint64_t source(std::uint64_t i) const { return misalign + f(i) * stride; }
  [[nodiscard]] bool loads(std::uint64_t i) const { return pattern != Pattern::masked || i % 4 != 3; }
  [[nodiscard]] std::uint64_t input_elements() const {
    return misalign + n * (pattern == Pattern::scattered_384 ? 3 : stride);
  }
  /// Narrow elements are kept as bytes, others as 32-bit words.
  [[nodiscard]] DType type() const { return width < 4 ? DType::u8 : DType::u32; }

 private:
  [[nodiscard]] std::uint64_t f(std::uint64_t i) const {
    switch (pattern) {
      case Pattern::scattered_warp:
        return i - i % 32 + (i % 32 * 13 + 7) % 32;
      case Pattern::scattered_block:
        return i - i % 256 + (i % 256 * 101 + 37) % 256;
      case Pattern::scattered_array:
        return i * 5184427 % n;
      case Pattern::scattered_384:
        return i / 32 * 96 + i % 32 % 6 * 16 + i % 32 / 6;
      case Pattern::linear:
      case Pattern::masked:
        break;
    }
    return i;
  }
};

class AccessWorkload final : public ElementwiseWorkload {
 public:
  AccessWorkload()
      : ElementwiseWorkload(
            {.name = "access",
             .doc = "copies n elements: reads by width, stride, offset and order, dense writes",
             .version = 1,
             .parameters =
                 {integer_parameter("n", "elements that are copied", "16777216"),
                  integer_parameter("access_width",
                                    "bytes of an element, which is what a thread accesses at once", "4", 1,
                                    16),
                  integer_parameter("stride", "elements from one that is read to the next", "1", 1, 32),
                  integer_parameter("misalign", "elements before the first that is read", "0", 0, 32),
                  enum_parameter<Pattern>("pattern", "the element that each thread reads")},
             .scalars = {passed("n"), passed("stride"), passed("misalign")},
             // What is copied, not what the memory system moves for it.
             .bytes_read = "if(pattern == 'masked', n - n // 4, n) * access_width",
             .bytes_written = "n * access_width"},
            truth) {}

  /// The input is one sequence of random bytes, whatever the width.
  void generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    random_bytes(RandomStream(seed, 0), first * size_of(spec.buffers.at(buffer).type), out);
  }

 private:
  void define(ProblemSpec& spec) const override {
    const Access access(spec.parameters);
    const std::uint64_t per_element = access.width / size_of(access.type());
    spec.buffers = {input_buffer("in", access.type(), access.input_elements() * per_element),
                    output_buffer("out", access.type(), access.n * per_element)};
  }

  static ElementTruth truth(const ProblemSpec& spec, std::string_view /*precision*/, std::uint64_t seed) {
    const Access access(spec.parameters);
    const std::uint64_t part = size_of(access.type());  // bytes that are compared as one number
    const std::uint64_t parts = access.width / part;
    return each_element([access, part, parts, stream = RandomStream(seed, 0)](std::uint64_t element) {
      const std::uint64_t byte = access.source(element / parts) * access.width + element % parts * part;
      // All bytes of a part lie in one random word.
      const std::uint64_t word =
          access.loads(element / parts) ? stream.bits(byte / 8) >> (byte % 8 * 8) : masked_word;
      return static_cast<double>(word & ((std::uint64_t{1} << (8 * part)) - 1));
    });
  }
};

const WorkloadRegistration access_registration(std::make_unique<AccessWorkload>());

}  // namespace

}  // namespace benchctl
