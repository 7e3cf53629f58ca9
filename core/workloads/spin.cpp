// A kernel that does nothing for a known time: what the measurement of times is checked with. A duration of
// 0 is the empty kernel.
//
// One thread waits on a clock of the device and leaves what it counted in `clock`: three numbers of 64
// bits, each as two words, the lower first. (0) ticks of a fine clock from the kernel's first instruction
// to its last; (1) ticks of the fine clock and (2) nanoseconds of a true but perhaps coarse one, both
// between the same two edges of the coarse clock. (0) · (2) / (1) is how long the kernel ran. Who has no
// clock leaves them alone. `echo` shows that the kernel came to its end.
#include <array>

#include "workloads/basic.hpp"

namespace benchctl {

namespace {

class Spin final : public BasicWorkload {
 public:
  Spin()
      : BasicWorkload(
            {.name = "spin",
             .doc = "one thread that does nothing for a known time; 0 is the empty kernel",
             .version = 1,
             .parameters = {integer_parameter(
                 "duration_us", "how long the kernel runs by its own clock, in µs", "50", 0, 1e6)},
             .buffers = {{"token", "u32", "1"},
                         {"echo", "u32", "1", BufferRole::out},
                         {"clock", "u32", "6", BufferRole::out}},
             .scalars = {{"duration_ns", "i32", "1000 * duration_us"}},
             .bytes_read = "0",
             .bytes_written = "0"}) {}

  void generate(const ProblemSpec& /*spec*/, std::size_t buffer, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    random_bytes(RandomStream(seed, buffer), first * word_bytes, out);
  }

  [[nodiscard]] Reference reference(const ProblemSpec& spec, std::uint64_t seed) const override {
    Reference reference;
    reference.indices["echo"] = {random_word(RandomStream(seed, 0), 0) +
                                 1000 * integer_of(spec.parameters, "duration_us", 0)};
    return reference;
  }

  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view /*precision*/,
                                   const Reference& reference, const BufferReader& read) const override {
    return check_word(spec, echo_buffer, reference.indices.at("echo").at(0), read);
  }

  [[nodiscard]] std::map<std::string, double, std::less<>> metrics(
      const ProblemSpec& /*spec*/, const BufferReader& read) const override {
    std::array<std::uint64_t, 3> counted{};
    read(clock_buffer, 0, std::as_writable_bytes(std::span(counted)));
    const auto [ticks, edge_ticks, edge_ns] = counted;
    constexpr std::uint64_t poison = ~std::uint64_t{0};  // never written
    if (ticks == poison || edge_ticks == 0 || edge_ns == 0) return {};
    return {{"spun_ns",
             static_cast<double>(ticks) * static_cast<double>(edge_ns) / static_cast<double>(edge_ticks)}};
  }

 private:
  static constexpr std::size_t echo_buffer = 1;
  static constexpr std::size_t clock_buffer = 2;
};

const WorkloadRegistration spin_registration(std::make_unique<Spin>());

}  // namespace

}  // namespace benchctl
